/* If several candidates have the same id, every command names them by position, and accepts that name. */
import { describe, expect, it } from 'vitest';
import { assize, inFolder } from './run-here.js';

const WIDGETS = [
  { id: 'widget', stars: 500 },
  { id: 'gadget', stars: 900, archived: true },
  { id: 'widget', stars: 700 },
  { id: 'widget', stars: 20, archived: true },
  { stars: 100 },
  { id: 'widget', stars: 500 },
];

inFolder({
  'shop.yaml': `tier1_scorers: [{ id: archived, expr: candidate.?archived.orValue(false) }]
tier2_scorers: [{ id: popularity, expr: candidate.stars / 1000 }]
select: { duplicates: candidate.stars, pack: { cost: candidate.stars, budget: 800, class: GreedyPack } }
plugins: [cupel]
`,
  'other.yaml': 'tier2_scorers: [{ id: few, expr: 1 - candidate.stars / 1000 }]',
  'failing.yaml': 'tier2_scorers: [{ id: stars, expr: candidate.stars + candidate.id, on_error: fail }]',
  'shop.jsonl': WIDGETS.map((row) => JSON.stringify(row)).join('\n'),
  'numbers.json': '[{ "id": 1, "stars": 3 }, { "id": 0, "stars": 5 }]',
});

const explain = (...names: string[]) =>
  assize([names.length === 1 ? 'explain' : 'compare', '-p', './shop.yaml', ...names, 'shop.jsonl']);

describe('a candidate with a duplicate id', () => {
  it('is shown with its position in the tables', async () => {
    expect((await assize(['rank', '-p', './shop.yaml', 'shop.jsonl'])).out).toMatchSnapshot('rank');
    expect((await assize(['pack', '-p', './shop.yaml', 'shop.jsonl'])).out).toMatchSnapshot('pack');
    expect((await assize(['score', '-p', './shop.yaml', 'shop.jsonl'])).out).toMatchSnapshot('score');
    expect((await assize(['diff', './shop.yaml', './other.yaml', 'shop.jsonl'])).out).toMatchSnapshot('diff');
    const threads = ['rank', '-p', './other.yaml', 'shop.jsonl', '--workers', '2', '--top', '3'];
    expect(await assize(threads)).toMatchSnapshot('threads');
  });

  it('is shown with its position in the JSON, if another is kept in its place', async () => {
    const { out } = await assize(['rank', '-p', './shop.yaml', 'shop.jsonl', '-f', 'json']);
    const { not_selected: others } = JSON.parse(out) as {
      not_selected: readonly { index: number; replaced_by?: readonly string[] }[];
    };
    expect(others.find(({ index }) => index === 5)?.replaced_by).toEqual(['widget (#0)']);
  });

  it.each(['#2', 'widget (#2)'])('can be named as %s', async (name) => {
    const { code, out } = await explain(name);
    expect(code).toBe(0);
    expect(out).toMatchSnapshot();
  });

  it('is the first one if named by the id alone, with a note', async () => {
    const { out } = await explain('widget');
    expect(out).toMatch(/^widget \(#0\): 0\.5/);
    expect(out).toContain('4 candidates have the id widget');
  });

  it('can be compared with another', async () => {
    expect((await explain('#5', '#2')).out).toMatchSnapshot('two');
    expect((await explain('widget', 'widget')).err).toMatchSnapshot('the same one');
  });

  it('is named in the error of a run', async () => {
    expect((await assize(['rank', '-p', './failing.yaml', 'shop.jsonl'])).err).toMatchSnapshot();
  });
});

describe('the name of a candidate', () => {
  it.each([
    ['a number that is not an id', '2'],
    ['a position beyond the end', '#6'],
    ['another id at a position', 'gadget (#2)'],
    ['neither', 'widgte'],
  ])('is an error if it is %s', async (_, name) => {
    const { code, out, err } = await explain(name);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatchSnapshot();
  });

  it('is an id before it is a position', async () => {
    const pick = async (name: string) =>
      (await assize(['explain', '-p', './other.yaml', name, 'numbers.json'])).out.split(':', 1)[0];
    expect(await pick('0')).toBe('0');
    expect(await pick('#0')).toBe('1');
    expect((await explain('#4')).out).toMatch(/^#4: 0\.1/);
  });
});

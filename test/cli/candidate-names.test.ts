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
  'placed.yaml': `tier2_scorers: [{ id: popularity, expr: candidate.stars / 1000 }]
candidate: { pinned: candidate.?pinned.orValue(false) }
select: { place: { class: UShaped }, pack: { budget: 5000, class: GreedyPack, cost: candidate.stars } }
plugins: [cupel]
`,
  'placed.json':
    '[{ "id": "a", "pinned": true, "stars": 1 }, { "id": "b", "stars": 900 }, { "id": "c", "stars": 800 }, { "id": "d", "stars": 700 }]',
  'issues.json': '[{ "id": "#2", "stars": 3 }, { "id": "#1", "stars": 5 }]',
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
    const { not_selected: notSelected } = JSON.parse(out) as {
      not_selected: readonly { index: number; replaced_by?: readonly string[] }[];
    };
    expect(notSelected.find(({ index }) => index === 5)?.replaced_by).toEqual(['widget (@0)']);
  });

  it.each(['@2', 'widget (@2)'])('can be named as %s', async (name) => {
    const { code, out } = await explain(name);
    expect(code).toBe(0);
    expect(out).toMatchSnapshot();
  });

  it('is the first one if named by the id alone, with a note', async () => {
    const { out } = await explain('widget');
    expect(out).toMatch(/^widget \(@0\): 0\.5/);
    expect(out).toContain('4 candidates have the id widget');
  });

  it('can be compared with another', async () => {
    expect((await explain('@5', '@2')).out).toMatchSnapshot('two');
    expect((await explain('widget', 'widget')).err).toMatchSnapshot('the same one');
  });

  it('is named in the error of a run', async () => {
    expect((await assize(['rank', '-p', './failing.yaml', 'shop.jsonl'])).err).toMatchSnapshot();
  });
});

describe('the name of a candidate', () => {
  it.each([
    ['a number that is not an id', '2'],
    ['a position beyond the end', '@6'],
    ['another id at a position', 'gadget (@2)'],
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
    expect(await pick('@0')).toBe('1');
    expect((await explain('@4')).out).toMatch(/^@4: 0\.1/);
  });
});

describe('#N on the command line', () => {
  const headOf = async (...args: string[]) => (await assize(args)).out.split(':', 1)[0];

  it('is the row that rank and pack number N, not the position in the input', async () => {
    const profile = ['-p', './shop.yaml'];
    for (const verb of ['rank', 'pack'] as const) {
      const { out } = await assize([verb, ...profile, 'shop.jsonl']);
      const rows = [...out.split('\n\n')[1]!.matchAll(/^(\d+) {2}(.*?) {2}/gm)].map(([, number, id]) => [
        number,
        id!.trim(),
      ]);
      expect(rows).toEqual([
        ['1', 'widget (@2)'],
        ['4', '@4'],
      ]);
      for (const [number, id] of rows) expect(await headOf('explain', ...profile, `#${number}`, 'shop.jsonl')).toBe(id);
    }
    expect(await headOf('compare', ...profile, '#4', '#1', 'shop.jsonl')).toMatch(/^widget \(@2\) beats @4 /);
  });

  it('follows the options of the table', async () => {
    const limits = ['-p', './other.yaml', '--top', '2', '--offset', '1'];
    expect((await assize(['rank', ...limits, 'shop.jsonl'])).out).toMatch(/\n2  @4 .*\n3  widget \(@0\) /);
    expect(await headOf('explain', ...limits, '#3', 'shop.jsonl')).toBe('widget (@0)');
    const budget = ['-p', './shop.yaml', '--budget', '500'];
    expect((await assize(['pack', ...budget, 'shop.jsonl'])).out).toMatch(/\n2  widget \(@0\) /);
    expect(await headOf('explain', ...budget, '#2', 'shop.jsonl')).toBe('widget (@0)');
  });

  it('follows the numbers of moved rows, and pinned rows have none', async () => {
    const { out } = await assize(['rank', '-p', './placed.yaml', 'placed.json']);
    const numbers = [...out.matchAll(/^([ \d]{2}[ ↑]) {1,2}([a-d]) {2,}/gm)].map(([, number, id]) => [
      number!.replace('↑', '').trim(),
      id!,
    ]);
    expect(numbers.map(([, id]) => id)).toContain('a');
    expect(numbers.find(([, id]) => id === 'a')?.[0]).toBe('');
    expect(out).toContain('↑');
    for (const [number, id] of numbers) {
      if (number !== '') expect(await headOf('explain', '-p', './placed.yaml', `#${number}`, 'placed.json')).toBe(id);
    }
  });

  it('is an error if the table has no such row', async () => {
    expect((await explain('#2')).err).toMatchInlineSnapshot(`
      "error ASZ504 the table has no row #2
        the candidate with this rank is not selected; its name is 'widget (@0)'
      "
    `);
    expect((await explain('#7')).err).toMatchInlineSnapshot(`
      "error ASZ504 the table has no row #7
        its rows are numbered from #1 to #4; a position in the input, counted from 0, is '@7'
      "
    `);
  });

  it('is an id if a candidate has it', async () => {
    expect(await headOf('explain', '-p', './other.yaml', '#1', 'issues.json')).toBe('#1');
  });
});

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createPipeline } from 'assize';
import { madeQueries } from '../../plugins/@assize/evaluate/test/tune/made-queries.js';
import { assize, inFolder } from './run-here.js';

const rows = madeQueries(40).flatMap(({ id, candidates, grades }) =>
  candidates.map((one, k) => ({ ...one, query: id, played: grades[k], source: `s${id.length}` })),
);

inFolder({
  'items.yaml': `candidate: { id: id }
tier2_scorers:
  - { id: good, expr: candidate.good }
  - { id: bad, expr: candidate.bad }
`,
  'noise.yaml': 'tier2_scorers: [{ id: noise, expr: candidate.noise }, { id: hiss, expr: candidate.hiss }]\n',
  'label.yaml': 'tier2_scorers: [{ id: cheat, expr: candidate.played }, { id: good, expr: candidate.good }]\n',
  'items.jsonl': rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
});

const data = ['-g', 'query', '-l', 'played', '-m', 'nDCG@5', '--repeats', '1', 'items.jsonl'];

describe('assize tune', () => {
  it('prints the result, and the gain on held-out queries', async () => {
    const { code, out, err } = await assize(['tune', './items.yaml', '--curves', '3', ...data]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^items: 40 queries with 400 candidates, for nDCG@5\n/);
    expect(out).toMatch(/^good +1\.\d+ +1 {2}\S+ [▁-█]{24} \S+ {2}rises$/m);
    expect(out).toMatch(/^bad +0\.\d+ +1 {2}\S+ [▁-█]{24} \S+ {2}falls$/m);
    expect(out).toMatch(
      /^held out, 5 folds by query: better\n {2}0\.\d+ → 0\.\d+: \+0\.\d+ \(95 %: \+0\.\d+ to \+0\.\d+\), p/m,
    );
  });

  it('writes a valid profile with the evidence in a comment, and never overwrites a file', async () => {
    const args = [
      'tune',
      './items.yaml',
      ...data,
      '--out',
      'sub/tuned.yaml',
      '--date',
      '2026-06-01',
      '--format',
      'yaml',
    ];
    const { code, out, err } = await assize(args);
    expect({ code, err }).toEqual({
      code: 0,
      err: expect.stringMatching(
        /^warning ASZ740 bad: the weight is 0, and a negative one would probably help\n.*--curves 3.*\nwrote sub\/tuned.yaml\n$/,
      ),
    });
    expect(readFileSync('sub/tuned.yaml', 'utf8')).toBe(out);
    expect(out).toMatch(
      /^# Tuned by assize \S+ 2026-06-01 on items\.jsonl: 40 queries with 400 candidates, for nDCG@5, seed 1\.\n# held out/,
    );
    expect(out).toContain('extends: [ ../items.yaml ]');
    expect((await createPipeline('./sub/tuned.yaml')).warnings).toEqual([]);
    expect(await assize(args)).toMatchObject({ code: 1, err: expect.stringContaining('ASZ604') });
  });

  it('writes nothing if no gain is shown, and exits with 3', async () => {
    const { code, out, err } = await assize([
      'tune',
      './noise.yaml',
      ...data,
      '--out',
      'none.yaml',
      '--format',
      'yaml',
    ]);
    expect({ code, out, err }).toEqual({
      code: 3,
      out: '',
      err: 'no gain is shown on held-out data, so nothing was written\n',
    });
    expect(() => readFileSync('none.yaml')).toThrow(/ENOENT/);
  });

  it('prints a tree as JSON', async () => {
    const { code, out } = await assize(['tune', './items.yaml', ...data, '--format', 'json']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      profile: 'items',
      measure: 'nDCG@5',
      shown: true,
      held_out: [{ by: 'query', folds: 5, verdict: 'better' }],
      scorers: [
        { id: 'good', before: 1 },
        { id: 'bad', before: 1 },
      ],
    });
  });

  it('prints folds by a path in addition to those by query', async () => {
    const { out } = await assize(['tune', './items.yaml', '--folds-by', 'source', ...data]);
    expect(out).toMatch(/held out, 2 folds by source[^]*held out, 5 folds by query/);
  });

  it.each([
    ['a profile that reads the label', ['./label.yaml', ...data], /ASZ540/],
    ['a curve of too many points', ['./items.yaml', '--curves', '7', ...data], /from 2 to 6/],
    ['an unknown scorer', ['./items.yaml', '--only', 'god', ...data], /no scorer god\n {2}did you mean good/],
    ['no data', ['./items.yaml'], /<candidates> is missing/],
    ['a file that is not there', ['./items.yaml', '-l', 'played', 'nothing.jsonl'], /ASZ101/],
  ])('rejects %s', async (_what, args, text) => {
    const { code, out, err } = await assize(['tune', ...args]);
    expect(code).toBeGreaterThan(0);
    expect(out).toBe('');
    expect(err).toMatch(text);
    expect(err).not.toMatch(/\n\s+at /);
  });
});

describe('assize ask', () => {
  it('asks on standard error, reads answers, and writes the profile', async () => {
    const always = Array.from({ length: 40 }, () => 'a\n').join('');
    const { code, out, err } = await assize(['ask', './items.yaml', 'items.jsonl', '--questions', '4'], {
      stdin: always,
    });
    expect([0, 3]).toContain(code);
    expect(err).toMatch(/^\n1\. Which should come first\? \(\d+ % sure\)\n {3}a {2}id \S+, good /);
    expect(out).toMatch(/^items: 4 answers; the weights that fit them agree on \d+ % of the top 10/);
    expect(out).toMatch(/; fewer than 5 answers are not enough to show a result\n\nscorer +weight +likely +was\n/);
    expect(out).toMatch(/^good +[\d.]+ +[\d.]+ to [\d.]+ +[\d.]+$/m);
    expect(out).toMatch(/^1\. q\d+-\d$/m);
  });

  it('finds nothing without an answer, and prints no weights', async () => {
    const { code, out, err } = await assize(['ask', './items.yaml', 'items.jsonl'], { stdin: 'q\n' });
    expect(code).toBe(3);
    expect(out).toMatch(/^items: no answers: the weights are unchanged\n\nscorer +weight +was\n/);
    expect(err).toContain('nothing was written');
  });

  it('ignores invalid answers, and stops at the end of the input', async () => {
    const { code, out, err } = await assize(['ask', './items.yaml', 'items.jsonl', '--format', 'json'], {
      stdin: 'what?\nb\n',
    });
    expect(code).toBe(3);
    expect(JSON.parse(out)).toMatchObject({ stable: false, answers: [{ choice: 'b', contradicts: false }] });
    expect(err).toContain('the answers do not decide the top yet');
    expect(await assize(['ask', './items.yaml', '-'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('the answers'),
    });
  });
});

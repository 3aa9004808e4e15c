import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { comparisonText, createPipeline, diffRankings, diffText, explanationText } from 'assize';
import { assize } from './run-here.js';
import { temporaryFolder } from '../temporary-folder.js';

/** Text that a terminal would interpret (a colour by the one-character CSI, a title), hide or reorder. */
const HOSTILE = 'x\u009b31m\u001b]0;title\u0007\u202ereversed\u2066in\u2069\u200e\u200f\u061c\u007f\u0085';
// oxlint-disable-next-line no-control-regex -- the test searches for control characters
const INVISIBLE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/;

const PROFILE = {
  name: HOSTILE,
  description: HOSTILE,
  tier1_scorers: [{ id: 'veto', expr: 'candidate.bad == true', reason: HOSTILE }],
  tier2_scorers: [
    { id: 'a', expr: 'candidate.a', weight: 2 },
    { id: 'count', class: 'CountScorer', params: { items: 'list', where: { kind: HOSTILE } } },
  ],
  weights: { by: 'candidate.kind', cases: { [HOSTILE]: { a: 1 } } },
  select: { pack: { cost: '1', budget: 2, class: 'cupel/GreedyPack' } },
  plugins: ['cupel'],
};
const ROWS = [
  { id: HOSTILE, a: 1, kind: HOSTILE, list: [{ kind: HOSTILE }] },
  { id: `${HOSTILE}2`, a: 0.5, kind: 'other', list: [] },
  { id: `${HOSTILE}3`, bad: true },
  { id: `${HOSTILE}4`, a: HOSTILE, list: [] },
];

let folder: string;
let profile: string;
let rows: string;
beforeAll(() => {
  folder = temporaryFolder('assize-invisible-');
  profile = join(folder, 'hostile.json');
  rows = join(folder, 'rows.jsonl');
  writeFileSync(profile, JSON.stringify(PROFILE));
  writeFileSync(join(folder, 'wrong.json'), JSON.stringify({ ...PROFILE, [HOSTILE]: 1, combine: HOSTILE }));
  writeFileSync(rows, ROWS.map((row) => `${JSON.stringify(row)}\n`).join(''));
});

test.each<[string, ...string[]]>([
  ['check', 'PROFILE'],
  ['check', 'PROFILE', '--format', 'json'],
  ['check', 'WRONG'],
  ['check', 'WRONG', '--format', 'json'],
  ['check', 'WRONG', '--format', 'github'],
  ['show', 'PROFILE'],
  ['show', 'PROFILE', '--defaults', '--format', 'json'],
  ['rank', '-p', 'PROFILE', 'ROWS'],
  ['rank', '-p', 'PROFILE', 'ROWS', '--format', 'json', '--candidates'],
  ['rank', '-p', 'PROFILE', 'ROWS', '--format', 'jsonl'],
  ['pack', '-p', 'PROFILE', 'ROWS'],
  ['pack', '-p', 'PROFILE', 'ROWS', '--format', 'json'],
  ['score', '-p', 'PROFILE', 'ROWS'],
  ['score', '-p', 'PROFILE', 'ROWS', '--format', 'jsonl', '--candidates'],
  ['explain', '-p', 'PROFILE', '@0', 'ROWS'],
  ['explain', '-p', 'PROFILE', '@2', 'ROWS'],
  ['explain', '-p', 'PROFILE', '@0', 'ROWS', '--format', 'json'],
  ['compare', '-p', 'PROFILE', '@0', '@1', 'ROWS'],
  ['compare', '-p', 'PROFILE', '@0', '@1', 'ROWS', '--format', 'json'],
  ['diff', 'PROFILE', 'PROFILE', 'ROWS'],
  ['diff', 'PROFILE', 'PROFILE', 'ROWS', '--format', 'json'],
])('the terminal receives no control sequences and no hidden text: %s %s %s %s', async (...args) => {
  const paths: Readonly<Record<string, string>> = { PROFILE: profile, ROWS: rows, WRONG: join(folder, 'wrong.json') };
  const { out, err } = await assize(
    args.map((arg) => paths[arg] ?? arg),
    { terminal: 100, env: { NO_COLOR: '1' } },
  );
  expect(out + err).not.toMatch(INVISIBLE);
  expect(out + err).toMatch(/x(?:<U\+009B>|\\u009b)31m/);
  expect(/\bASZ[1-4]/.test(err + out)).toBe(args.includes('WRONG'));
});

test('JSON still has the same value', async () => {
  const { out } = await assize(['rank', '-p', profile, rows, '--format', 'json', '--candidates']);
  expect(JSON.parse(out)).toMatchObject({ profile: HOSTILE, selected: [{ id: HOSTILE, candidate: ROWS[0] }, {}] });
  const scored = await assize(['score', '-p', profile, rows, '--format', 'jsonl', '--candidates']);
  expect(JSON.parse(scored.out.split('\n')[0] ?? '')).toMatchObject({ id: HOSTILE, candidate: ROWS[0] });
});

test('the output of show loads as the same profile', async () => {
  const { out } = await assize(['show', profile]);
  expect((await createPipeline({ yaml: out })).name).toBe(HOSTILE);
});

test('the texts of the library are escaped too', async () => {
  const pipeline = await createPipeline<object>(profile);
  const ranking = await pipeline.rank(ROWS);
  const texts = [
    explanationText(ranking.explain('@0')),
    comparisonText(await ranking.compare('@0', '@1')),
    diffText(diffRankings(ranking, ranking)),
    ...(await createPipeline(join(folder, 'wrong.json')).then(
      () => ['it loads'],
      (error: Error) => [error.message],
    )),
  ];
  for (const text of texts) expect(text).not.toMatch(INVISIBLE);
});

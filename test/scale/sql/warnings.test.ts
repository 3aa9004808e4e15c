import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPipeline, type ProfileInput } from 'assize';
import { duckDbEngine, postgresEngine, rankWith, type SqlEngine, translate } from 'assize/sql';
import { closing } from './digest.js';
import { temporaryFolder } from '../../temporary-folder.js';

const folder = temporaryFolder('assize-warnings-');
const file = join(folder, 'films.jsonl');
let pglite: PGlite;
beforeAll(async () => {
  pglite = await PGlite.create();
});
afterAll(async () => {
  await pglite.close();
});

interface Film {
  readonly id: string | null;
  readonly rating: number | null;
  readonly share: number | null;
  readonly votes: number | null;
}

const film = (k: number, more: Partial<Film> = {}): Film => {
  return { id: `film ${k}`, rating: k % 10, share: (k % 7) / 10, votes: 100 + k, ...more };
};
const films: readonly Film[] = Array.from({ length: 40 }, (_, k) => film(k));

type Warnings = readonly string[];
const texts = (
  warnings: readonly { readonly code: string; readonly message: string; readonly hint?: string | undefined }[],
): Warnings => warnings.map(({ code, message, hint }) => [code, message, hint].join(' | '));

async function warningsBy(engine: SqlEngine, profile: ProfileInput): Promise<Warnings> {
  const ranking = await closing(engine, rankWith(profile, engine));
  expect(ranking.notices.filter((one) => !one.startsWith('the process evaluates '))).toEqual([]); // SQL has done its part
  return texts(ranking.warnings);
}

/** The warnings of each engine over the same rows. */
async function byEngines(profile: ProfileInput, rows: readonly Film[]): Promise<readonly Warnings[]> {
  writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  await pglite.exec(
    'DROP TABLE IF EXISTS films; CREATE TABLE films (pos int PRIMARY KEY, id text, rating float8, share float8, votes int)',
  );
  await pglite.query(
    `INSERT INTO films SELECT (j->>'pos')::int, j->>'id', (j->>'rating')::float8, (j->>'share')::float8, (j->>'votes')::int
     FROM jsonb_array_elements($1::jsonb) AS j`,
    [JSON.stringify(rows.map((row, pos) => ({ ...row, pos })))],
  );
  return [
    await warningsBy(await duckDbEngine([file], { threads: 1 }), profile),
    await warningsBy(await postgresEngine(pglite, { table: 'films', orderBy: 'pos' }), profile),
  ];
}

const rating = { id: 'rating', expr: 'candidate.rating / 10' };

/** The warnings of engines, compared with those of a stream in the process. */
const SAME: readonly (readonly [code: string, profile: ProfileInput, rows: readonly Film[]])[] = [
  ['ASZ711', { tier2_scorers: [rating], select: { top: 5 } }, films.map((one) => ({ ...one, id: 'the same' }))],
  [
    'ASZ712',
    {
      tier2_scorers: [{ id: 'typo', expr: 'candidate.raitng' }, rating],
      select: { top: 5 },
    },
    films,
  ],
  [
    'ASZ712',
    { tier1_scorers: [{ id: 'old', expr: 'candidate.year < 1950' }], tier2_scorers: [rating], select: { top: 5 } },
    films,
  ],
  [
    'ASZ721',
    { tier2_scorers: [{ ...rating, on_absent: 'refuse' }], select: { top: 5 } },
    films.map((one) => ({ ...one, rating: null })),
  ],
  [
    'ASZ722',
    {
      plugins: ['cupel'],
      tier2_scorers: [rating],
      select: { top: 5, pack: { class: 'GreedyPack', cost: 'candidate.share', budget: 3 } },
    },
    films.map((one) => ({ ...one, share: null })),
  ],
];

describe('the warnings of an engine are those of the process', () => {
  test.each(SAME)('%s', async (code, profile, rows) => {
    const inProcess = await (await createPipeline<object>(profile)).rankStream(rows);
    const expected = texts(inProcess.warnings);
    expect(expected.join('\n')).toContain(code);
    expect(await byEngines(profile, rows)).toEqual([expected, expected]);
  });
});

test('a field that only a low-ranked row has counts as present', async () => {
  const profile: ProfileInput = {
    tier2_scorers: [rating, { id: 'rare', expr: 'candidate.share', weight: 0.01 }],
    select: { top: 1 },
  };
  const rows = films.map((_, k) => film(k, { share: k === 1 ? 0.5 : null }));
  expect(await byEngines(profile, rows)).toEqual([[], []]);
});

test('a statement for another machine reports missing columns of its table', async () => {
  const profile: ProfileInput = {
    tier2_scorers: [{ id: 'typo', expr: 'candidate.raitng', weight: 0.1 }, rating],
    select: { top: 1 },
  };
  const { sql, finish } = await translate(profile, 'postgres', {
    table: 'films',
    orderBy: 'pos',
    columns: 'pos integer, id text, rating double precision, share double precision, votes integer',
  });
  const { rows } = await pglite.query<Readonly<Record<string, unknown>>>(sql);
  const { warnings } = await finish(rows);
  expect(texts(warnings)).toEqual(['ASZ712 | typo: no candidate has raitng | did you mean rating?']);
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPipeline, type ProfileInput, type TopRanking } from 'assize';
import { duckDbEngine, postgresEngine, rankWith, type SqlEngine } from 'assize/sql';
import { topOfRanking } from '../../../src/pipeline/top-ranking.js';
import { CONTEXT, profiles, type Row, rows, scaledProfiles, setProfiles } from './arbitraries.js';
import { promised } from './digest.js';
import { temporaryFolder } from '../../temporary-folder.js';

const folder = temporaryFolder('assize-prefilter-');
let pglite: PGlite;
beforeAll(async () => {
  pglite = await PGlite.create();
  await pglite.exec(
    'CREATE TABLE rows (id int PRIMARY KEY, a float8, n int8, s text, t text, b jsonb, f jsonb, m jsonb)',
  );
});
afterAll(async () => {
  await pglite.close();
});

const RUNS = process.env['FUZZ'] ? Number(process.env['FUZZ_COUNT'] ?? 10_000) : 300;

type Rank = (profile: ProfileInput, candidates: readonly object[]) => Promise<TopRanking<object>>;

const inProcess: Rank = async (profile, candidates) => {
  const pipeline = await createPipeline<object>(profile);
  return pipeline.rankStream(candidates, CONTEXT);
};

const asOneSet: Rank = async (profile, candidates) => {
  const pipeline = await createPipeline<object>(profile);
  return topOfRanking(await pipeline.rank(candidates, CONTEXT));
};

/** The profile with a `min_score` that is one of the scores, or close to one. */
async function withMinScore(
  profile: ProfileInput,
  candidates: readonly object[],
  choice: number,
  rank: Rank,
): Promise<ProfileInput> {
  if (choice === 0) return profile;
  const all = await rank({ ...profile, select: { top: 100 } }, candidates);
  const score = all.selected[choice % Math.max(1, all.selected.length)]?.score;
  if (score === undefined) return profile;
  const beside = choice % 3 === 0 ? score : score * (1 + (choice % 3 === 1 ? 2 ** -52 : -(2 ** -52)));
  return { ...profile, select: { ...profile.select, min_score: beside } };
}

let used = { sql: 0, process: 0, scaled: 0 };

/** The engine, and the number of its rankings with a separate statement for their extremes. */
function counted(engine: SqlEngine): SqlEngine {
  let statements = 0;
  return {
    ...engine,
    sieve: (sql, ...rest) => {
      const judges = sql.includes('assize_chosen'); // others request fields
      if (judges) statements += 1;
      if (judges && statements === 2) used.scaled += 1;
      return engine.sieve(sql, ...rest);
    },
  };
}

async function rankedBy(engine: SqlEngine, profile: ProfileInput): Promise<unknown> {
  try {
    const ranking = await rankWith(profile, counted(engine), CONTEXT);
    used[ranking.notices.some((notice) => notice.startsWith('the process scores every row')) ? 'process' : 'sql'] += 1;
    expect(ranking.notices.join('\n')).not.toMatch(/by the engine|extremes of the rows have changed/); // the engine reports the guarantee of SQL
    return promised(ranking);
  } finally {
    await engine.close();
  }
}

async function inPglite(all: readonly Row[]): Promise<void> {
  await pglite.query('DELETE FROM rows');
  const documents = all.map((row) => ({
    ...row,
    a: row.a === null ? null : Object.is(row.a, -0) ? '-0' : String(row.a),
    n: row.n === null ? null : BigInt(row.n).toString(),
  }));
  await pglite.query(
    `INSERT INTO rows SELECT (j->>'id')::int, (j->>'a')::float8, (j->>'n')::int8, j->>'s', j->>'t', j->'b', j->'f', j->'m'
     FROM jsonb_array_elements($1::jsonb) AS j`,
    [JSON.stringify(documents)],
  );
}

/** JSON has neither NaN nor infinities; and JSON.stringify drops the sign of a zero. */
const asJson = (all: readonly Row[]): readonly object[] => JSON.parse(JSON.stringify(all)) as object[];

test(`random profiles over random rows: DuckDB and PGlite equal one process, ${RUNS} times`, async () => {
  const file = join(folder, 'rows.jsonl');
  await fc.assert(
    fc.asyncProperty(profiles, rows, fc.nat({ max: 12 }), async (random, all, choice) => {
      const lines = asJson(all);
      const profile = await withMinScore(random, lines, choice, inProcess);
      writeFileSync(file, lines.map((row) => `${JSON.stringify(row)}\n`).join(''));
      expect(await rankedBy(await duckDbEngine([file], { threads: 1 }), profile)).toEqual(
        promised(await inProcess(profile, lines)),
      );
      await inPglite(all);
      const table = all.map((row, k) => ({ ...lines[k], a: row.a })); // a double holds values that JSON cannot
      const engine = await postgresEngine(pglite, { table: 'rows', orderBy: 'id' });
      expect(await rankedBy(engine, profile)).toEqual(promised(await inProcess(profile, table)));
    }),
    { numRuns: RUNS },
  );
  if (process.env['FUZZ']) console.log(used);
  // The property is about the prefilter, and not about rankings by the process alone.
  expect(used.sql).toBeGreaterThan(used.process);
}, 7_200_000);

/** Ranks random rows by random profiles that compare candidates, in both databases. */
async function rankTogether(random: fc.Arbitrary<ProfileInput>, runs: number): Promise<void> {
  used = { sql: 0, process: 0, scaled: 0 };
  const file = join(folder, 'rows.jsonl');
  await fc.assert(
    fc.asyncProperty(random, rows, fc.nat({ max: 12 }), async (chosen, all, choice) => {
      const profile = await withMinScore(chosen, asJson(all), choice, asOneSet);
      const lines = asJson(all);
      writeFileSync(file, lines.map((row) => `${JSON.stringify(row)}\n`).join(''));
      const duckdb = await duckDbEngine([file], { threads: 1 });
      expect(await rankedBy(duckdb, profile)).toEqual(promised(await asOneSet(profile, lines)));
      await inPglite(all);
      const table = all.map((row, k) => ({ ...lines[k], a: row.a }));
      const engine = await postgresEngine(pglite, { table: 'rows', orderBy: 'id' });
      expect(await rankedBy(engine, profile)).toEqual(promised(await asOneSet(profile, table)));
    }),
    { numRuns: runs },
  );
  if (process.env['FUZZ']) console.log(used);
}

test('random profiles that compare candidates: SQL refuses, the process ranks the rest as one set', async () => {
  await rankTogether(setProfiles, RUNS / 10);
  expect(used.sql).toBeGreaterThan(used.process / 2); // one in three has no veto that SQL knows
}, 7_200_000);

test('random profiles that scale over the batch: SQL scores by the extremes, the process re-scores rows near the top', async () => {
  await rankTogether(scaledProfiles, RUNS / 10);
  expect(used.scaled).toBeGreaterThan(used.sql / 3);
}, 7_200_000);

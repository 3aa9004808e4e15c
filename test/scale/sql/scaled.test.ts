import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPipeline, type ProfileInput } from 'assize';
import { duckDbEngine, postgresEngine, rankWith, type SqlEngine } from 'assize/sql';
import { topOfRanking } from '../../../src/pipeline/top-ranking.js';
import { closing, promised } from './digest.js';
import { temporaryFolder } from '../../temporary-folder.js';

const COUNT = 5000;
const folder = temporaryFolder('assize-scaled-');
const file = join(folder, 'films.jsonl');
let pglite: PGlite;
beforeAll(async () => {
  pglite = await PGlite.create();
});
afterAll(async () => {
  await pglite.close();
});

interface Film {
  readonly id: number;
  readonly votes: number | null;
  readonly rating: number;
}

/** All votes differ, and the most votes have the lowest rating. */
const films: readonly Film[] = Array.from({ length: COUNT }, (_, id) => {
  return { id, votes: 100 + ((id * 37) % COUNT), rating: 10 - ((id * 37) % COUNT) / 1000 };
});

async function write(rows: readonly Film[]): Promise<void> {
  writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  await pglite.exec('DROP TABLE IF EXISTS films; CREATE TABLE films (id int PRIMARY KEY, votes float8, rating float8)');
  await pglite.query(
    `INSERT INTO films SELECT (j->>'id')::int, (j->>'votes')::float8, (j->>'rating')::float8
     FROM jsonb_array_elements($1::jsonb) AS j`,
    [JSON.stringify(rows)],
  );
}

/** Ranks with an engine, and counts its rows. */
async function rankedBy(engine: SqlEngine, profile: ProfileInput) {
  let given = 0;
  const counting: SqlEngine = {
    ...engine,
    sieve: async (sql, ...rest) => {
      const rows = await engine.sieve(sql, ...rest);
      given += rows.filter(({ part }) => part === 'row').length;
      return rows;
    },
  };
  const ranking = await closing(engine, rankWith(profile, counting));
  expect(ranking.notices.filter((one) => !one.startsWith('the process evaluates '))).toEqual([]);
  return { given, ranking: promised(ranking) };
}

/** The largest number of rows of an engine; its ranking equals that of the process. */
async function rowsGiven(profile: ProfileInput, rows: readonly Film[]): Promise<number> {
  await write(rows);
  const pipeline = await createPipeline<object>(profile);
  const expected = promised(topOfRanking(await pipeline.rank(rows)));
  const here = await rankedBy(await duckDbEngine([file], { threads: 1 }), profile);
  const there = await rankedBy(await postgresEngine(pglite, { table: 'films', orderBy: 'id' }), profile);
  expect(here.ranking).toEqual(expected);
  expect(there.ranking).toEqual(expected);
  return Math.max(here.given, there.given);
}

const scaled = (expr: string, scale: object = { type: 'min_max' }) => ({
  id: 'scaled',
  class: 'ScaledScorer',
  params: { scorer: { expr }, scale },
});
const profileOf = (expr: string, scale?: object): ProfileInput => ({
  tier1_scorers: [{ id: 'few', expr: 'candidate.votes < 110' }],
  tier2_scorers: [
    { ...scaled(expr, scale), weight: 0.3 },
    { id: 'rating', expr: 'candidate.rating / 10', weight: 2 },
  ],
  select: { top: 5, min_score: 0.5 },
});

describe('with scales over the batch alone, few rows are transferred', () => {
  test.each([
    ['of exact numbers', profileOf('candidate.votes')],
    ['of numbers that SQL knows nearly', profileOf('ln(candidate.votes)')],
    ['with a least spread', profileOf('candidate.votes', { type: 'min_max', min_spread: 1e6 })],
    ['by the greatest alone', profileOf('candidate.votes', { type: 'max' })],
    ['of a number below 0 by the greatest', profileOf('-candidate.votes', { type: 'max' })],
    ['where all are equal', profileOf('candidate.votes * 0 + 1')],
    [
      'inside another scorer',
      {
        ...profileOf('candidate.votes'),
        tier2_scorers: [
          {
            id: 'both',
            class: 'CompositeScorer',
            params: { scorers: [scaled('candidate.votes'), { ...scaled('exp(candidate.rating)'), id: 'other' }] },
          },
        ],
      },
    ],
  ] as readonly (readonly [string, ProfileInput])[])('%s', async (_, profile) => {
    expect(await rowsGiven(profile, films)).toBeLessThan(40);
  });

  test('if no row has a number', async () => {
    const profile: ProfileInput = { ...profileOf('candidate.votes'), tier1_scorers: [] };
    expect(
      await rowsGiven(
        profile,
        films.map((film) => ({ ...film, votes: null })),
      ),
    ).toBeLessThan(40);
  });

  // Beyond 1e60 SQL guarantees nothing about a number, and the engine accepts it like any other.
  test.each([1e100, -1e100])('if only the process knows the extreme: %d', async (votes) => {
    const profile: ProfileInput = { ...profileOf('candidate.votes'), tier1_scorers: [] };
    expect(await rowsGiven(profile, films.with(777, { ...films[777]!, votes }))).toBeLessThan(40);
  });

  test('if each row fails, so that there is no extreme', async () => {
    const profile = {
      tier2_scorers: [
        { ...scaled('candidate.rating ? candidate.votes : candidate.rating'), on_error: 'skip' },
        { id: 'votes', expr: 'candidate.votes', on_absent: 'skip' },
      ],
      combine: { formula: 'votes' },
      select: { top: 1 },
    } as const;
    const rows = films.slice(0, 9).map((film) => ({ ...film, votes: null }));
    expect(await rowsGiven(profile, rows)).toBeGreaterThan(0);
  });

  test('if the call has other weights', async () => {
    await write(films);
    const [profile, weights] = [profileOf('candidate.votes'), { scaled: 3, rating: 0.1 }];
    const pipeline = await createPipeline<object>(profile);
    const engine = await duckDbEngine([file], { threads: 1 });
    const ranking = await closing(engine, rankWith(profile, engine, {}, { weights, top: 3, offset: 2 }));
    expect(promised(ranking)).toEqual(
      promised(topOfRanking(await pipeline.rank(films, {}, { weights, top: 3, offset: 2 }))),
    );
  });
});

describe('all kept rows are transferred', () => {
  test('if too many rows may be the extreme', async () => {
    const rows = films.map((film) => ({ ...film, votes: 1000 }));
    expect(await rowsGiven(profileOf('ln(candidate.votes)'), rows)).toBeGreaterThan(COUNT);
    expect(await rowsGiven(profileOf('candidate.votes'), rows)).toBeLessThan(40);
  });

  test.each([{ type: 'rank' }, { type: 'z_score' }])('for a scale that needs all scores: %j', async (scale) => {
    expect(await rowsGiven(profileOf('candidate.votes', scale), films)).toBeGreaterThan(COUNT / 2);
  });

  test('for a scale of scaled values', async () => {
    const inner = { ...scaled('candidate.votes'), id: 'inner' };
    const outer = { id: 'outer', class: 'ScaledScorer', params: { scorer: inner } };
    expect(await rowsGiven({ ...profileOf('0'), tier2_scorers: [outer] }, films)).toBeGreaterThan(COUNT / 2);
  });
});

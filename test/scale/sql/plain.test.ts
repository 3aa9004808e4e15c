import { PGlite } from '@electric-sql/pglite';
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPipeline, type ProfileInput } from 'assize';
import { translatePlain } from 'assize/sql';

const NOW = Date.parse('2020-06-01');

interface Row {
  readonly id: number;
  readonly shop: string | null;
  readonly rating: number | null;
  readonly votes: number | null;
  readonly kind: string | null;
  readonly added: string | null;
  readonly sold: boolean | null;
}

const orNull = <V>(value: fc.Arbitrary<V>): fc.Arbitrary<V | null> => fc.option(value, { nil: null, freq: 5 });

const row = fc.record({
  shop: orNull(fc.constantFrom('a', 'é', "it's", '😀', 'back\\slash')),
  rating: orNull(
    fc.oneof(
      fc.constantFrom(0, 5, 10),
      fc.integer({ min: 0, max: 100 }).map((value) => value / 10),
    ),
  ),
  votes: orNull(fc.integer({ min: 0, max: 5000 })),
  kind: orNull(fc.constantFrom('book', 'film', "l'œuvre")),
  added: orNull(fc.constantFrom('2020-05-31', '2019-01-01T12:00:00Z', '1990-02-28')),
  sold: orNull(fc.boolean()),
});

const tables: fc.Arbitrary<readonly Row[]> = fc
  .array(row, { minLength: 1, maxLength: 30 })
  .map((all) => all.map((one, id) => ({ id, ...one })));

const plainRating = { id: 'rating', expr: 'candidate.rating / 10' };
const rating = { id: 'rating', expr: 'candidate.rating / 10', weight: 3 };
const votes = { id: 'votes', expr: 'clamp(ln(candidate.votes) / ln(5000.0), 0, 1)' };
const fresh = {
  id: 'fresh',
  class: 'DecayScorer',
  params: { field: 'added', curve: { type: 'exponential', half_life: '90d' } },
};

const scaled = (id: string, scale: object) => ({
  id,
  class: 'ScaledScorer',
  params: { scorer: { expr: 'candidate.rating' }, scale },
  on_absent: 0,
});

/** Profiles that together use everything that a plain statement can say. */
const PROFILES: readonly ProfileInput[] = [
  {
    name: 'weighted mean of present scores',
    tier1_scorers: [
      { id: 'sold', expr: 'candidate.sold' },
      { id: 'few', class: 'ThresholdVeto', params: { value: 'votes', min: 10 }, on_absent: 'refuse' },
    ],
    tier2_scorers: [rating, votes, { ...fresh, on_absent: 0.25 }],
    select: { top: 3 },
  },
  {
    name: 'sum, rules and a least score',
    tier2_scorers: [
      { ...rating, on_absent: 'refuse' },
      { ...votes, weight: -0.5, on_absent: 0 },
    ],
    combine: 'weighted_sum',
    adjustments: [
      { id: 'kinds', multiply: { table: { book: 0.5, "l'œuvre": 2 }, by: ['candidate.kind'], missing: 1 } },
      { id: 'sold', when: 'candidate.sold', add: -0.3, min: 0.05 },
      { id: 'never', when: 'candidate.rating == 0.0', refuse: true },
    ],
    select: { min_score: 0.2 },
  },
  {
    name: 'scaled by the extremes of the group',
    tier1_scorers: [{ id: 'sold', expr: 'candidate.sold' }],
    tier2_scorers: [
      { id: 'votes', class: 'ScaledScorer', params: { scorer: { expr: 'candidate.votes' } }, on_absent: 0 },
      { id: 'rating', class: 'ScaledScorer', params: { scorer: { expr: 'candidate.rating' }, scale: { type: 'max' } } },
    ],
    select: { top: 4, ties: ['-candidate.votes'] },
  },
  {
    name: 'formula over measures, limited per kind',
    measures: [{ id: 'half', expr: 'candidate.rating / 2' }],
    tier2_scorers: [
      { id: 'rating', expr: 'measures.half / 5' },
      { ...votes, on_absent: 0 },
    ],
    adjustments: [{ id: 'both', when: 'scores.rating > scores.votes', multiply: 0.75 }],
    combine: { formula: 'rating * 0.5 + pow(votes, 1.5)' },
    select: { per: { by: 'candidate.kind', top: 1 }, top: 3 },
  },
  {
    name: 'scaled by mean, length and rank of the group',
    tier1_scorers: [{ id: 'sold', expr: 'candidate.sold' }],
    tier2_scorers: [
      scaled('mean', { type: 'z_score' }),
      scaled('sample', { type: 'z_score', deviation: 'sample', floor: 0.1, equal: 0.25 }),
      scaled('length', { type: 'l2', floor: 0.1 }),
      scaled('place', { type: 'rank' }),
    ],
    combine: 'weighted_sum',
    select: {},
  },
  {
    name: 'product',
    tier2_scorers: [{ ...plainRating, on_absent: 'refuse' }, { ...votes, on_absent: 0.1 }, fresh],
    combine: 'product',
    select: { top: 5 },
  },
  {
    name: 'weights by kind',
    tier2_scorers: [rating, votes],
    weights: { by: 'candidate.kind', cases: { book: { rating: 1, votes: 3 }, film: { rating: 5, votes: 1 } } },
    select: { top: 5 },
  },
];

let duckdb: DuckDBConnection;
let pglite: PGlite;
beforeAll(async () => {
  duckdb = await (await DuckDBInstance.create(':memory:')).connect();
  pglite = await PGlite.create();
  await duckdb.run(
    'CREATE TABLE items (id BIGINT, shop VARCHAR, rating DOUBLE, votes BIGINT, kind VARCHAR, added VARCHAR, sold BOOLEAN)',
  );
  await pglite.exec(
    'CREATE TABLE items (id bigint, shop text, rating double precision, votes bigint, kind text, added text, sold boolean)',
  );
});
afterAll(async () => {
  duckdb.closeSync();
  await pglite.close();
});

const COLUMNS = {
  duckdb: 'id BIGINT, shop VARCHAR, rating DOUBLE, votes BIGINT, kind VARCHAR, added VARCHAR, sold BOOLEAN',
  postgres: 'id bigint, shop text, rating double precision, votes bigint, kind text, added text, sold boolean',
};

async function fill(rows: readonly Row[]): Promise<void> {
  const json = JSON.stringify(rows);
  await duckdb.run('DELETE FROM items');
  await duckdb.run(
    `INSERT INTO items SELECT unnest(from_json('${json.replaceAll("'", "''")}', '[{"id":"BIGINT","shop":"VARCHAR","rating":"DOUBLE","votes":"BIGINT","kind":"VARCHAR","added":"VARCHAR","sold":"BOOLEAN"}]'), recursive := true)`,
  );
  await pglite.query('DELETE FROM items');
  await pglite.query(
    `INSERT INTO items SELECT * FROM jsonb_to_recordset($1::jsonb) AS r(id bigint, shop text, rating double precision, votes bigint, kind text, added text, sold boolean)`,
    [json],
  );
}

interface Found {
  readonly shop: string | null;
  readonly id: string;
  readonly rank: number;
  readonly score: number;
}

const toFound = (one: Readonly<Record<string, unknown>>): Found => ({
  shop: one['shop'] as string | null,
  id: String(one['id']),
  rank: Number(one['rank']),
  score: Number(one['score']),
});

const run = {
  duckdb: async (sql: string) => (await duckdb.runAndReadAll(sql)).getRowObjects().map(toFound),
  postgres: async (sql: string) => (await pglite.query<Record<string, unknown>>(sql)).rows.map(toFound),
};

/** The engine's ranking of each group. */
async function expected(profile: ProfileInput, rows: readonly Row[]): Promise<readonly Found[]> {
  const pipeline = await createPipeline<Row>(profile);
  const groups = [...new Set(rows.map(({ shop }) => shop))];
  const all = await Promise.all(
    groups.map(async (shop) => {
      const own = rows.filter((one) => one.shop === shop);
      const { selected } = await pipeline.rank(own, { now: NOW });
      return selected.map(({ id, rank, score }): Found => ({ shop, id, rank: rank!, score: score! }));
    }),
  );
  return all.flat();
}

const key = ({ shop, rank }: Found): string => `${shop} ${rank}`;

/** Compares two tables: scores to 12 digits, and the ids of rows whose score no other row comes near. */
function expectSame(found: readonly Found[], engine: readonly Found[]): void {
  expect(found.map(key).toSorted()).toEqual(engine.map(key).toSorted());
  const byKey = new Map(found.map((one) => [key(one), one]));
  for (const one of engine) {
    const other = byKey.get(key(one))!;
    expect(Math.abs(other.score - one.score)).toBeLessThanOrEqual(1e-12 * Math.max(1, Math.abs(one.score)));
    const isClose = engine.some((x) => x !== one && x.shop === one.shop && Math.abs(x.score - one.score) < 1e-9);
    if (!isClose) expect(other.id).toBe(one.id);
  }
}

describe.each(['duckdb', 'postgres'] as const)(
  'a plain statement in %s ranks each group as the engine does',
  (name) => {
    test.each(PROFILES.map((profile) => [profile.name, profile] as const))('%s', async (_, profile) => {
      expect.hasAssertions();
      const sql = await translatePlain(profile, name, {
        table: 'items',
        orderBy: 'id',
        columns: COLUMNS[name],
        partitionBy: 'shop',
        context: { now: NOW },
      });
      await fc.assert(
        fc.asyncProperty(tables, async (rows) => {
          await fill(rows);
          expectSame(await run[name](sql), await expected(profile, rows));
        }),
        { numRuns: 40 },
      );
    });
  },
);

test('an exact statement gives the engine’s scores, to the bit', async () => {
  const profile: ProfileInput = {
    name: 'exact',
    tier1_scorers: [{ id: 'sold', expr: 'candidate.sold' }],
    tier2_scorers: [rating, { id: 'votes', expr: 'min(candidate.votes, 1000) / 1000' }],
    adjustments: [{ id: 'books', when: 'candidate.kind == "book"', multiply: 1.1 }],
    select: { top: 5 },
  };
  const options = { table: 'items', orderBy: 'id', columns: COLUMNS.duckdb, partitionBy: 'shop', exact: true };
  const sql = await translatePlain(profile, 'duckdb', options);
  await fc.assert(
    fc.asyncProperty(tables, async (rows) => {
      await fill(rows);
      const order = (all: readonly Found[]) => all.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
      expect(order(await run.duckdb(sql))).toEqual(order(await expected(profile, rows)));
    }),
    { numRuns: 60 },
  );
});

describe('a profile without a plain statement is refused with the reason', () => {
  const refusals: readonly (readonly [why: string, profile: ProfileInput, message: RegExp])[] = [
    ['a seed', { tier2_scorers: [rating], select: { seed: 1 } }, /a seed gives a random number/],
    [
      'a list',
      { tier2_scorers: [{ id: 'any', expr: 'candidate.tags.exists(t, t == "x") ? 1 : 0' }] },
      /scorer any: a macro/,
    ],
    [
      'diversity',
      {
        tier2_scorers: [rating],
        select: { top: 2, diversify: { class: 'MmrSelector', params: { key: 'kind' } } },
      },
      /select\.diversify/,
    ],
  ];
  test.each(refusals)('%s', async (_, profile, message) => {
    const options = { table: 'items', orderBy: 'id', columns: COLUMNS.duckdb };
    await expect(translatePlain({ name: 'p', ...profile }, 'duckdb', options)).rejects.toThrow(message);
  });

  test('exact scores that a database does not compute', async () => {
    const options = { table: 'items', orderBy: 'id', columns: COLUMNS.duckdb, exact: true };
    await expect(translatePlain(PROFILES[0]!, 'duckdb', options)).rejects.toThrow(/ln differs between databases/);
  });

  test('an unknown column to partition by', async () => {
    const options = { table: 'items', orderBy: 'id', columns: COLUMNS.duckdb, partitionBy: 'city' };
    await expect(translatePlain(PROFILES[0]!, 'duckdb', options)).rejects.toThrow(/the table has no column city/);
  });
});

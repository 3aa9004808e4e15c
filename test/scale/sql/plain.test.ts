import { PGlite } from '@electric-sql/pglite';
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProfileInput } from 'assize';
import { translatePlain } from 'assize/sql';
import { expected, expectSame, type Found, key, NOW, PROFILES, rating, type Row, tables } from './plain-cases.js';

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

const EMPTY_ROW: Row = { id: 0, shop: null, rating: null, votes: null, kind: null, added: null, sold: null };

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

test('leaves out rows whose score is not finite, and scales the others without them', async () => {
  expect.hasAssertions();
  const profile: ProfileInput = {
    name: 'nan',
    tier2_scorers: [
      { id: 'rating', expr: 'candidate.rating / 10' },
      { id: 'most', class: 'ScaledScorer', params: { scorer: { expr: 'candidate.rating' } } },
    ],
  };
  const rows = [1, 4, 9].map((value, id): Row => ({ ...EMPTY_ROW, id, rating: value }));
  for (const name of ['duckdb', 'postgres'] as const) {
    const options = { table: 'items', orderBy: 'id', columns: COLUMNS[name], partitionBy: 'shop' };
    const sql = await translatePlain(profile, name, options);
    await fill([...rows, { ...EMPTY_ROW, id: 3, rating: 5 }]);
    const notANumber = "UPDATE items SET rating = 'NaN' WHERE id = 3";
    await (name === 'duckdb' ? duckdb.run(notANumber) : pglite.query(notANumber));
    expectSame(await run[name](sql), await expected(profile, rows));
  }
});

test('names columns that are missing, or have another type than their reader needs', async () => {
  const profile: ProfileInput = {
    name: 'unread',
    tier2_scorers: [
      { id: 'old', expr: 'candidate.age / 10' },
      { id: 'kind', expr: 'candidate.kind / 10' },
    ],
  };
  const options = { table: 'items', orderBy: 'id', columns: COLUMNS.duckdb };
  const sql = await translatePlain(profile, 'duckdb', options);
  expect(sql.split('\n').slice(0, 2)).toEqual([
    '-- Note: the table has no column "age": it has no value.',
    '-- Note: kind is VARCHAR, and is read as a number: it has no value.',
  ]);
  await expect(run.duckdb(sql)).resolves.toEqual([]);
  await expect(translatePlain(profile, 'duckdb', { ...options, exact: true })).rejects.toThrow(/kind is VARCHAR/);
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
    await expect(translatePlain(PROFILES[0]!, 'duckdb', options)).rejects.toThrow(
      /the plain statement is not exact: ln differs between databases[^]*without --exact/,
    );
  });

  test('an exact statement whose ties a database computes differently', async () => {
    const profile: ProfileInput = { name: 'ties', tier2_scorers: [rating], select: { ties: ['exp(candidate.votes)'] } };
    const options = { table: 'items', orderBy: 'id', columns: COLUMNS.duckdb, exact: true };
    await expect(translatePlain(profile, 'duckdb', options)).rejects.toThrow(/exp differs between databases/);
  });

  test('an unknown column to partition by', async () => {
    const options = { table: 'items', orderBy: 'id', columns: COLUMNS.duckdb, partitionBy: 'city' };
    await expect(translatePlain(PROFILES[0]!, 'duckdb', options)).rejects.toThrow(/the table has no column city/);
  });
});

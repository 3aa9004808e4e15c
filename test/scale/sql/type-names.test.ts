import { expect, test } from 'vitest';
import { translatePlain } from 'assize/sql';
import { typeName } from '../../../src/scale/sql/type-names.js';

test.each([
  ['float8', 'DOUBLE', 'double precision', 'double'],
  ['INT4', 'INTEGER', 'integer', 'int'],
  ['varchar(3)', 'VARCHAR', 'text', 'string'],
  ['character varying', 'VARCHAR', 'text', 'string'],
  ['bool', 'BOOLEAN', 'boolean', 'boolean'],
  ['timestamptz', 'TIMESTAMP WITH TIME ZONE', 'timestamp with time zone', 'timestamp'],
  ['decimal(10, 2)', 'DECIMAL(10,2)', 'numeric(10, 2)', 'decimal(10, 2)'],
  ["ENUM('A')", "ENUM('A')", "ENUM('A')", "ENUM('A')"],
])('%s is %s in DuckDB, %s in PostgreSQL and %s in Spark', (type, duckdb, postgres, spark) => {
  expect(['duckdb', 'postgres', 'spark'].map((name) => typeName(name, type))).toEqual([duckdb, postgres, spark]);
});

test('a schema with such names has a statement', async () => {
  const profile = {
    tier2_scorers: [
      { id: 'rating', expr: 'candidate.rating / 10' },
      { id: 'kind', expr: 'candidate.kind == "a" ? 1.0 : 0.0' },
    ],
  };
  const columns = 'id int8, rating float8, kind varchar(3)';
  // oxlint-disable-next-line no-await-in-loop -- one after another
  for (const dialect of ['duckdb', 'postgres', 'spark'] as const)
    expect(await translatePlain(profile, dialect, { table: 'films', orderBy: 'id', columns })).toContain('ranked AS');
});

test('a statement that depends on the time says which time it contains', async () => {
  const options = { table: 'films', orderBy: 'id', columns: 'id int8, made timestamp', context: { now: '2026-11-27' } };
  const note = '-- The time is 2026-11-27T00:00:00.000Z, that of the translation: translate again for another time.';
  const fresh = { id: 'fresh', expr: 'candidate.made > now - duration("24h") ? 1.0 : 0.0' };
  const decay = {
    id: 'fresh',
    class: 'DecayScorer',
    params: { field: 'made', curve: { type: 'linear', scale: '9d' } },
  };
  // oxlint-disable-next-line no-await-in-loop -- one after another
  for (const scorer of [fresh, decay])
    expect((await translatePlain({ tier2_scorers: [scorer] }, 'duckdb', options)).split('\n')[0]).toBe(note);
  const timeless = await translatePlain(
    { tier2_scorers: [{ id: 'id', expr: 'candidate.id / 10' }] },
    'duckdb',
    options,
  );
  expect(timeless).not.toContain('--');
});

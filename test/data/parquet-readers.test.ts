import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SchemaElement } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { beforeAll, expect, test } from 'vitest';
import type { DuckDBConnection } from '@duckdb/node-api';
import { createPipeline, type ProfileInput } from 'assize';
import { rowsOf } from '../../src/data/index.js';
import { DuckFile } from '../../src/data/table/duck-file.js';
import { openParquet } from '../../src/data/table/read-parquet.js';
import { openFile } from '../../src/data/table/table.js';
import { messageOf } from '../properties/ranked.js';
import { temporaryFolder } from '../temporary-folder.js';

// An optional package never changes a result: both readers of Parquet have the same values, for every type.

const folder = temporaryFolder('assize-readers-');

const at = (name: string): string => join(folder, name);

const READERS = { duckDb: 0, hyparquet: Infinity } as const;

type Reader = keyof typeof READERS;

/** Everything that a reader returns of a file: its rows in batches, its rows by position, and their ranking. */
async function readWith(reader: Reader, file: string, profile?: ProfileInput) {
  const bytes = await openFile(file);
  const table = await openParquet(bytes, file, 1, READERS[reader]);
  try {
    const rows: object[] = [];
    const scores: (readonly [id: string, score: unknown])[] = [];
    const pipeline = profile && (await createPipeline<object>(profile));
    for await (const columns of table.batches()) {
      for (let row = 0; row < columns.length; row++) rows.push(columns.row(row));
      const ranking = await pipeline?.rank(rowsOf(columns), { now: '2026-01-01' });
      for (const { id, score } of ranking?.ranked ?? []) scores.push([id, score]);
      for (const { id, reason } of ranking?.refused ?? []) scores.push([id, reason]);
    }
    const byPosition = await table.rows(rows.map((_, position) => position).filter(isShown));
    return { rows, byPosition, scores: scores.toSorted(([a], [b]) => Number(a) - Number(b)) };
  } finally {
    table.close?.();
    await bytes.close();
  }
}

const isShown = (position: number): boolean => (position < 50 ? position % 3 !== 1 : position % 997 === 0);

async function expectEqual(file: string, profile?: ProfileInput): Promise<readonly object[]> {
  const [byDuck, byHyparquet] = [await readWith('duckDb', file, profile), await readWith('hyparquet', file, profile)];
  expect(byDuck.rows).toEqual(byHyparquet.rows);
  expect(byDuck.byPosition).toEqual(byHyparquet.byPosition);
  expect(byDuck.byPosition).toEqual(byDuck.rows.filter((_, position) => isShown(position)));
  expect(byDuck.scores).toEqual(byHyparquet.scores);
  return byDuck.rows;
}

/** By type: values as SQL. Each file also has NULL. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  TINYINT: ['-128', '127', '0'],
  SMALLINT: ['-32768', '32767'],
  INTEGER: ['-2147483648', '2147483647', '-1'],
  BIGINT: ['-9223372036854775808', '9223372036854775807', '9007199254740993', '-9007199254740993', '1'],
  UTINYINT: ['255', '0'],
  USMALLINT: ['65535'],
  UINTEGER: ['4294967295', '2147483648'],
  UBIGINT: ['18446744073709551615', '9223372036854775808', '9007199254740993'],
  HUGEINT: ['170141183460469231731687303715884105727', '-5'],
  FLOAT: ["'NaN'", "'Infinity'", "'-Infinity'", '-0.0', '0.1', '1e-45', '3.4028235e38'],
  DOUBLE: ["'NaN'", "'Infinity'", "'-Infinity'", '-0.0', '0.1', '5e-324', '1.7976931348623157e308'],
  'DECIMAL(4, 2)': ['99.99', '-99.99', '0.07', '1.15', '-0.35'],
  'DECIMAL(9, 3)': ['999999.999', '-0.001', '123456.789'],
  'DECIMAL(15, 6)': ['999999999.999999', '-123456789.123457', '0.000001'],
  'DECIMAL(18, 4)': ['99999999999999.9999', '-12345678901234.5678'],
  'DECIMAL(38, 10)': ['1234567890123456789012345678.0123456789', '-0.0000000001'],
  BOOLEAN: ['true', 'false'],
  VARCHAR: [
    "''",
    "'a'",
    "'exactly 12 b'",
    "'more than twelve bytes, so DuckDB has a pointer'",
    "'ä 🦊'",
    "chr(65279) || 'BOM'",
    "'nul' || chr(0) || 'inside'",
    "'it''s \"quoted\"'",
    'chr(65533)',
  ],
  "ENUM('x', 'y')": ["'x'", "'y'"],
  DATE: [
    "'1970-01-01'",
    "'1969-12-31'",
    "'0001-01-01'",
    "'4000-01-01 (BC)'",
    "'infinity'",
    "'-infinity'",
    "'275000-01-01'",
  ],
  TIME: ["'00:00:00'", "'23:59:59.999999'", "'12:34:56.7'"],
  TIMETZ: ["'12:34:56+02'"],
  TIMESTAMP: [
    "'1970-01-01 00:00:00.000001'",
    "'1969-12-31 23:59:59.999999'",
    "'9999-12-31 23:59:59.999999'",
    "'0044-03-15 (BC) 12:00:00'",
    "'infinity'",
    "'-infinity'",
    "'290000-01-01'",
  ],
  TIMESTAMPTZ: ["'2026-01-31 12:00:00.123456+00'", "'1900-01-01 00:00:00+00'", "'infinity'", "'-infinity'"],
  TIMESTAMP_S: ["'1969-12-31 23:59:59'", "'2026-01-31 12:00:00'", "'9999-12-31'"],
  TIMESTAMP_MS: ["'1969-12-31 23:59:59.999'", "'2026-01-31 12:00:00.001'", "'infinity'"],
  TIMESTAMP_NS: ["'1969-12-31 23:59:59.999999999'", "'2026-01-31 12:00:00.000000001'", "'1700-01-01'", "'infinity'"],
  INTERVAL: ["'1 month 2 days 3.5 seconds'", "'40 days'"],
  'INTEGER[]': ['[]', '[1, NULL, 3]'],
  'VARCHAR[][]': ["[['a'], []]", '[NULL]'],
  'INTEGER[3]': ['[1, 2, 3]'],
  'STRUCT(a DATE, b BIGINT[], c VARCHAR)': ["{'a': DATE '2026-01-31', 'b': [1, NULL], 'c': NULL}"],
  'MAP(VARCHAR, DECIMAL(9, 2))': ["MAP {'k': 1.15, 'l': NULL}", 'MAP {}'],
  UUID: ["'00000000-0000-0000-0000-000000000001'", "'ffffffff-ffff-ffff-ffff-ffffffffffff'"],
  BLOB: ["'bytes'", String.raw`'\xFF\x00'`, "''"],
  JSON: [`'{"k": [1, null]}'`, "'3'", "'null'"],
  BIT: ["'10101'"],
};

let duckDb: DuckDBConnection;

beforeAll(async () => {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  duckDb = await (await DuckDBInstance.create(':memory:')).connect();
  await duckDb.run("SET TimeZone = 'UTC'");
});

const DATES = /^(?:DATE|TIMESTAMP)/;

/** A profile that reads a column by several kinds of expression. If one fails on a value, both readers must fail. */
const readingOf = (type: string): ProfileInput => ({
  candidate: { id: 'position' },
  tier2_scorers: [
    '1.0 * candidate.v',
    'has(candidate.v) ? 1 : 2',
    ...(DATES.test(type)
      ? ['candidate.v < timestamp("2000-01-01") ? 1 : 2']
      : ['candidate.v == true ? 1 : 2', 'size(candidate.v)', 'candidate.v == "a" ? 1 : 2']),
  ].map((expr, k) => ({ id: `s${k}`, expr, on_error: 'skip', on_absent: 'skip' })),
});

test.each(Object.entries(VALUES))('%s has the same values and ranks alike with both readers', async (type, values) => {
  const list = [...values, 'NULL'].map((value) => `(CAST(${value} AS ${type}))`).join(', ');
  const rows = `SELECT row_number() OVER () AS position, v FROM range(3), (VALUES ${list}) t(v)`;
  const [nullable, full] = [at('nullable.parquet'), at('full.parquet')];
  await duckDb.run(`COPY (${rows}) TO '${nullable}' (FORMAT parquet)`);
  await duckDb.run(`COPY (${rows} WHERE v IS NOT NULL) TO '${full}' (FORMAT parquet)`);
  expect((await expectEqual(nullable, readingOf(type))).length).toBe(3 * values.length + 3);
  expect((await expectEqual(full, readingOf(type))).length).toBe(3 * values.length);
});

test('a column without values', async () => {
  await duckDb.run(
    `COPY (SELECT NULL::INTEGER AS a, NULL::VARCHAR AS b, NULL::TIMESTAMP AS c, NULL::BOOLEAN AS d FROM range(5)) TO '${at('none.parquet')}' (FORMAT parquet)`,
  );
  expect(await expectEqual(at('none.parquet'))).toEqual([{}, {}, {}, {}, {}]);
});

/** Writes one column and its number in the file. `element` is its schema; JavaScript's own types need none. */
function writeColumn(name: string, data: unknown[], element: Omit<SchemaElement, 'name'>): string {
  const columnData = [
    { name: 'position', data: data.map((_, position) => position) },
    { name: 'v', data },
  ];
  const schema: SchemaElement[] = [
    { name: 'root', num_children: 2 },
    { name: 'position', type: 'INT32', repetition_type: 'REQUIRED' },
    { name: 'v', ...element },
  ];
  writeFileSync(at(name), new Uint8Array(parquetWriteBuffer({ columnData, schema })));
  return at(name);
}

const bytes = (...list: number[]): Uint8Array => Uint8Array.from(list);

test.each<[string, unknown[], Omit<SchemaElement, 'name'>]>([
  [
    'text that is not UTF-8',
    [bytes(0x61), bytes(0xff, 0x62), bytes(0xed, 0xa0, 0x80)],
    { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  ],
  [
    'an enum',
    [bytes(0x61), bytes(0x62), null],
    { type: 'BYTE_ARRAY', converted_type: 'ENUM', repetition_type: 'OPTIONAL' },
  ],
  ['bytes', [bytes(0x61), bytes(0xff)], { type: 'BYTE_ARRAY' }],
  [
    'milliseconds that no date has',
    [0n, 2n ** 62n, -(2n ** 63n), 8_640_000_000_000_001n, -1n],
    { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' } },
  ],
  [
    'microseconds',
    [0n, 2n ** 62n, -(2n ** 63n), 1n, -1n, 2n ** 63n - 1n],
    { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'MICROS' } },
  ],
  [
    'nanoseconds',
    [0n, 2n ** 62n, -(2n ** 63n), 1n, -1n],
    { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'NANOS' } },
  ],
  ['days', [0, 2 ** 31 - 1, -(2 ** 31), 100_000_001, -1], { type: 'INT32', converted_type: 'DATE' }],
  ['8 bits', [-128, 127, 0], { type: 'INT32', converted_type: 'INT_8' }],
  ['8 unsigned bits', [255, 0], { type: 'INT32', converted_type: 'UINT_8' }],
  ['32 unsigned bits', [2 ** 31, 0, 1], { type: 'INT32', converted_type: 'UINT_32' }],
  [
    'decimals in 32 bits',
    [1n, -123_456_789n, 7n],
    { type: 'INT32', converted_type: 'DECIMAL', precision: 9, scale: 5 },
  ],
  [
    'decimals in 64 bits',
    [10n ** 15n - 1n, 7n, -1n],
    { type: 'INT64', converted_type: 'DECIMAL', precision: 15, scale: 15 },
  ],
])('%s, written by another program', async (_, data, element) => {
  const optional = writeColumn('optional.parquet', [...data, null], { repetition_type: 'OPTIONAL', ...element });
  expect((await expectEqual(optional)).length).toBe(data.length + 1);
  if (data.includes(null)) return;
  await expectEqual(writeColumn('required.parquet', data, { repetition_type: 'REQUIRED', ...element }));
});

test('an enum is text', async () => {
  const element: Omit<SchemaElement, 'name'> = {
    type: 'BYTE_ARRAY',
    converted_type: 'ENUM',
    repetition_type: 'REQUIRED',
  };
  const rows = await expectEqual(writeColumn('enum.parquet', [bytes(0x61), bytes(0x62)], element));
  expect(rows).toEqual([
    { position: 0, v: 'a' },
    { position: 1, v: 'b' },
  ]);
});

test.each([
  [4, 1],
  [9, 9],
  [15, 2],
  [15, 14],
])('random decimals of %i digits, %i of them after the point', async (precision, scale) => {
  const values = `SELECT (random() * 2 - 1) * ${10 ** (precision - scale)}::DOUBLE * 0.999 AS v FROM range(3000)`;
  const select = `SELECT v::DECIMAL(${precision}, ${scale}) AS v FROM (${values})`;
  await duckDb.run(`COPY (${select}) TO '${at('decimals.parquet')}' (FORMAT parquet)`);
  expect((await expectEqual(at('decimals.parquet'))).length).toBe(3000);
});

test('row groups of any size, nulls in some batches, and columns that only one of the readers can read', async () => {
  const rows = `SELECT i::INTEGER AS position, i / 7 AS number, CASE WHEN i < 3000 OR i % 3 = 0 THEN i % 5 = 0 END AS boolean,
    CASE WHEN i % 4000 > 1000 THEN 'text ' || (i % 300) END AS code, 'unique text ' || i AS text, [i, NULL] AS list,
    TIMESTAMP '2026-01-01' - to_seconds(i * 977) AS time, CASE WHEN i > 5000 THEN i END AS late FROM range(12000) t(i)`;
  await duckDb.run(`COPY (${rows}) TO '${at('groups.parquet')}' (FORMAT parquet, ROW_GROUP_SIZE 2500)`);
  const read = await expectEqual(at('groups.parquet'), {
    candidate: { id: 'position' },
    tier1_scorers: [{ id: 'veto', expr: 'candidate.boolean', on_absent: 'pass' }],
    tier2_scorers: [
      { id: 'number', expr: 'candidate.number / 2000', on_absent: 'skip' },
      { id: 'code', expr: 'candidate.code == "text 7" ? 1.0 : size(candidate.code) / 100', on_absent: 0.3 },
      { id: 'text', expr: 'size(candidate.text) / 20 + candidate.list[0] / 1e5' },
      { id: 'late', expr: 'candidate.late / 12000', on_absent: 0 },
    ],
  });
  expect(read.length).toBe(12_000);
});

test('a text column is read as codes only if it has few values', async () => {
  const file = at('codes.parquet');
  const rows = `SELECT 'v' || (i % 255) AS a, 'v' || (i % 256) AS b, 'v' || (i % 60000) AS c, 'v' || (i % 70000) AS d FROM range(140000) t(i)`;
  await duckDb.run(`COPY (${rows}) TO '${file}' (FORMAT parquet)`);
  const duck = (await DuckFile.open(file, 1))!;
  const columns = await duck.readable(['a', 'b', 'c', 'd'].map((name) => ({ name, kind: 'code' })));
  expect(columns.map(({ kind }) => kind)).toEqual(['code', 'code', 'code', 'text']);
  let i = 0;
  for await (const batch of duck.batches(columns)) {
    for (let row = 0; row < batch.length; row += 97) {
      const k = i + row;
      expect(batch.row(row)).toEqual({ a: `v${k % 255}`, b: `v${k % 256}`, c: `v${k % 60_000}`, d: `v${k % 70_000}` });
    }
    i += batch.length;
  }
  expect(i).toBe(140_000);
  duck.close();
});

test('DuckDB itself reads numbers, booleans, dates and texts', async () => {
  const file = at('kinds.parquet');
  const select = `SELECT 3::BIGINT AS number, true AS boolean, DATE '2026-01-31' AS day, TIMESTAMPTZ '2026-01-31 12:00:00+00' AS zoned,
    TIMESTAMP_NS '2026-01-31 12:00:00.000999999' AS nanos, 'a text of more than 12 bytes' AS text, 'x' AS code`;
  await duckDb.run(`COPY (${select}) TO '${file}' (FORMAT parquet)`);
  const columns = [
    { name: 'number', kind: 'number' },
    { name: 'boolean', kind: 'boolean' },
    { name: 'day', kind: 'date' },
    { name: 'zoned', kind: 'date' },
    { name: 'nanos', kind: 'date' },
    { name: 'text', kind: 'text' },
    { name: 'code', kind: 'code' },
  ] as const;
  const duck = (await DuckFile.open(file, 1))!;
  const rows: object[] = [];
  // Two at a time, as for two shards of a file.
  const read = async (): Promise<void> => {
    for await (const batch of duck.batches(await duck.readable(columns))) rows.push(batch.row(0));
  };
  await Promise.all([read(), read()]);
  const row = {
    number: 3,
    boolean: true,
    day: new Date('2026-01-31'),
    zoned: new Date('2026-01-31T12:00:00Z'),
    nanos: new Date('2026-01-31T12:00:00Z'),
    text: 'a text of more than 12 bytes',
    code: 'x',
  };
  expect(rows).toEqual([row, row]);
  duck.close();
});

test('the name of a folder is not a column', async () => {
  mkdirSync(at('v=7'));
  await duckDb.run(`COPY (SELECT 1 AS v, 'x' AS text) TO '${at('v=7/rows.parquet')}' (FORMAT parquet)`);
  expect(await expectEqual(at('v=7/rows.parquet'))).toEqual([{ v: 1, text: 'x' }]);
});

test('a damaged file has the same error with both readers, after the rows that can be read', async () => {
  const file = at('damaged.parquet');
  const select = `SELECT i AS number, 'text ' || (i % 9) AS text FROM range(20000) t(i)`;
  await duckDb.run(`COPY (${select}) TO '${file}' (FORMAT parquet, ROW_GROUP_SIZE 6000)`);
  const good = readFileSync(file);
  const errors = async (position: number, length: number): Promise<readonly string[]> => {
    writeFileSync(file, Buffer.from(good).fill(255, position, position + length));
    const read = async (reader: Reader): Promise<string> => {
      const message = await messageOf(readWith(reader, file));
      expect(message).toContain('ASZ120');
      return message;
    };
    return [await read('duckDb'), await read('hyparquet')];
  };
  for (const position of [4, good.length >> 1]) {
    // oxlint-disable-next-line no-await-in-loop -- one file
    const [byDuck, byHyparquet] = await errors(position, 3000);
    expect(byDuck).toBe(byHyparquet);
  }
});

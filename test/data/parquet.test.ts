import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';
import { type ProfileInput, rankFile, type TopRanking } from 'assize';
import { readCandidates } from '../../src/data/read-candidates.js';
import { openParquet } from '../../src/data/table/read-parquet.js';
import { openFile } from '../../src/data/table/table.js';
import { temporaryFolder } from '../temporary-folder.js';

const folder = temporaryFolder('assize-parquet-');

const at = (name: string): string => join(folder, name);

type ColumnSource = NonNullable<Parameters<typeof parquetWriteBuffer>[0]['columnData']>[number];
type WriterOptions = Omit<Parameters<typeof parquetWriteBuffer>[0], 'columnData'>;

function writeParquet(name: string, columnData: ColumnSource[], options: WriterOptions = {}): string {
  writeFileSync(at(name), new Uint8Array(parquetWriteBuffer({ columnData, ...options })));
  return at(name);
}

function writeLines(name: string, rows: readonly object[]): string {
  writeFileSync(at(name), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  return at(name);
}

/** Everything in a ranking except its candidates, which may have keys that are null. */
const facts = ({
  counts,
  selected,
  refusedCounts,
  notSelectedCounts,
  degraded,
  warnings,
  matrix,
}: TopRanking<object>): unknown => ({
  counts,
  selected: selected.map(({ rank, id, index, score }) => ({ rank, id, index, score })),
  refused: refusedCounts,
  notSelected: notSelectedCounts,
  degraded,
  warnings,
  columns: matrix.entries.map((id) => matrix.column(id)),
});

const profile: ProfileInput = {
  tier1_scorers: [
    { id: 'low', expr: 'candidate.price < 0' },
    { id: 'hidden', expr: 'candidate.hidden', on_absent: 'pass' },
  ],
  tier2_scorers: [
    { id: 'price', expr: 'ln(1 + candidate.price)', weight: 2, on_absent: 0.25 },
    { id: 'views', expr: 'candidate.views / 1e6', on_error: 'refuse' },
    { id: 'title', expr: 'size(candidate.title) / 10.0', on_absent: 'skip' },
    {
      id: 'fresh',
      class: 'DecayScorer',
      params: { field: 'at', curve: { type: 'exponential', half_life: '30d' } },
      on_absent: 0,
    },
  ],
  adjustments: [{ id: 'twice', when: 'candidate.price > 10', multiply: 1.5 }],
  select: { top: 4, ties: ['candidate.views', 'input'] },
};

const context = { now: '2026-06-01' };

const number = fc.oneof(fc.double({ noNaN: true, min: -5, max: 100 }), fc.constantFrom(-0, 0, 1e-300, 2 ** 53 + 2));
const row = fc.record(
  {
    price: fc.option(number),
    hidden: fc.option(fc.boolean()),
    views: fc.option(fc.bigInt({ min: -(2n ** 62n), max: 2n ** 63n - 1n })),
    title: fc.option(fc.oneof(fc.constantFrom('', '𝒳 🦊', 'a'), fc.string({ unit: 'binary', maxLength: 9 }))),
    at: fc.option(fc.integer({ min: 0, max: 2e12 })),
    other: fc.string(),
  },
  { requiredKeys: ['price', 'hidden', 'views', 'title', 'at', 'other'] },
);

test.each([
  ['in JavaScript', 50_000],
  ['with DuckDB', 0],
])(
  'a Parquet file ranks like the same rows of JSON Lines: %s',
  async (_, manyRows) => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 40 }), async (rows) => {
        const file = writeParquet(
          'rows.parquet',
          [
            { name: 'id', data: rows.map((__, i) => `r${i}`), type: 'STRING' },
            { name: 'price', data: rows.map(({ price }) => price), type: 'DOUBLE' },
            { name: 'hidden', data: rows.map(({ hidden }) => hidden), type: 'BOOLEAN' },
            { name: 'views', data: rows.map(({ views }) => views), type: 'INT64' },
            { name: 'title', data: rows.map(({ title }) => title), type: 'STRING' },
            {
              name: 'at',
              data: rows.map(({ at: time }) => (time === null ? null : new Date(time))),
              type: 'TIMESTAMP',
            },
            { name: 'other', data: rows.map(({ other }) => other), type: 'STRING' },
          ],
          { rowGroupSize: 7 },
        );
        const lines = rows.map((one, i) => ({
          id: `r${i}`,
          ...one,
          views: one.views === null ? null : Number(one.views),
          at: one.at === null ? null : new Date(one.at).toISOString(),
        }));
        const bytes = await openFile(file);
        const table = await openParquet(bytes, file, 1, manyRows);
        const read: object[] = [];
        for await (const columns of table.batches()) for (let i = 0; i < columns.length; i++) read.push(columns.row(i));
        const present = JSON.parse(JSON.stringify(lines), (__, value: unknown) => value ?? undefined) as object[];
        expect(JSON.stringify(read)).toBe(JSON.stringify(present));
        expect(await table.rows([0, rows.length - 1])).toEqual([read[0], read.at(-1)]);
        const numbers = new Set(['price', 'hidden', 'views']);
        const some: object[] = [];
        for await (const columns of table.batches(numbers)) {
          for (let i = 0; i < columns.length; i++) some.push(columns.row(i));
        }
        expect(some).toEqual(
          read.map((one) => Object.fromEntries(Object.entries(one).filter(([key]) => numbers.has(key)))),
        );
        table.close?.();
        await bytes.close();
        const options = { workers: 1 };
        const byLine = await rankFile(profile, writeLines('rows.jsonl', lines), context, options);
        const byColumn = await rankFile(profile, file, context, options);
        expect(facts(byColumn)).toEqual(facts(byLine));
        expect(byColumn.selected.map(({ candidate }) => candidate)).toEqual(
          byLine.selected.map(({ index }) => read[index]),
        );
      }),
      { numRuns: 12 },
    );
  },
  60_000,
);

describe('types and codecs, as written by DuckDB', () => {
  const everyType = `SELECT 'a' AS id, 1.15::DECIMAL(9, 2) AS small, 12345678901234567.89::DECIMAL(38, 2) AS great,
    (-0.35)::DECIMAL(4, 2) AS below, 9007199254740993::BIGINT AS big, 18446744073709551615::UBIGINT AS most,
    4294967295::UINTEGER AS unsigned, 0.1::FLOAT AS single, true AS yes, DATE '2026-01-31' AS day, DATE '0099-03-01' AS old,
    TIMESTAMP '2026-01-31 12:00:00.123456' AS micros, TIMESTAMPTZ '2026-01-31 12:00:00+00' AS zoned,
    TIMESTAMP_NS '1969-12-31 23:59:59.999999999' AS nanos, TIMESTAMP_MS '2026-01-31 12:00:00.5' AS millis,
    TIME '12:34:56.789' AS clock, [1, NULL, 3] AS list, [[1.15::DECIMAL(9, 2)], []] AS lists,
    {'a': DATE '2026-01-31', 'b': [{'c': 2::BIGINT}], 'none': NULL::INTEGER} AS struct, MAP {'k': 1.15::DECIMAL(9, 2)} AS map,
    'ä 🦊' AS text, 'bytes'::BLOB AS blob, '00000000-0000-0000-0000-000000000001'::UUID AS uuid, NULL::VARCHAR AS nothing,
    'x'::ENUM('x', 'y') AS enum, '{"k": [1]}'::JSON AS json`;

  test.each(['uncompressed', 'snappy', 'gzip', 'zstd', 'brotli', 'lz4_raw'])('%s', async (codec) => {
    const { DuckDBInstance } = await import('@duckdb/node-api');
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    await connection.run("SET TimeZone = 'UTC'");
    await connection.run(`COPY (${everyType}) TO '${at(`${codec}.parquet`)}' (FORMAT parquet, COMPRESSION ${codec})`);
    expect(await readCandidates(at(`${codec}.parquet`), {})).toEqual([
      {
        id: 'a',
        small: 1.15,
        great: Number('12345678901234567.89'),
        below: -0.35,
        big: 9007199254740992,
        most: 18446744073709552000,
        unsigned: 4294967295,
        single: Math.fround(0.1),
        yes: true,
        day: new Date('2026-01-31'),
        old: new Date('0099-03-01'),
        micros: new Date('2026-01-31T12:00:00.123Z'),
        zoned: new Date('2026-01-31T12:00:00Z'),
        nanos: new Date(-1),
        millis: new Date('2026-01-31T12:00:00.5Z'),
        clock: '12:34:56.789',
        list: [1, null, 3],
        lists: [[1.15], []],
        struct: { a: new Date('2026-01-31'), b: [{ c: 2 }], none: null },
        map: { k: 1.15 },
        text: 'ä 🦊',
        blob: 'bytes',
        uuid: '00000000-0000-0000-0000-000000000001',
        enum: 'x',
        json: { k: [1] },
      },
    ]);
  });
});

test('a large file ranks with DuckDB like its rows in JSON Lines', async () => {
  const rows = Array.from({ length: 60_000 }, (_, i) => ({
    id: `r${i}`,
    price: i % 17 === 0 ? null : ((i * 7919) % 1000) / 8 - 10,
    hidden: i % 11 === 0,
    title: `title ${i % 7}`,
  }));
  const columnData: ColumnSource[] = [
    { name: 'id', data: rows.map(({ id }) => id), type: 'STRING' },
    { name: 'price', data: rows.map(({ price }) => price), type: 'DOUBLE' },
    { name: 'hidden', data: rows.map(({ hidden }) => hidden), type: 'BOOLEAN' },
    { name: 'title', data: rows.map(({ title }) => title), type: 'STRING' },
  ];
  const file = writeParquet('large.parquet', columnData, { rowGroupSize: 25_000 });
  const lines = writeLines('large.jsonl', rows);
  const numbers: ProfileInput = {
    tier1_scorers: [
      { id: 'low', expr: 'candidate.price < 0' },
      { id: 'hidden', expr: 'candidate.hidden' },
    ],
    tier2_scorers: [{ id: 'price', expr: 'min(candidate.price / 100, 1)', out_of_range: 'warn', on_absent: 'refuse' }],
    select: { top: 5 },
  };
  const texts: ProfileInput = { ...numbers, select: { top: 5, ties: ['candidate.title'] } };
  for (const one of [numbers, texts, { ...numbers, candidate: { id: 'titel' } }]) {
    const [byColumn, byLine] = [await rankFile(one, file), await rankFile(one, lines, {}, { workers: 1 })];
    expect(facts(byColumn)).toEqual(facts(byLine));
    expect(byColumn.selected.length).toBe(5);
  }
  const columns = { fields: new Set(['price', 'title']), whole: 3 };
  const read: readonly object[] = await readCandidates(file, { columns });
  const present = rows.map(({ price, ...others }) => (price === null ? others : { ...others, price }));
  expect(read.slice(0, 3)).toEqual(present.slice(0, 3));
  expect(read.slice(3)).toEqual(present.slice(3).map(({ id: _id, hidden: _hidden, ...others }) => others));
});

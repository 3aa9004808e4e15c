import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as arrow from 'apache-arrow';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ProfileInput, rankFile } from 'assize';
import { readCandidates } from '../../src/data/read-candidates.js';
import { messageOf } from '../properties/ranked.js';
import { temporaryFolder } from '../temporary-folder.js';

const folder = temporaryFolder('assize-arrow-');
const at = (name: string): string => join(folder, name);

function write(name: string, table: arrow.Table, form: 'file' | 'stream' = 'file'): string {
  writeFileSync(at(name), arrow.tableToIPC(table, form));
  return at(name);
}

const profile: ProfileInput = {
  tier1_scorers: [{ id: 'low', expr: 'candidate.price < 0', on_absent: 'pass' }],
  tier2_scorers: [
    { id: 'price', expr: 'candidate.price * 2', on_absent: 0.5 },
    { id: 'views', expr: 'candidate.views / 1e6', on_error: 'refuse' },
  ],
  select: { top: 3, ties: ['candidate.title', 'input'] },
};

test('Arrow ranks like the same rows of JSON Lines, as a file or a stream, in one batch or several', async () => {
  const row = fc.record({
    price: fc.option(fc.double({ min: -1, max: 9, noNaN: true })),
    views: fc.option(fc.bigInt({ min: -(2n ** 62n), max: 2n ** 62n })),
    title: fc.option(fc.constantFrom('a', 'ä 🦊', '')),
  });
  const tableOf = (rows: readonly { price: number | null; views: bigint | null; title: string | null }[], from = 0) =>
    new arrow.Table({
      id: arrow.vectorFromArray(
        rows.map((_, i) => `r${from + i}`),
        new arrow.Utf8(),
      ),
      price: arrow.vectorFromArray(
        rows.map(({ price }) => price),
        new arrow.Float64(),
      ),
      views: arrow.vectorFromArray(
        rows.map(({ views }) => views),
        new arrow.Int64(),
      ),
      title: arrow.vectorFromArray(
        rows.map(({ title }) => title),
        new arrow.Dictionary(new arrow.Utf8(), new arrow.Int8()),
      ),
    });
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 1, maxLength: 20 }),
      fc.constantFrom<'file' | 'stream'>('file', 'stream'),
      async (rows, form) => {
        const half = rows.length >> 1;
        const parts = half > 0 ? [tableOf(rows.slice(0, half)), tableOf(rows.slice(half), half)] : [tableOf(rows)];
        const whole = form === 'stream' ? parts[0]!.concat(...parts.slice(1)) : tableOf(rows);
        const lines = rows.map(({ views, ...others }, i) => ({
          id: `r${i}`,
          ...others,
          views: views === null ? null : Number(views),
        }));
        writeFileSync(at('rows.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
        const file = write('rows.arrow', whole, form);
        const byColumn = await rankFile(profile, file);
        const byLine = await rankFile(profile, at('rows.jsonl'), {}, { workers: 1 });
        const facts = ({ selected, counts, refusedCounts }: typeof byLine): unknown => [
          selected.map(({ id, index, rank, score }) => ({ id, index, rank, score })),
          counts,
          refusedCounts,
        ];
        expect(facts(byColumn)).toEqual(facts(byLine));
        expect(await readCandidates(file, {})).toEqual(
          lines.map((line) => Object.fromEntries(Object.entries(line).filter(([, value]) => value !== null))),
        );
      },
    ),
    { numRuns: 40 },
  );
});

test('converts every type', async () => {
  const one = (value: unknown, type: arrow.DataType) => arrow.vectorFromArray([value, null], type);
  const inList = new arrow.List(new arrow.Field('item', new arrow.Int64(), true));
  const inStruct = new arrow.Struct([
    new arrow.Field('a', new arrow.Int64(), true),
    new arrow.Field('b', inList, true),
  ]);
  const table = new arrow.Table({
    yes: one(true, new arrow.Bool()),
    single: one(0.1, new arrow.Float32()),
    half: one(0.5, new arrow.Float16()),
    most: one(2n ** 64n - 1n, new arrow.Uint64()),
    day: one(new Date('2026-01-31'), new arrow.DateDay()),
    micros: one(new Date('2026-01-31T12:00:00Z'), new arrow.TimestampMicrosecond('UTC')),
    local: one(new Date('2026-01-31T12:00:00Z'), new arrow.TimestampMillisecond()),
    list: one([1n, null], inList),
    struct: one({ a: 1n, b: [2n] }, inStruct),
    decimal: one(Uint32Array.of(115, 0, 0, 0), new arrow.Decimal(2, 9)),
  });
  expect(await readCandidates(write('types.feather', table), {})).toEqual([
    {
      yes: true,
      single: Math.fround(0.1),
      half: 0.5,
      most: 2 ** 64,
      day: new Date('2026-01-31'),
      micros: new Date('2026-01-31T12:00:00Z'),
      local: new Date('2026-01-31T12:00:00Z'),
      list: [1, null],
      struct: { a: 1, b: [2] },
      decimal: 1.15,
    },
    {},
  ]);
});

describe('invalid or truncated Arrow', () => {
  const good = arrow.tableToIPC(arrow.tableFromArrays({ price: Float64Array.of(1, 2, 3) }), 'file');
  test.each<[string, Uint8Array]>([
    ['empty', new Uint8Array()],
    ['a text', Buffer.from('price\n1\n2\n and more')],
    ['zeroes', new Uint8Array(10_000)],
    ['cut off', good.slice(0, good.length - 20)],
    ['overwritten', Uint8Array.from(good, (byte, i) => (i > 20 && i < 200 ? 255 : byte))],
  ])('%s', async (name, bytes) => {
    writeFileSync(at('bad.arrow'), bytes);
    expect((await messageOf(rankFile(profile, at('bad.arrow')))).replaceAll(`${folder}/`, '')).toMatchSnapshot(name);
  });
});

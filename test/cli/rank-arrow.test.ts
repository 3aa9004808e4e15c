import { readFileSync, writeFileSync } from 'node:fs';
import * as arrow from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { readCandidates } from '../../src/data/node.js';
import { assize, inFolder } from './run-here.js';

inFolder({
  'stars.yaml': 'tier2_scorers: [{ id: stars, expr: candidate.stars / 10 }]\nselect: { top: 2 }',
});

interface Row {
  readonly team: string | null;
  readonly id: string;
  readonly stars: number | null;
}

/** Groups of 1 to 40 rows, with texts that are not ASCII. */
const ROWS: readonly Row[] = Array.from({ length: 400 }, (_, k) => ({
  team: k < 30 ? null : `🙂 ${Math.floor(Math.sqrt(k))}`,
  id: k % 5 === 0 ? `ä${k}` : `d${k}`,
  stars: k % 13 === 0 ? null : (k * 7919) % 101,
}));

const tableOf = (rows: readonly Row[], team?: readonly unknown[], type: arrow.DataType = new arrow.Utf8()) =>
  new arrow.Table({
    team: arrow.vectorFromArray(team ?? rows.map((row) => row.team), type),
    id: arrow.vectorFromArray(
      rows.map(({ id }) => id),
      new arrow.Utf8(),
    ),
    stars: arrow.vectorFromArray(
      rows.map(({ stars }) => stars),
      new arrow.Float64(),
    ),
  });

/** The bytes of a stream, in pieces that end anywhere. */
function pieces(bytes: Uint8Array, size: number): readonly Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, k) => bytes.subarray(k * size, (k + 1) * size));
}

const ARROW = ['rank', '-p', 'stars.yaml', '--input', 'arrow', '--format', 'arrow'];

/** Ranks an Arrow input, and reads the Arrow output. */
async function rank(stdin: readonly Uint8Array[], ...args: readonly string[]) {
  const { code, out, err } = await assize([...ARROW, ...args], { stdin });
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return arrow.tableFromIPC(Buffer.from(out, 'latin1'));
}

const plain = (table: arrow.Table): readonly unknown[] =>
  table.toArray().map((row: arrow.StructRowProxy) => row.toJSON());

describe('rank --format arrow', () => {
  it('writes the table of --output, from a stream in batches or a file in pieces', async () => {
    const batches = [0, 7, 7, 150, 400].map((end, k, ends) => tableOf(ROWS.slice(ends[k - 1] ?? 0, end)));
    const stream = arrow.tableToIPC(batches[1]!.concat(...batches.slice(2)), 'stream');
    const file = arrow.tableToIPC(tableOf(ROWS), 'file');
    writeFileSync('rows.arrow', file);
    for (const more of [['--partition-by', 'team'], ['--partition-by', 'team', '--all'], []]) {
      const output = ['rank', '-p', 'stars.yaml', 'rows.arrow', '--replace', '-o', 'out.jsonl', ...more];
      // oxlint-disable-next-line no-await-in-loop -- one after another
      expect(await assize(output)).toMatchObject({ code: 0 });
      const lines = readFileSync('out.jsonl', 'utf8').trimEnd().split('\n');
      const expected = lines.map((line): unknown => JSON.parse(line));
      for (const stdin of [pieces(stream, 1000), pieces(file, 4096), [file], pieces(stream, 3)]) {
        // oxlint-disable-next-line no-await-in-loop -- one after another
        expect(plain(await rank(stdin, ...more))).toEqual(expected);
      }
    }
  });

  it.each<[string, arrow.DataType, readonly unknown[], readonly unknown[]]>([
    ['integers', new arrow.Int64(), [null, 3n, 3n, 2n ** 53n - 1n], [null, 3, 2 ** 53 - 1]],
    ['integers before fractions', new arrow.Float64(), [1, 1, 2, 0.5], [1, 2, 0.5]],
    ['booleans', new arrow.Bool(), [true, true, null, false], [true, null, false]],
    ['texts', new arrow.Utf8(), [null, 'ä', 'ä', ''], [null, 'ä', '']],
    [
      'dates',
      new arrow.DateDay(),
      [new Date('1950-01-31'), null, null, new Date('2026-02-28')],
      [Date.UTC(1950, 0, 31), null, Date.UTC(2026, 1, 28)],
    ],
  ])('keeps groups that are %s', async (_, type, keys, expected) => {
    const table = tableOf(ROWS.slice(31, 35), keys, type);
    const found = await rank([arrow.tableToIPC(table, 'stream')], '--partition-by', 'team', '--top', '1');
    expect(plain(found).map((row) => Reflect.get(row as object, 'team') as unknown)).toEqual(expected);
  });

  it('ranks a column of groups that are all null', async () => {
    const stdin = [arrow.tableToIPC(tableOf(ROWS.slice(0, 20)), 'stream')];
    const found = await rank(stdin, '--partition-by', 'team');
    expect(plain(found)).toMatchObject([
      { team: null, rank: 1 },
      { team: null, rank: 2 },
    ]);
  });

  it('writes the columns of a table without rows', async () => {
    const stdin = [arrow.tableToIPC(tableOf(ROWS), 'stream')];
    const found = await rank(stdin, '--min-score', '99', '--partition-by', 'team');
    expect(found.numRows).toBe(0);
    expect(found.schema.fields.map(({ name }) => name).slice(0, 4)).toEqual(['team', 'id', 'index', 'rank']);
  });

  it('reports a failure of a group', async () => {
    const keys = ROWS.map((_, k) => 2n ** 60n + BigInt(k));
    const stdin = [arrow.tableToIPC(tableOf(ROWS, keys, new arrow.Int64()), 'stream')];
    const { code, err } = await assize([...ARROW, '--partition-by', 'team'], { stdin });
    expect(code).toBe(1);
    expect(err).toMatch(/ASZ502 row 0, counted from 0, has no usable group: team is 1152921504606847000/);
  });

  it.each([
    [['-o', 'x.parquet'], '--format arrow writes the table to standard output'],
    [['--replace'], '--replace needs --output or --into'],
  ])('refuses %s', async (more, message) => {
    const { code, err } = await assize([...ARROW, ...more], { stdin: [] });
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  it('refuses a terminal', async () => {
    const { code, err } = await assize([...ARROW], { stdin: [], terminal: 80 });
    expect(code).toBe(2);
    expect(err).toContain('--format arrow is not text');
  });
});

it('reads a stream that is damaged or not Arrow as an error', async () => {
  const good = arrow.tableToIPC(tableOf(ROWS), 'stream');
  const damaged = Uint8Array.from(good, (byte, k) => (k > 20 && k < 200 ? 255 : byte));
  for (const stdin of [[damaged], [Buffer.from('{"id": 1}\n')], [good.subarray(0, 5)]]) {
    // oxlint-disable-next-line no-await-in-loop -- one after another
    const { code, err } = await assize([...ARROW, '--partition-by', 'team'], { stdin });
    expect(code).toBe(1);
    expect(err).toMatch(/ASZ120 stdin cannot be read as Arrow/);
  }
});

it('reads texts as from JSON, with byte order marks', async () => {
  const rows = ROWS.map((row) => ({ ...row, id: `\ufeff${row.id}` }));
  writeFileSync('rows.arrow', arrow.tableToIPC(tableOf(rows), 'file'));
  const found = await readCandidates('rows.arrow', {});
  expect(found.map((row) => Reflect.get(row, 'id') as unknown)).toEqual(rows.map(({ id }) => id));
});

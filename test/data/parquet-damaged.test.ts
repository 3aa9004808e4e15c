import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';
import { rankFile } from 'assize';
import { readCandidates } from '../../src/data/read-candidates.js';
import { messageOf } from '../properties/ranked.js';
import { temporaryFolder } from '../temporary-folder.js';

const folder = temporaryFolder('assize-parquet-');

const at = (name: string): string => join(folder, name);

type ColumnSource = NonNullable<Parameters<typeof parquetWriteBuffer>[0]['columnData']>[number];

function writeParquet(name: string, columnData: ColumnSource[]): string {
  writeFileSync(at(name), new Uint8Array(parquetWriteBuffer({ columnData })));
  return at(name);
}

describe('invalid or truncated Parquet', () => {
  const good = new Uint8Array(
    parquetWriteBuffer({
      columnData: [
        { name: 'id', data: Array.from({ length: 50 }, (_, i) => `r${i}`), type: 'STRING' },
        { name: 'price', data: Array.from({ length: 50 }, (_, i) => i / 4), type: 'DOUBLE' },
      ],
    }),
  );
  const rank = (name: string, bytes: Uint8Array | string): Promise<string> => {
    writeFileSync(at(name), bytes);
    const ranked = rankFile(
      { tier2_scorers: [{ id: 'price', expr: 'candidate.price' }], select: { top: 1 } },
      at(name),
    );
    return messageOf(ranked).then((message) => message.replaceAll(`${folder}/`, ''));
  };
  const magic = (end: string): Uint8Array => Uint8Array.from([...good.slice(0, -4), ...Buffer.from(end)]);

  test.each<[string, Uint8Array | string]>([
    ['empty', ''],
    ['short', 'PAR1'],
    ['a text', 'id,price\na,1\nand many more lines\n'],
    ['cut off', good.slice(0, good.length >> 1)],
    ['ten megabytes of zeroes', new Uint8Array(10_000_000)],
    ['zeroes that end like Parquet', Uint8Array.from([...new Uint8Array(1000), ...Buffer.from('PAR1')])],
    [
      'a footer longer than the file',
      Uint8Array.from([...good.slice(0, -8), 255, 255, 255, 127, ...Buffer.from('PAR1')]),
    ],
    ['an encrypted footer', magic('PARE')],
    ['data that is overwritten', Uint8Array.from(good, (byte, i) => (i >= 4 && i < 60 ? 255 : byte))],
  ])('%s', async (name, bytes) => {
    expect(await rank('bad.parquet', bytes)).toMatchSnapshot(name);
  });

  test('after any byte is changed, the result is a ranking or an error with a code', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(good.length - 1), fc.integer({ min: 0, max: 255 }), async (position, byte) => {
        const bytes = good.slice();
        bytes[position] = byte;
        writeFileSync(at('changed.parquet'), bytes);
        const outcome = await rankFile(
          { tier2_scorers: [{ id: 'price', expr: 'candidate.price' }], select: { top: 1 } },
          at('changed.parquet'),
        ).then(
          () => 'AssizeError',
          (error: Error) => `${error.name}${error.message.includes('ASZ') ? '' : error.message}`,
        );
        expect(outcome).toBe('AssizeError');
      }),
      { numRuns: 150 },
    );
  });

  test('a profile reads two of 10,000 columns', async () => {
    const columnData = Array.from(
      { length: 10_000 },
      (_, k): ColumnSource => ({ name: `c${k}`, data: [k], type: 'DOUBLE' }),
    );
    const file = writeParquet('wide.parquet', columnData);
    const { selected } = await rankFile(
      { tier2_scorers: [{ id: 'sum', expr: 'candidate.c3 + candidate.c9999' }], select: { top: 1 } },
      file,
    );
    expect(selected[0]?.score).toBe(10_002);
  });

  test('a missing file, a directory, a pipe', async () => {
    const missing = await messageOf(readCandidates(at('missing.parquet'), {}));
    expect(missing.replaceAll(folder, '')).toContain('ASZ101 cannot read /missing.parquet: no such file');
    const input = {
      stdin: (async function* () {
        yield good.slice(0, 100);
        yield good.slice(100);
      })(),
    };
    expect((await readCandidates('-', input)).length).toBe(50);
    expect(
      (
        await readCandidates(
          '-',
          {
            stdin: (async function* () {
              yield good;
            })(),
          },
          'parquet',
        )
      ).length,
    ).toBe(50);
  });
});

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineSpansOf, type ReadBytesAt, ShardLines } from '../../../src/scale/parts/shard-lines.js';
import { cutIntoShards } from '../../../src/scale/threads/versioned-file.js';

const reader =
  (bytes: Buffer): ReadBytesAt =>
  (position, length) =>
    bytes.subarray(position, position + length);

const text = fc.array(fc.constantFrom('a', 'ä', '日', '👩', '\n', '\n', '\r\n', ' ')).map((parts) => parts.join(''));

/** The lines of each shard. */
const partsOf = (bytes: Buffer, size: number): Promise<readonly ShardLines[]> =>
  Promise.all(
    [...cutIntoShards(bytes.length, size)].map((shard) => ShardLines.read(reader(bytes), shard, bytes.length)),
  );

test('the parts of a file contain all its lines, each once and complete, for any split', async () => {
  await fc.assert(
    fc.asyncProperty(text, fc.integer({ min: 1, max: 40 }), async (written, size) => {
      const bytes = Buffer.from(written);
      const parts = await partsOf(bytes, size);
      expect(Buffer.concat(parts.map((part) => part.bytes)).toString()).toBe(written);
      for (const { bytes: part, offset } of parts) {
        if (part.length === 0) continue;
        expect(offset === 0 || bytes[offset - 1] === 10).toBe(true);
        const end = offset + part.length;
        expect(end === bytes.length || bytes[end - 1] === 10).toBe(true);
      }
    }),
  );
});

test('finds a line at its offset, without its end', () => {
  fc.assert(
    fc.property(text, fc.array(fc.nat({ max: 20 })), (written, picked) => {
      const bytes = Buffer.from(written);
      const lines = written.split('\n');
      const wanted = [...new Set(picked)].filter((line) => line < lines.length - 1).toSorted((a, b) => a - b);
      const spans = lineSpansOf(bytes, wanted, 100);
      const found = spans.map(({ offset, length }) => bytes.subarray(offset - 100, offset - 100 + length).toString());
      expect(found).toEqual(wanted.map((line) => lines[line]));
    }),
  );
});

test('a line longer than a part is read by the part with its start', async () => {
  const long = 'x'.repeat(1_000_000);
  const bytes = Buffer.from(`a\n${long}\nb`);
  const parts = await partsOf(bytes, 1000);
  expect(parts.map((part) => part.bytes.length).filter((length) => length > 0)).toEqual([1_000_003, 1]);
});

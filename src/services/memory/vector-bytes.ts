import { endianness } from 'node:os';
import { lengthOf, VectorBlock } from './vector-block.js';
import type { Slice } from './vector-log.js';

/** Two whole numbers stand first: how many numbers a vector has, and how many vectors there are. */
const HEAD = 8;
const [TIME, NUMBER] = [8, 4];

/** 32-bit floats as little-endian bytes, or the other way round: on most machines they are that already. */
const swapped = endianness() === 'LE' ? (bytes: Buffer): Buffer => bytes : (bytes: Buffer): Buffer => bytes.swap32();

/** Vectors as bytes, little-endian: dimensions, count, the times (64-bit floats), the vectors (32-bit floats). */
export function writeSlices(slices: readonly Slice[]): Uint8Array {
  const dimensions = slices[0]?.block.dimensions;
  if (dimensions === undefined) return new Uint8Array(HEAD);
  const count = slices.reduce((sum, { first, end }) => sum + end - first, 0);
  const bytes = Buffer.alloc(HEAD + count * (TIME + dimensions * NUMBER));
  bytes.writeUInt32LE(dimensions, 0);
  bytes.writeUInt32LE(count, 4);
  const vectors = bytes.subarray(HEAD + count * TIME);
  let k = 0;
  for (const { block, first, end } of slices) {
    for (let i = first; i < end; i++, k++) {
      const { buffer, byteOffset, byteLength } = block.vectorAt(i);
      bytes.writeDoubleLE(block.timeOf(i), HEAD + k * TIME);
      vectors.set(new Uint8Array(buffer, byteOffset, byteLength), k * byteLength);
    }
  }
  swapped(vectors);
  return bytes;
}

/**
 * The vectors that were written, as far as the newest `most`, in blocks of `size`, of which the last may
 * have room for more; none when there were none.
 *
 * @throws Error when the bytes are something else
 */
export function readBlocks(given: Uint8Array, most: number, size: number): readonly VectorBlock[] {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
  const [dimensions, count] = bytes.length < HEAD ? [0, 0] : [bytes.readUInt32LE(0), bytes.readUInt32LE(4)];
  if (bytes.length !== HEAD + count * (TIME + dimensions * NUMBER) || (count > 0 && dimensions === 0))
    throw new Error('what it holds is no list of vectors');
  const blocks: VectorBlock[] = [];
  const vector = new Float32Array(dimensions);
  const raw = Buffer.from(vector.buffer);
  for (let i = Math.max(0, count - most); i < count; ) {
    const here = Math.min(size, count - i);
    const block = new VectorBlock(dimensions, size);
    for (let k = 0; k < here; k++, i++) {
      bytes.copy(raw, 0, HEAD + count * TIME + i * raw.length);
      swapped(raw);
      block.append(vector, lengthOf(vector), bytes.readDoubleLE(HEAD + i * TIME));
    }
    blocks.push(block);
  }
  return blocks;
}

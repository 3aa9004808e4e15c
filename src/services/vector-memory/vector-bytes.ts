import { endianness } from 'node:os';
import { euclideanLength, VectorBlock } from './vector-block.js';
import type { BlockSlice } from './vector-log.js';

/** The header is two whole numbers: how many numbers a vector has, and how many vectors there are. */
const HEADER_BYTES = 8;
const [TIME_BYTES, FLOAT_BYTES] = [8, 4];

/** Swaps 32-bit floats between the machine's order of bytes and little-endian, which is most machines' own. */
const swapToLittleEndian =
  endianness() === 'LE' ? (bytes: Buffer): Buffer => bytes : (bytes: Buffer): Buffer => bytes.swap32();

/**
 * Encodes vectors as bytes, little-endian: dimensions, count, the times (64-bit floats), the vectors (32-bit floats).
 */
export function encodeSlices(slices: readonly BlockSlice[]): Uint8Array {
  const dimensions = slices[0]?.block.dimensions;
  if (dimensions === undefined) return new Uint8Array(HEADER_BYTES);
  const count = slices.reduce((sum, { first, end }) => sum + end - first, 0);
  const bytes = Buffer.alloc(HEADER_BYTES + count * (TIME_BYTES + dimensions * FLOAT_BYTES));
  bytes.writeUInt32LE(dimensions, 0);
  bytes.writeUInt32LE(count, 4);
  const vectors = bytes.subarray(HEADER_BYTES + count * TIME_BYTES);
  let k = 0;
  for (const { block, first, end } of slices) {
    for (let i = first; i < end; i++, k++) {
      const { buffer, byteOffset, byteLength } = block.vectorAt(i);
      bytes.writeDoubleLE(block.timeOf(i), HEADER_BYTES + k * TIME_BYTES);
      vectors.set(new Uint8Array(buffer, byteOffset, byteLength), k * byteLength);
    }
  }
  swapToLittleEndian(vectors);
  return bytes;
}

/**
 * Decodes the newest `maxCount` vectors into blocks of `size`, of which the last may have room for more.
 *
 * @throws Error where the bytes are no vectors
 */
export function decodeBlocks(given: Uint8Array, maxCount: number, size: number): readonly VectorBlock[] {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
  const [dimensions, count] = bytes.length < HEADER_BYTES ? [0, 0] : [bytes.readUInt32LE(0), bytes.readUInt32LE(4)];
  if (
    bytes.length !== HEADER_BYTES + count * (TIME_BYTES + dimensions * FLOAT_BYTES) ||
    (count > 0 && dimensions === 0)
  )
    throw new Error('what it holds is no list of vectors');
  if (count === 0) return []; // its dimensions may be anything
  const blocks: VectorBlock[] = [];
  const vector = new Float32Array(dimensions);
  const raw = Buffer.from(vector.buffer);
  for (let i = Math.max(0, count - maxCount); i < count; ) {
    const here = Math.min(size, count - i);
    const block = new VectorBlock(dimensions, size);
    for (let k = 0; k < here; k++, i++) {
      bytes.copy(raw, 0, HEADER_BYTES + count * TIME_BYTES + i * raw.length);
      swapToLittleEndian(raw);
      block.append(vector, euclideanLength(vector), bytes.readDoubleLE(HEADER_BYTES + i * TIME_BYTES));
    }
    blocks.push(block);
  }
  return blocks;
}

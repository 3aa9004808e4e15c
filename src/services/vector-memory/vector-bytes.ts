import { euclideanLength, VectorBlock } from './vector-block.js';
import type { BlockSlice } from './vector-log.js';

/** The header is two whole numbers: how many numbers a vector has, and how many vectors there are. */
const HEADER_BYTES = 8;
const [TIME_BYTES, FLOAT_BYTES] = [8, 4];

const IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** Swaps 32-bit floats between the machine's order of bytes and little-endian, which is most machines' own. */
function swapToLittleEndian(bytes: Uint8Array): void {
  if (IS_LITTLE_ENDIAN) return;
  for (let i = 0; i < bytes.length; i += FLOAT_BYTES) bytes.subarray(i, i + FLOAT_BYTES).reverse();
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);

/**
 * Encodes vectors as bytes, little-endian: dimensions, count, the times (64-bit floats), the vectors (32-bit floats).
 */
export function encodeSlices(slices: readonly BlockSlice[]): Uint8Array {
  const dimensions = slices[0]?.block.dimensions;
  if (dimensions === undefined) return new Uint8Array(HEADER_BYTES);
  const count = slices.reduce((sum, { first, end }) => sum + end - first, 0);
  const bytes = new Uint8Array(HEADER_BYTES + count * (TIME_BYTES + dimensions * FLOAT_BYTES));
  const view = viewOf(bytes);
  view.setUint32(0, dimensions, true);
  view.setUint32(4, count, true);
  const vectors = bytes.subarray(HEADER_BYTES + count * TIME_BYTES);
  let k = 0;
  for (const { block, first, end } of slices) {
    for (let i = first; i < end; i++, k++) {
      const { buffer, byteOffset, byteLength } = block.vectorAt(i);
      view.setFloat64(HEADER_BYTES + k * TIME_BYTES, block.timeOf(i), true);
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
export function decodeBlocks(bytes: Uint8Array, maxCount: number, size: number): readonly VectorBlock[] {
  const view = viewOf(bytes);
  const hasHeader = bytes.length >= HEADER_BYTES;
  const [dimensions, count] = hasHeader ? [view.getUint32(0, true), view.getUint32(4, true)] : [0, 0];
  if (
    bytes.length !== HEADER_BYTES + count * (TIME_BYTES + dimensions * FLOAT_BYTES) ||
    (count > 0 && dimensions === 0)
  )
    throw new Error('what it holds is no list of vectors');
  if (count === 0) return []; // its dimensions may be anything
  const blocks: VectorBlock[] = [];
  const vector = new Float32Array(dimensions);
  const raw = new Uint8Array(vector.buffer);
  for (let i = Math.max(0, count - maxCount); i < count; ) {
    const here = Math.min(size, count - i);
    const block = new VectorBlock(dimensions, size);
    for (let k = 0; k < here; k++, i++) {
      const start = HEADER_BYTES + count * TIME_BYTES + i * raw.length;
      raw.set(bytes.subarray(start, start + raw.length));
      swapToLittleEndian(raw);
      block.append(vector, euclideanLength(vector), view.getFloat64(HEADER_BYTES + i * TIME_BYTES, true));
    }
    blocks.push(block);
  }
  return blocks;
}

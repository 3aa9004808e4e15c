import { euclideanLength, type QueryVector, VectorBlock } from './vector-block.js';

/** The initial capacity of the first block. */
const FIRST_CAPACITY = 16;

/** A part of a block. */
export interface BlockSlice {
  readonly block: VectorBlock;
  readonly first: number;
  readonly end: number;
}

/**
 * An immutable list of vectors with the times at which they were added. It consists of blocks of equal size; only the
 * last may be partly filled. Lists share blocks: appending to the newest list appends to its last block in place;
 * appending to an older list copies the list's part of its last block.
 */
export class VectorLog {
  private constructor(
    /** The number of vectors in a full block. */
    readonly size: number,
    private readonly blocks: readonly VectorBlock[],
    /** The positions of the first vector and after the last one, counted from the start of the first block. */
    private readonly start: number,
    private readonly end: number,
  ) {}

  static of(blocks: readonly VectorBlock[], size: number): VectorLog {
    const last = blocks.at(-1);
    return new VectorLog(size, blocks, 0, last === undefined ? 0 : (blocks.length - 1) * size + last.end);
  }

  get length(): number {
    return this.end - this.start;
  }

  /** Undefined if the list is empty. */
  get dimensions(): number | undefined {
    return this.blocks[0]?.dimensions;
  }

  /** The time at which a vector was added. `place` counts from the oldest vector. */
  timeAt(place: number): number {
    const at = this.start + place;
    const block = this.blocks[Math.floor(at / this.size)];
    if (block === undefined) throw new RangeError(`Expected a place below ${this.length}, got ${place}`);
    return block.timeOf(at % this.size);
  }

  /** The part of each block that belongs to this list. */
  slices(): readonly BlockSlice[] {
    const { size, start, end } = this;
    return this.blocks.map((block, k) => {
      return { block, first: Math.max(0, start - k * size), end: Math.min(size, end - k * size) };
    });
  }

  /** Returns the list with one more vector and without the oldest `dropped` vectors. Drops blocks that become empty. */
  append(dropped: number, { floats, length }: QueryVector, time: number): VectorLog {
    const { size } = this;
    const gone = Math.floor((this.start + dropped) / size);
    const blocks = gone === 0 ? this.blocks : this.blocks.slice(gone);
    const [start, end] = [this.start + dropped - gone * size, this.end - gone * size];
    const last = blocks.at(-1);
    const used = end - (blocks.length - 1) * size;
    if (last?.end === used && used < last.capacity) {
      last.append(floats, length, time);
      return new VectorLog(size, blocks, start, end + 1);
    }
    if (last === undefined || used === size) {
      const next = new VectorBlock(floats.length, last === undefined ? FIRST_CAPACITY : size);
      next.append(floats, length, time);
      return new VectorLog(size, [...blocks, next], start, end + 1);
    }
    // The dropped vectors of a single block are not copied.
    const first = blocks.length === 1 ? start : 0;
    // Doubles the capacity, so that copying takes amortized constant time per vector.
    const capacity = Math.min(size, Math.max(FIRST_CAPACITY, 2 * (used - first + 1)));
    const copy = last.copy(first, used, capacity);
    copy.append(floats, length, time);
    return new VectorLog(size, [...blocks.slice(0, -1), copy], start - first, end - first + 1);
  }
}

/** The header is two 32-bit integers: the dimensions of a vector, and the number of vectors. */
const HEADER_BYTES = 8;
const [TIME_BYTES, FLOAT_BYTES] = [8, 4];

const IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** Swaps 32-bit floats between the machine's byte order and little-endian. */
function swapToLittleEndian(bytes: Uint8Array): void {
  if (IS_LITTLE_ENDIAN) return;
  for (let i = 0; i < bytes.length; i += FLOAT_BYTES) bytes.subarray(i, i + FLOAT_BYTES).reverse();
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);

/** Encodes vectors as little-endian bytes: dimensions, count, the times (64-bit floats), the vectors (32-bit floats). */
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
 * Decodes the newest `maxCount` vectors into blocks of `size`. The last block may be partly filled.
 *
 * @throws Error if the bytes are not a list of vectors
 */
export function decodeBlocks(bytes: Uint8Array, maxCount: number, size: number): readonly VectorBlock[] {
  const view = viewOf(bytes);
  const hasHeader = bytes.length >= HEADER_BYTES;
  const [dimensions, count] = hasHeader ? [view.getUint32(0, true), view.getUint32(4, true)] : [0, 0];
  if (
    bytes.length !== HEADER_BYTES + count * (TIME_BYTES + dimensions * FLOAT_BYTES) ||
    (count > 0 && dimensions === 0)
  )
    throw new Error('its content is not a list of vectors');
  if (count === 0) return []; // Ignores its dimensions.
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

import { euclideanLength, type QueryVector, VectorBlock } from './vector-block.js';

/** How many vectors the first block has room for at first. */
const FIRST_CAPACITY = 16;

/** A part of a block. */
export interface BlockSlice {
  readonly block: VectorBlock;
  readonly first: number;
  readonly end: number;
}

/**
 * Vectors with the times they were added at, in order: an immutable list in blocks of one size, of which only the last
 * may be less than full. Lists share blocks: adding to the newest appends to its last block in place, adding to an
 * older one copies that block, as far as the list sees it.
 */
export class VectorLog {
  private constructor(
    /** How many vectors a block takes. */
    readonly size: number,
    private readonly blocks: readonly VectorBlock[],
    /** The places of the first vector and after the last one, counted from the beginning of the first block. */
    private readonly start: number,
    private readonly end: number,
  ) {}

  /** A list of all vectors of some blocks. */
  static of(blocks: readonly VectorBlock[], size: number): VectorLog {
    const last = blocks.at(-1);
    return new VectorLog(size, blocks, 0, last === undefined ? 0 : (blocks.length - 1) * size + last.end);
  }

  get length(): number {
    return this.end - this.start;
  }

  /** undefined while it is empty. */
  get dimensions(): number | undefined {
    return this.blocks[0]?.dimensions;
  }

  /** The time at which the vector at a place was added; places count from the oldest. */
  timeAt(place: number): number {
    const at = this.start + place;
    const block = this.blocks[Math.floor(at / this.size)];
    if (block === undefined) throw new RangeError(`Expected a place below ${this.length}, got ${place}`);
    return block.timeOf(at % this.size);
  }

  /** The blocks, each with where in it this list begins and ends. */
  slices(): readonly BlockSlice[] {
    const { size, start, end } = this;
    return this.blocks.map((block, k) => {
      return { block, first: Math.max(0, start - k * size), end: Math.min(size, end - k * size) };
    });
  }

  /**
   * The list without its oldest `dropped` vectors, and with one more. Blocks without any of its vectors are dropped.
   */
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
    // Twice the capacity needed: the next copy then comes only after as many vectors as this one copies.
    const capacity = Math.min(size, Math.max(FIRST_CAPACITY, 2 * (used - first + 1)));
    const copy = last.copy(first, used, capacity);
    copy.append(floats, length, time);
    return new VectorLog(size, [...blocks.slice(0, -1), copy], start - first, end - first + 1);
  }
}

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

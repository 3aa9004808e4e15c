import { type QueryVector, VectorBlock } from './vector-block.js';

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

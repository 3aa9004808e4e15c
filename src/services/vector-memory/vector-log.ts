import { type QueryVector, type RowFilter, VectorBlock, type VectorMark } from './vector-block.js';

/** The initial capacity of the first block. */
const FIRST_CAPACITY = 16;

/** A part of a block. */
export interface BlockSlice {
  readonly block: VectorBlock;
  readonly first: number;
  readonly end: number;
  /** The rows that are included; undefined if all are. */
  readonly includes?: RowFilter;
}

/** A vector of a list. */
export interface LogPlace {
  readonly block: VectorBlock;
  readonly row: number;
}

/** Rows that were removed before the oldest one, by block. */
type RemovedRows = ReadonlyMap<VectorBlock, ReadonlySet<number>>;
const NONE_REMOVED: RemovedRows = new Map();

/** A list with more removed rows than this, and than half of its vectors, is copied without them. */
const MIN_REMOVED = 64;

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
    private readonly removed: RemovedRows,
    /** The number of times that the list was copied without its removed rows. */
    readonly copies = 0,
  ) {}

  static of(blocks: readonly VectorBlock[], size: number): VectorLog {
    const last = blocks.at(-1);
    return new VectorLog(size, blocks, 0, last === undefined ? 0 : (blocks.length - 1) * size + last.end, NONE_REMOVED);
  }

  /** The number of vectors. */
  get length(): number {
    return this.places - this.#removedCount;
  }

  /** The number of places, including those of removed vectors. */
  get places(): number {
    return this.end - this.start;
  }

  get #removedCount(): number {
    let count = 0;
    for (const rows of this.removed.values()) count += rows.size;
    return count;
  }

  /** Undefined if the list is empty. */
  get dimensions(): number | undefined {
    return this.blocks[0]?.dimensions;
  }

  /** The time at which a vector was added; undefined if it was removed. `place` counts from the oldest one. */
  timeAt(place: number): number | undefined {
    const at = this.start + place;
    const block = this.blocks[Math.floor(at / this.size)];
    if (block === undefined) throw new RangeError(`Expected a place below ${this.places}, got ${place}`);
    return this.removed.get(block)?.has(at % this.size) ? undefined : block.timeOf(at % this.size);
  }

  /** The part of each block that belongs to this list, or to its last places. */
  slices(lastPlaces = this.places): readonly BlockSlice[] {
    const { size, end, removed } = this;
    const start = end - Math.min(lastPlaces, this.places);
    return this.blocks.flatMap((block, k): readonly BlockSlice[] => {
      const [first, last] = [Math.max(0, start - k * size), Math.min(size, end - k * size)];
      if (first >= last) return [];
      const gone = removed.get(block);
      return [{ block, first, end: last, ...(gone && { includes: (row) => !gone.has(row) }) }];
    });
  }

  /** The vector of a candidate with an id. */
  find(id: string): LogPlace | undefined {
    for (const { block, first, end, includes } of this.slices().toReversed()) {
      const row = block.rowOf(id, first, end);
      if (row !== undefined && includes?.(row) !== false) return { block, row };
    }
    return undefined;
  }

  /** Returns the list without one vector. */
  without({ block, row }: LogPlace): VectorLog {
    const rows = new Set(this.removed.get(block)).add(row);
    const removed = new Map(this.removed).set(block, rows);
    const next = new VectorLog(this.size, this.blocks, this.start, this.end, removed, this.copies);
    return next.places - next.length > Math.max(MIN_REMOVED, next.length) ? next.#copy() : next;
  }

  /** Returns the list without the places of removed vectors. */
  #copy(): VectorLog {
    let copy = new VectorLog(this.size, [], 0, 0, NONE_REMOVED, this.copies + 1);
    for (const { block, first, end, includes } of this.slices()) {
      for (let row = first; row < end; row++)
        if (includes?.(row) !== false) copy = copy.append(0, block.rowAt(row), block.timeOf(row), block.markOf(row));
    }
    return copy;
  }

  /** Returns the list with one more vector and without the oldest `dropped` places. Drops blocks that become empty. */
  append(dropped: number, vector: QueryVector, time: number, mark: VectorMark | undefined): VectorLog {
    const { size, copies } = this;
    const gone = Math.floor((this.start + dropped) / size);
    const blocks = gone === 0 ? this.blocks : this.blocks.slice(gone);
    const [start, end] = [this.start + dropped - gone * size, this.end - gone * size];
    const removed = this.#removedFrom(blocks, start);
    const last = blocks.at(-1);
    const used = end - (blocks.length - 1) * size;
    if (last?.end === used && used < last.capacity) {
      last.append(vector, time, mark);
      return new VectorLog(size, blocks, start, end + 1, removed, copies);
    }
    if (last === undefined || used === size) {
      const next = new VectorBlock(vector.floats.length, last === undefined ? FIRST_CAPACITY : size);
      next.append(vector, time, mark);
      return new VectorLog(size, [...blocks, next], start, end + 1, removed, copies);
    }
    // The dropped vectors of a single block are not copied.
    const first = blocks.length === 1 ? start : 0;
    // Doubles the capacity, so that copying takes amortized constant time per vector.
    const capacity = Math.min(size, Math.max(FIRST_CAPACITY, 2 * (used - first + 1)));
    const copy = last.copy(first, used, capacity);
    copy.append(vector, time, mark);
    const moved = movedRows(removed, last, copy, first);
    return new VectorLog(size, [...blocks.slice(0, -1), copy], start - first, end - first + 1, moved, copies);
  }

  /** The removed rows that are not dropped. */
  #removedFrom(blocks: readonly VectorBlock[], start: number): RemovedRows {
    if (this.removed.size === 0 || (blocks === this.blocks && start === this.start)) return this.removed;
    const kept = new Map<VectorBlock, ReadonlySet<number>>();
    for (const [k, block] of blocks.entries()) {
      const rows = this.removed.get(block);
      const here = k > 0 || rows === undefined ? rows : new Set([...rows].filter((row) => row >= start));
      if (here && here.size > 0) kept.set(block, here);
    }
    return kept;
  }
}

/** Removed rows, after the rows of a block from `first` on were copied to another block. */
function movedRows(removed: RemovedRows, from: VectorBlock, to: VectorBlock, first: number): RemovedRows {
  const rows = removed.get(from);
  if (rows === undefined) return removed;
  const moved = new Map(removed);
  moved.delete(from);
  return moved.set(to, new Set([...rows].map((row) => row - first)));
}

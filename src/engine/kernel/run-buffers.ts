import { lowerBound } from '../../base/index.js';

/** V8 keeps typed arrays up to this size in its own heap. A buffer outside costs microseconds to create and collect. */
const ON_HEAP_LIMIT = 8;

/**
 * The arrays of one run over `size` candidates, in one buffer: at a thousand candidates, three buffers cost more than
 * the scoring. The ranking owns the buffer; with a pool, two concurrent runs would overwrite each other.
 */
export class RunBuffers {
  /** By row: the total. */
  readonly totals: Float64Array;
  /** The positions of the kept candidates, by row. */
  readonly kept: Int32Array;
  /** By position: 0, or the verdict that refused the candidate. */
  readonly verdicts: Uint16Array;
  /** The number of rows that were refused after the vetoes kept them. If 0, rows and totals are used as they are. */
  refusedAfterKept = 0;

  /** @param kept the kept positions of another run, to share */
  constructor(size: number, kept?: Int32Array) {
    if (size <= ON_HEAP_LIMIT) {
      this.totals = new Float64Array(size);
      this.verdicts = new Uint16Array(size);
      this.kept = kept ?? new Int32Array(size);
      return;
    }
    const buffer = new ArrayBuffer(size * (kept ? 10 : 14));
    this.totals = new Float64Array(buffer, 0, size);
    this.kept = kept ?? new Int32Array(buffer, size * 8, size);
    this.verdicts = new Uint16Array(buffer, size * (kept ? 8 : 12), size);
  }
}

/** Refuses a candidate that the vetoes kept. */
export function refuseKept(buffers: RunBuffers, position: number, verdict: number): void {
  buffers.verdicts[position] = verdict;
  buffers.refusedAfterKept += 1;
}

/** The first `count` items. A small array is copied, because a view would move it out of V8's heap. */
export function prefixOf<A extends Float64Array | Int32Array>(array: A, count: number): A {
  if (count === array.length) return array;
  return (array.length <= ON_HEAP_LIMIT ? array.slice(0, count) : array.subarray(0, count)) as A;
}

/** Fills a list with `0 … size - 1`: every candidate, in order. */
export function fillPositions(positions: Int32Array): Int32Array {
  for (let i = 0; i < positions.length; i++) positions[i] = i;
  return positions;
}

/** The items at some positions, in a new list. A loop, because `Array.from` costs more per item than a scorer. */
export function itemsAt<T>(items: readonly T[], positions: Int32Array): readonly T[] {
  const found: T[] = [];
  for (let k = 0; k < positions.length; k++) found.push(items[positions[k]!]!);
  return found;
}

/** The index of a position in an ascending list; −1 when it is not there. O(log n). */
export function indexIn(ascending: Int32Array, position: number): number {
  const index = lowerBound(ascending, position);
  return ascending[index] === position ? index : -1;
}

/** The rows in which a score is missing, each with the number of scores that it combines. */
export class PartialRows {
  /** By row: the number of its scores plus 1; 0 if none is missing. */
  #scores: Uint16Array | undefined;
  #size = 0;

  /** @param rows the number of all rows */
  constructor(private readonly rows: number) {}

  /** The number of rows in which a score is missing. */
  get size(): number {
    return this.#size;
  }

  set(row: number, scores: number): void {
    const all = (this.#scores ??= new Uint16Array(this.rows));
    if (all[row] === 0) this.#size += 1;
    all[row] = scores + 1;
  }

  has(row: number): boolean {
    return this.get(row) !== undefined;
  }

  /** The number of scores; undefined if none is missing. */
  get(row: number): number | undefined {
    const scores = this.#scores?.[row] ?? 0;
    return scores === 0 ? undefined : scores - 1;
  }

  /** The rows, ascending. */
  *keys(): Generator<number> {
    const { length } = this.#scores ?? [];
    for (let row = 0; row < length; row++) if (this.#scores![row] !== 0) yield row;
  }
}

/**
 * Columns of numbers for the parts of a run, one part after the other, in one buffer. A new buffer per part would make V8
 * mark its heap every few parts.
 */
export class ColumnBuffer {
  #numbers = new Float64Array(0);

  /** Columns with arbitrary content. They are valid until the next call. */
  take(count: number, rows: number): readonly Float64Array[] {
    if (this.#numbers.length < count * rows) this.#numbers = new Float64Array(count * rows);
    const numbers = this.#numbers;
    return Array.from({ length: count }, (_, k) => numbers.subarray(k * rows, (k + 1) * rows));
  }
}

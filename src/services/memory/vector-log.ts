import { BLOCK, PlainRows, type RowStore } from './row-store.js';
import { simdRows } from './simd-rows.js';

/** Below this many rows a memory for the SIMD kernel costs more than it saves. */
const WORTH_SIMD = 64;

/** Between these products of lengths a rounded dot product neither overflows nor loses digits to underflow. */
const [LEAST_SCALE, MOST_SCALE] = [2 ** -60, 2 ** 100];

/** One block's estimates. A scan is synchronous, so that one is enough for all. */
const estimates = new Float64Array(BLOCK);

/** The Euclidean length, accumulated in double precision. */
export function lengthOf(vector: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < vector.length; i++) sum += vector[i]! * vector[i]!;
  return Math.sqrt(sum);
}

/**
 * Vectors with the times they were added at, in order, only ever appended to. Any number of memories look at parts
 * of one log: what is in it never changes.
 */
export class VectorLog {
  readonly #rows: RowStore;
  readonly #lengths: Float64Array;
  readonly #times: Float64Array;
  #end = 0;

  constructor(
    readonly dimensions: number,
    readonly capacity: number,
  ) {
    const simd = capacity < WORTH_SIMD ? undefined : simdRows(dimensions, capacity);
    this.#rows = simd ?? new PlainRows(dimensions, capacity);
    this.#lengths = new Float64Array(capacity);
    this.#times = new Float64Array(capacity);
  }

  /** How many vectors were appended so far. */
  get end(): number {
    return this.#end;
  }

  timeOf(index: number): number {
    return this.#times[index]!;
  }

  /** A vector as it was appended: a view, not to be written to. */
  vectorAt(index: number): Float32Array {
    const { data, stride } = this.#rows;
    return data.subarray(index * stride, index * stride + this.dimensions);
  }

  append(vector: Float32Array, length: number, time: number): void {
    this.#rows.data.set(vector, this.#end * this.#rows.stride);
    this.#lengths[this.#end] = length;
    this.#times[this.#end++] = time;
  }

  /** A new log that starts with a part of this one. */
  copy(first: number, end: number, capacity: number): VectorLog {
    const copy = new VectorLog(this.dimensions, capacity);
    for (let i = first; i < end; i++) copy.append(this.vectorAt(i), this.#lengths[i]!, this.#times[i]!);
    return copy;
  }

  /**
   * The greatest cosine between a query and the vectors from `first` to `end` that `seen` (by their time) lets
   * through; never less than -1, which rounding might give.
   *
   * Exactly what a plain loop in double precision gives: the quick estimates only say which few may be the greatest,
   * and those are computed again, term by term.
   */
  greatestCosine(query: Float32Array, first: number, end: number, seen: (time: number) => boolean): number | undefined {
    const length = lengthOf(query);
    const margin = 2 * (this.#rows.stride / 16 + 8) * 2 ** -24;
    let greatest = -1;
    let any = false;
    for (let from = first; from < end; from += BLOCK) {
      const count = Math.min(BLOCK, end - from);
      const promising = this.#estimate(query, length, from, count, seen);
      if (promising !== undefined) {
        any = true;
        // The most promising one first: what is left to recompute is then almost nothing.
        greatest = Math.max(greatest, this.#cosine(query, length, from + promising));
        for (let i = 0; i < count; i++) {
          if (estimates[i]! + margin < greatest || i === promising) continue;
          greatest = Math.max(greatest, this.#cosine(query, length, from + i));
        }
      }
    }
    return any ? greatest : undefined;
  }

  /** Fills the estimates: -∞ for what is not seen, ∞ where only the exact value helps. The index of the greatest. */
  #estimate(query: Float32Array, length: number, from: number, count: number, seen: (time: number) => boolean) {
    const dots = this.#rows.dots(query, from, count);
    let greatest = Number.NEGATIVE_INFINITY;
    let index: number | undefined;
    for (let i = 0; i < count; i++) {
      const scale = length * this.#lengths[from + i]!;
      const safe = scale >= LEAST_SCALE && scale <= MOST_SCALE;
      const estimate = safe ? dots[i]! / scale : Number.POSITIVE_INFINITY;
      estimates[i] = seen(this.#times[from + i]!) ? estimate : Number.NEGATIVE_INFINITY;
      if (estimates[i]! > greatest) {
        greatest = estimates[i]!;
        index = i;
      }
    }
    return index;
  }

  #cosine(query: Float32Array, length: number, index: number): number {
    const scale = length * this.#lengths[index]!;
    if (scale === 0) return 0;
    const { data, stride } = this.#rows;
    const at = index * stride;
    let dot = 0;
    for (let i = 0; i < query.length; i++) dot += query[i]! * data[at + i]!;
    return dot / scale;
  }
}

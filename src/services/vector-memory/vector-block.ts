import { MAX_DOTS_PER_CALL, PlainRows, type RowStore } from './row-store.js';
import { simdRows } from './simd-rows.js';

/** Below this many rows a memory for the SIMD kernel costs more than it saves. */
const MIN_SIMD_ROWS = 64;

/** Between these products of lengths a rounded dot product neither overflows nor loses digits to underflow. */
const [MIN_SCALE, MAX_SCALE] = [2 ** -60, 2 ** 100];

/** One call's estimates. A scan is synchronous, so that one is enough for all. */
const estimates = new Float64Array(MAX_DOTS_PER_CALL);

/** Whether a vector counts, by the time it was added at; undefined where all do. */
export type TimeFilter = ((time: number) => boolean) | undefined;

/** A vector to compare with, and its Euclidean length. */
export interface QueryVector {
  readonly floats: Float32Array;
  readonly length: number;
}

/** The Euclidean length, accumulated in double precision. */
export function euclideanLength(vector: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < vector.length; i++) sum += vector[i]! * vector[i]!;
  return Math.sqrt(sum);
}

/** The vector scaled to length 1; zeros stay zeros. */
export const unitVector = (vector: Float32Array, length: number): Float32Array =>
  length === 0 ? vector : vector.map((value) => value / length);

/**
 * Vectors with the times they were added at, in order, only ever appended to. Any number of memories share parts of one
 * block: what is in it never changes.
 */
export class VectorBlock {
  readonly #rows: RowStore;
  readonly #lengths: Float64Array;
  readonly #times: Float64Array;
  #end = 0;

  constructor(
    readonly dimensions: number,
    readonly capacity: number,
  ) {
    const simd = capacity < MIN_SIMD_ROWS ? undefined : simdRows(dimensions, capacity);
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

  /** A view of a vector, not to be written to. */
  vectorAt(index: number): Float32Array {
    const { data, stride } = this.#rows;
    return data.subarray(index * stride, index * stride + this.dimensions);
  }

  /** A vector scaled to length 1. */
  unitVectorAt(index: number): Float32Array {
    return unitVector(this.vectorAt(index), this.#lengths[index]!);
  }

  append(vector: Float32Array, length: number, time: number): void {
    this.#rows.data.set(vector, this.#end * this.#rows.stride);
    this.#lengths[this.#end] = length;
    this.#times[this.#end++] = time;
  }

  /** A new block that begins with a part of this one. */
  copy(first: number, end: number, capacity: number): VectorBlock {
    const copy = new VectorBlock(this.dimensions, capacity);
    for (let i = first; i < end; i++) copy.append(this.vectorAt(i), this.#lengths[i]!, this.#times[i]!);
    return copy;
  }

  /**
   * The greatest cosine between a query and the vectors from `first` to `end` that count, or `floor` where that is
   * greater; `floor` where none counts.
   *
   * Exactly what a plain loop in double precision gives: the quick estimates only find the few that may be the
   * greatest, which are computed again, term by term.
   */
  maxCosine(
    query: QueryVector,
    first: number,
    end: number,
    counts: TimeFilter,
    floor: number | undefined,
  ): number | undefined {
    let greatest = floor;
    for (let from = first; from < end; from += MAX_DOTS_PER_CALL) {
      const count = Math.min(MAX_DOTS_PER_CALL, end - from);
      const dots = this.#rows.dots(query.floats, from, count);
      for (let i = 0; i < count; i++) estimates[i] = this.#estimate(query, from + i, dots[i]!, counts);
      greatest = this.#greatest(query, count, (i) => from + i, greatest);
    }
    return greatest;
  }

  /** `maxCosine` among some of the vectors. */
  maxCosineAmong(
    query: QueryVector,
    among: readonly number[],
    counts: TimeFilter,
    floor: number | undefined,
  ): number | undefined {
    let greatest = floor;
    for (let from = 0; from < among.length; from += MAX_DOTS_PER_CALL) {
      const rows = among.slice(from, from + MAX_DOTS_PER_CALL);
      for (const [i, row] of rows.entries())
        estimates[i] = this.#estimate(query, row, this.#rows.dots(query.floats, row, 1)[0]!, counts);
      greatest = this.#greatest(query, rows.length, (i) => rows[i]!, greatest);
    }
    return greatest;
  }

  /** The cosine, rounded; -∞ for a vector that does not count, ∞ where only the exact value will do. */
  #estimate({ length }: QueryVector, index: number, dot: number, counts: TimeFilter): number {
    if (counts !== undefined && !counts(this.#times[index]!)) return Number.NEGATIVE_INFINITY;
    const scale = length * this.#lengths[index]!;
    return scale >= MIN_SCALE && scale <= MAX_SCALE ? dot / scale : Number.POSITIVE_INFINITY;
  }

  /** The greatest cosine among those in `estimates`, or the one that is known already. */
  #greatest(
    query: QueryVector,
    count: number,
    place: (i: number) => number,
    known: number | undefined,
  ): number | undefined {
    let likeliest = -1;
    let highest = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < count; i++) {
      if (estimates[i]! > highest) {
        highest = estimates[i]!;
        likeliest = i;
      }
    }
    const margin = 2 * (this.#rows.stride / 16 + 8) * 2 ** -24;
    if (likeliest === -1 || (known !== undefined && highest + margin < known)) return known;
    // The likeliest one first: almost nothing is then left to recompute.
    let greatest = Math.max(known ?? -1, this.#cosine(query, place(likeliest)));
    for (let i = 0; i < count; i++) {
      if (estimates[i]! + margin < greatest || i === likeliest) continue;
      greatest = Math.max(greatest, this.#cosine(query, place(i)));
    }
    return greatest;
  }

  #cosine({ floats, length }: QueryVector, index: number): number {
    const scale = length * this.#lengths[index]!;
    if (scale === 0) return 0;
    const { data, stride } = this.#rows;
    const at = index * stride;
    let dot = 0;
    for (let i = 0; i < floats.length; i++) dot += floats[i]! * data[at + i]!;
    return dot / scale;
  }
}

/** The maximum number of dot products that one call of `dots` computes. */
const MAX_DOTS_PER_CALL = 1024;

/** With fewer rows, the memory of the SIMD kernel costs more than the kernel saves. */
const MIN_SIMD_ROWS = 64;

/** If the product of two lengths is in this range, a rounded dot product neither overflows nor underflows. */
const [MIN_SCALE, MAX_SCALE] = [2 ** -60, 2 ** 100];

/** A shared buffer for estimates. Scans are synchronous, so one buffer is enough. */
const estimates = new Float64Array(MAX_DOTS_PER_CALL);

/** Whether a row is included in comparisons; undefined if all are. */
export type RowFilter = ((row: number) => boolean) | undefined;

/** What is known about a vector of a candidate with an id. */
export interface VectorMark {
  readonly id: string;
  /** The greatest cosine to earlier vectors when it was added; undefined if there were none. */
  readonly similarity: number | undefined;
}

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

/** The vector scaled to length 1. A zero vector stays zero. */
export const unitVector = (vector: Float32Array, length: number): Float32Array =>
  length === 0 ? vector : vector.map((value) => value / length);

/** An append-only list of vectors with the times at which they were added. Memories share parts of a block. */
export class VectorBlock {
  readonly #rows: RowStore;
  readonly #lengths: Float64Array;
  readonly #times: Float64Array;
  /** By row; shorter if the last rows have none. */
  readonly #marks: (VectorMark | undefined)[] = [];
  /** The last row of each id. */
  readonly #rowsById = new Map<string, number>();
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

  /** The number of vectors so far. */
  get end(): number {
    return this.#end;
  }

  timeOf(index: number): number {
    return this.#times[index]!;
  }

  /** A view of a vector. Do not write to it. */
  vectorAt(index: number): Float32Array {
    const { data, stride } = this.#rows;
    return data.subarray(index * stride, index * stride + this.dimensions);
  }

  /** A vector scaled to length 1. */
  unitVectorAt(index: number): Float32Array {
    return unitVector(this.vectorAt(index), this.#lengths[index]!);
  }

  markOf(index: number): VectorMark | undefined {
    return this.#marks[index];
  }

  /** The last of the rows from `first` to `end` whose vector has an id. */
  rowOf(id: string, first: number, end: number): number | undefined {
    let row = this.#rowsById.get(id) ?? -1;
    // A newer memory that shares the block may have added the id again.
    while (row >= end || (row >= first && this.#marks[row]?.id !== id)) row -= 1;
    return row >= first ? row : undefined;
  }

  append({ floats, length }: QueryVector, time: number, mark: VectorMark | undefined): void {
    this.#rows.data.set(floats, this.#end * this.#rows.stride);
    this.#lengths[this.#end] = length;
    this.#times[this.#end] = time;
    if (mark) {
      this.#marks[this.#end] = mark;
      this.#rowsById.set(mark.id, this.#end);
    }
    this.#end += 1;
  }

  /** Copies a part of this block to a new one. */
  copy(first: number, end: number, capacity: number): VectorBlock {
    const copy = new VectorBlock(this.dimensions, capacity);
    for (let i = first; i < end; i++) copy.append(this.rowAt(i), this.#times[i]!, this.#marks[i]);
    return copy;
  }

  /** A view of a vector, with its length. */
  rowAt(index: number): QueryVector {
    return { floats: this.vectorAt(index), length: this.#lengths[index]! };
  }

  /** The cosine of a query and one vector. */
  cosineAt(query: QueryVector, index: number): number {
    return this.#cosine(query, index);
  }

  /**
   * The greatest cosine between a query and the included vectors from `first` to `end`, but at least `floor`; `floor`
   * if none is included.
   *
   * Equals the result of a plain loop in double precision: fast estimates find the few vectors that may have the
   * greatest cosine, and only these are computed exactly.
   */
  maxCosine(
    query: QueryVector,
    first: number,
    end: number,
    includes: RowFilter,
    floor: number | undefined,
  ): number | undefined {
    let greatest = floor;
    for (let from = first; from < end; from += MAX_DOTS_PER_CALL) {
      const count = Math.min(MAX_DOTS_PER_CALL, end - from);
      const dots = this.#rows.dots(query.floats, from, count);
      for (let i = 0; i < count; i++) estimates[i] = this.#estimate(query, from + i, dots[i]!, includes);
      greatest = this.#greatest(query, count, (i) => from + i, greatest);
    }
    return greatest;
  }

  /** `maxCosine` of some of the vectors. */
  maxCosineAmong(
    query: QueryVector,
    among: readonly number[],
    includes: RowFilter,
    floor: number | undefined,
  ): number | undefined {
    let greatest = floor;
    for (let from = 0; from < among.length; from += MAX_DOTS_PER_CALL) {
      const rows = among.slice(from, from + MAX_DOTS_PER_CALL);
      for (const [i, row] of rows.entries())
        estimates[i] = this.#estimate(query, row, this.#rows.dots(query.floats, row, 1)[0]!, includes);
      greatest = this.#greatest(query, rows.length, (i) => rows[i]!, greatest);
    }
    return greatest;
  }

  /** The rounded cosine; −∞ for an excluded vector, ∞ if the cosine must be computed exactly. */
  #estimate({ length }: QueryVector, index: number, dot: number, includes: RowFilter): number {
    if (includes !== undefined && !includes(index)) return Number.NEGATIVE_INFINITY;
    const scale = length * this.#lengths[index]!;
    return scale >= MIN_SCALE && scale <= MAX_SCALE ? dot / scale : Number.POSITIVE_INFINITY;
  }

  /** The greatest exact cosine of the vectors in `estimates`, or `known` if that is greater. */
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
    // Starts with the highest estimate, so that almost no other vector must be recomputed.
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

/** Rows of 32-bit floats in one flat array. Computes dot products of many rows with one query. */
interface RowStore {
  /** Row `i` starts at `i * stride`. Rows are padded with 0 up to the stride. */
  readonly data: Float32Array;
  readonly stride: number;
  /**
   * The rounded dot products of a query with up to `MAX_DOTS_PER_CALL` rows. The error is less than
   * `(stride / 16 + 8) * 2 ** -24` times the product of the lengths, if that is within `MIN_SCALE` and `MAX_SCALE`.
   *
   * @returns one number for each row, valid until the next call
   */
  dots(query: Float32Array, first: number, count: number): Float32Array;
}

/** Rows in a plain array. Uses four sums, because with a single sum each addition waits for the one before. */
class PlainRows implements RowStore {
  readonly data: Float32Array;
  readonly #out: Float32Array;

  constructor(
    readonly stride: number,
    capacity: number,
  ) {
    this.data = new Float32Array(stride * capacity);
    this.#out = new Float32Array(Math.min(MAX_DOTS_PER_CALL, capacity));
  }

  dots(query: Float32Array, first: number, count: number): Float32Array {
    const { data, stride } = this;
    const whole = stride - (stride % 4);
    for (let row = 0, at = first * stride; row < count; row++, at += stride) {
      let [a, b, c, d] = [0, 0, 0, 0];
      for (let i = 0; i < whole; i += 4) {
        a += query[i]! * data[at + i]!;
        b += query[i + 1]! * data[at + i + 1]!;
        c += query[i + 2]! * data[at + i + 2]!;
        d += query[i + 3]! * data[at + i + 3]!;
      }
      for (let i = whole; i < stride; i++) a += query[i]! * data[at + i]!;
      this.#out[row] = a + b + (c + d);
    }
    return this.#out;
  }
}

/** The used part of WebAssembly. Declared here because Node's types do not include it. */
declare const WebAssembly: {
  validate(bytes: Uint8Array): boolean;
  Module: new (bytes: Uint8Array) => object;
  Memory: new (size: { initial: number }) => { readonly buffer: ArrayBuffer };
  Instance: new (module: object, imports: object) => { readonly exports: { readonly dots: Dots } };
};
type Dots = (row: number, query: number, bytes: number, out: number, rows: number) => void;

/** The assembled `simd-rows.wat` in base64. A test compares them. */
export const SIMD_ROWS_WASM =
  'AGFzbQEAAAABCQFgBX9/f39/AAINAQFfBm1lbW9yeQIAAQMCAQAHCAEEZG90cwAACqYCAaMCAgR7AX8DQP0MAAAAAAAAAAAAAAAAAAAAACEF' +
  '/QwAAAAAAAAAAAAAAAAAAAAAIQb9DAAAAAAAAAAAAAAAAAAAAAAhB/0MAAAAAAAAAAAAAAAAAAAAACEIQQAhCQNAIAUgACAJav0ABAAgASAJ' +
  'av0ABAD95gH95AEhBSAGIAAgCWr9AAQQIAEgCWr9AAQQ/eYB/eQBIQYgByAAIAlq/QAEICABIAlq/QAEIP3mAf3kASEHIAggACAJav0ABDAg' +
  'ASAJav0ABDD95gH95AEhCCAJQcAAaiIJIAJJDQALIAUgBv3kASAHIAj95AH95AEhBSADIAX9HwAgBf0fAZIgBf0fAiAF/R8DkpI4AgAgACAC' +
  'aiEAIANBBGohAyAEQQFrIgQNAAsL';

const PAGE = 65536;
const LANES = 16;
const FLOAT = Float32Array.BYTES_PER_ELEMENT;

/** The compiled module, created on first use; `null` if SIMD or WebAssembly is not available. */
let compiled: object | null | undefined;
const compile = (): object | null => {
  try {
    const bytes = Uint8Array.from(atob(SIMD_ROWS_WASM), (character) => character.charCodeAt(0));
    return WebAssembly.validate(bytes) ? new WebAssembly.Module(bytes) : null;
  } catch {
    return null;
  }
};

/** Rows in a WebAssembly memory, multiplied sixteen floats at a time. The memory contains the query, results and rows. */
class SimdRows implements RowStore {
  readonly data: Float32Array;
  readonly #query: Float32Array;
  readonly #out: Float32Array;
  readonly #dots: Dots;

  constructor(
    module: object,
    readonly stride: number,
    capacity: number,
  ) {
    const floats = stride + MAX_DOTS_PER_CALL + stride * capacity;
    const memory = new WebAssembly.Memory({ initial: Math.ceil((floats * FLOAT) / PAGE) });
    this.#query = new Float32Array(memory.buffer, 0, stride);
    this.#out = new Float32Array(memory.buffer, stride * FLOAT, MAX_DOTS_PER_CALL);
    this.data = new Float32Array(memory.buffer, (stride + MAX_DOTS_PER_CALL) * FLOAT, stride * capacity);
    this.#dots = new WebAssembly.Instance(module, { _: { memory } }).exports.dots;
  }

  dots(query: Float32Array, first: number, count: number): Float32Array {
    this.#query.set(query);
    const bytes = this.stride * FLOAT;
    if (count > 0) this.#dots(this.data.byteOffset + first * bytes, 0, bytes, this.#out.byteOffset, count);
    return this.#out;
  }
}

/** Rows for the SIMD kernel; undefined if the kernel is not available or has no memory. */
function simdRows(dimensions: number, capacity: number): RowStore | undefined {
  if (compiled === undefined) compiled = compile();
  if (!compiled) return undefined;
  try {
    return new SimdRows(compiled, Math.ceil(dimensions / LANES) * LANES, capacity);
  } catch {
    return undefined; // No room for another WebAssembly memory. A plain array may still fit.
  }
}

/**
 * The cosine of the angle between two vectors, from −1 to 1; 0 if one of them is zero. Because of rounding it may
 * slightly exceed 1, or be slightly less than 1 for equal vectors: see `COSINE_ROUNDING`.
 *
 * @throws RangeError if they have different lengths
 */
export function cosineSimilarity(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length) throw new RangeError(`expected a vector of ${b.length} numbers, found ${a.length}`);
  let dot = 0;
  let squareA = 0;
  let squareB = 0;
  for (let i = 0; i < a.length; i++) {
    const x = a[i]!;
    const y = b[i]!;
    dot += x * y;
    squareA += x * x;
    squareB += y * y;
  }
  const lengths = Math.sqrt(squareA * squareB);
  return lengths === 0 ? 0 : dot / lengths;
}

/** The maximum rounding error of the cosine of equal vectors. A threshold of 1 minus this finds all repetitions. */
export const COSINE_ROUNDING = 1e-9;

import { MAX_DOTS_PER_CALL, type RowStore } from './row-store.js';

/** The part of WebAssembly that is used here: the types of Node have no such global. */
declare const WebAssembly: {
  validate(bytes: Uint8Array): boolean;
  Module: new (bytes: Uint8Array) => object;
  Memory: new (size: { initial: number }) => { readonly buffer: ArrayBuffer };
  Instance: new (module: object, imports: object) => { readonly exports: { readonly dots: Dots } };
};
type Dots = (row: number, query: number, bytes: number, out: number, rows: number) => void;

/** The bytes that `simd-rows.wat` assembles to, in base64: a test compares them. */
export const SIMD_ROWS_WASM =
  'AGFzbQEAAAABCQFgBX9/f39/AAINAQFfBm1lbW9yeQIAAQMCAQAHCAEEZG90cwAACqYCAaMCAgR7AX8DQP0MAAAAAAAAAAAAAAAAAAAAACEF' +
  '/QwAAAAAAAAAAAAAAAAAAAAAIQb9DAAAAAAAAAAAAAAAAAAAAAAhB/0MAAAAAAAAAAAAAAAAAAAAACEIQQAhCQNAIAUgACAJav0ABAAgASAJ' +
  'av0ABAD95gH95AEhBSAGIAAgCWr9AAQQIAEgCWr9AAQQ/eYB/eQBIQYgByAAIAlq/QAEICABIAlq/QAEIP3mAf3kASEHIAggACAJav0ABDAg' +
  'ASAJav0ABDD95gH95AEhCCAJQcAAaiIJIAJJDQALIAUgBv3kASAHIAj95AH95AEhBSADIAX9HwAgBf0fAZIgBf0fAiAF/R8DkpI4AgAgACAC' +
  'aiEAIANBBGohAyAEQQFrIgQNAAsL';

const PAGE = 65536;
const LANES = 16;
const FLOAT = Float32Array.BYTES_PER_ELEMENT;

/** The compiled module, made for the first block that needs it; `null` where there is no SIMD, or no WebAssembly. */
let compiled: object | null | undefined;
const compile = (): object | null => {
  try {
    const bytes = Uint8Array.from(atob(SIMD_ROWS_WASM), (character) => character.charCodeAt(0));
    return WebAssembly.validate(bytes) ? new WebAssembly.Module(bytes) : null;
  } catch {
    return null;
  }
};

/**
 * Rows in a WebAssembly memory, multiplied sixteen floats at a time. The memory holds the query, the results, the rows.
 */
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

/**
 * Rows for the SIMD kernel; undefined where there is no such kernel or no memory for it: the caller then takes plain
 * ones.
 */
export function simdRows(dimensions: number, capacity: number): RowStore | undefined {
  if (compiled === undefined) compiled = compile();
  if (!compiled) return undefined;
  try {
    return new SimdRows(compiled, Math.ceil(dimensions / LANES) * LANES, capacity);
  } catch {
    return undefined; // no room for another WebAssembly memory: there may be room for a plain array
  }
}

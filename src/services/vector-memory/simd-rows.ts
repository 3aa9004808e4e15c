import { MAX_DOTS_PER_CALL, type RowStore } from './row-store.js';

/** The part of WebAssembly that is used here: the types of Node have no such global. */
declare const WebAssembly: {
  validate(bytes: Uint8Array): boolean;
  Module: new (bytes: Uint8Array) => object;
  Memory: new (size: { initial: number }) => { readonly buffer: ArrayBuffer };
  Instance: new (module: object, imports: object) => { readonly exports: { readonly dots: Dots } };
};
type Dots = (row: number, query: number, bytes: number, out: number, rows: number) => void;

/*
 * Assembled from this text, where L(x, n) = (v128.load offset=n (i32.add (local.get x) (local.get $at))):
 *
 * (module
 *   (import "_" "memory" (memory 1))
 *   (func (export "dots") (param $row i32) (param $query i32) (param $bytes i32) (param $out i32) (param $rows i32)
 *     (local $a v128) (local $b v128) (local $c v128) (local $d v128) (local $at i32)
 *     (loop $each_row
 *       ;; $a = $b = $c = $d = (v128.const f32x4 0 0 0 0), $at = 0
 *       (loop $each_16
 *         (local.set $a (f32x4.add (local.get $a) (f32x4.mul L($row, 0) L($query, 0))))
 *         (local.set $b (f32x4.add (local.get $b) (f32x4.mul L($row, 16) L($query, 16))))
 *         (local.set $c (f32x4.add (local.get $c) (f32x4.mul L($row, 32) L($query, 32))))
 *         (local.set $d (f32x4.add (local.get $d) (f32x4.mul L($row, 48) L($query, 48))))
 *         (br_if $each_16 (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 64))) (local.get $bytes))))
 *       (local.set $a (f32x4.add (f32x4.add (local.get $a) (local.get $b)) (f32x4.add (local.get $c) (local.get $d))))
 *       (f32.store (local.get $out) (f32.add
 *         (f32.add (f32x4.extract_lane 0 (local.get $a)) (f32x4.extract_lane 1 (local.get $a)))
 *         (f32.add (f32x4.extract_lane 2 (local.get $a)) (f32x4.extract_lane 3 (local.get $a)))))
 *       (local.set $row (i32.add (local.get $row) (local.get $bytes)))
 *       (local.set $out (i32.add (local.get $out) (i32.const 4)))
 *       (br_if $each_row (local.tee $rows (i32.sub (local.get $rows) (i32.const 1)))))))
 */
const WASM_BASE64 =
  'AGFzbQEAAAABCQFgBX9/f39/AAINAQFfBm1lbW9yeQIAAQMCAQAHCAEEZG90cwAACqYCAaMCAgR7AX8DQP0MAAAAAAAAAAAAAAAAAAAAACEF' +
  '/QwAAAAAAAAAAAAAAAAAAAAAIQb9DAAAAAAAAAAAAAAAAAAAAAAhB/0MAAAAAAAAAAAAAAAAAAAAACEIQQAhCQNAIAUgACAJav0ABAAgASAJ' +
  'av0ABAD95gH95AEhBSAGIAAgCWr9AAQQIAEgCWr9AAQQ/eYB/eQBIQYgByAAIAlq/QAEICABIAlq/QAEIP3mAf3kASEHIAggACAJav0ABDAg' +
  'ASAJav0ABDD95gH95AEhCCAJQcAAaiIJIAJJDQALIAUgBv3kASAHIAj95AH95AEhBSADIAX9HwAgBf0fAZIgBf0fAiAF/R8DkpI4AgAgACAC' +
  'aiEAIANBBGohAyAEQQFrIgQNAAsL';

const PAGE = 65536;
const LANES = 16;
const FLOAT = Float32Array.BYTES_PER_ELEMENT;

/** Compiled when first asked for; `null` where there is no SIMD or no WebAssembly at all. */
let compiled: object | null | undefined;
const compile = (): object | null => {
  try {
    const bytes = Buffer.from(WASM_BASE64, 'base64');
    return WebAssembly.validate(bytes) ? new WebAssembly.Module(bytes) : null;
  } catch {
    return null;
  }
};

/** Rows in a memory of their own, multiplied sixteen floats at a time: the query first, then the results, the rows. */
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

/** Rows for the SIMD kernel, or undefined where that can't be had: the caller then takes plain ones. */
export function simdRows(dimensions: number, capacity: number): RowStore | undefined {
  if (compiled === undefined) compiled = compile();
  if (!compiled) return undefined;
  try {
    return new SimdRows(compiled, Math.ceil(dimensions / LANES) * LANES, capacity);
  } catch {
    return undefined; // no room for another memory: the plain one may still be had
  }
}

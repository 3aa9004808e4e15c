/** The most dot products that one call of `dots` gives. */
export const MAX_DOTS_PER_CALL = 1024;

/** Rows of 32-bit floats in one flat array, and the dot products of many of them with one query. */
export interface RowStore {
  /** Row `i` starts at `i * stride`. What lies between a row's dimensions and the stride is 0. */
  readonly data: Float32Array;
  readonly stride: number;
  /**
   * The dot products of a query with up to `MAX_DOTS_PER_CALL` rows, rounded: off by less than `(stride / 16 + 8) * 2
   * ** -24` of the product of the lengths, as long as that product is neither huge nor tiny.
   *
   * @returns one number for each row, valid until the next call
   */
  dots(query: Float32Array, first: number, count: number): Float32Array;
}

/** Rows in a plain array. Four sums in parallel, because a single one waits for each addition to end. */
export class PlainRows implements RowStore {
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

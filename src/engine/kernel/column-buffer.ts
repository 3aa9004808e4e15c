/**
 * Columns of numbers for one part of a run after another, in one buffer: a new one for each would make V8 mark its heap
 * every few parts.
 */
export class ColumnBuffer {
  #numbers = new Float64Array(0);

  /** Columns of so many rows, with arbitrary numbers in them; valid until the next are taken. */
  take(count: number, rows: number): readonly Float64Array[] {
    if (this.#numbers.length < count * rows) this.#numbers = new Float64Array(count * rows);
    const numbers = this.#numbers;
    return Array.from({ length: count }, (_, k) => numbers.subarray(k * rows, (k + 1) * rows));
  }
}

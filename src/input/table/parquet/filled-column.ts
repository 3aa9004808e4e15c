import type { DuckDBVector } from '@duckdb/node-api';
import { type Column, NO_COLUMN } from '../../../columns/index.js';

/** The numbers of a vector, and by bit which are there: undefined where all are. */
interface Numbers {
  readonly values: Float64Array;
  readonly present: Uint8Array | undefined;
}

const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

const fieldOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? (Reflect.get(value, key) as unknown) : undefined;

/**
 * The arrays of a vector, where it has them as this version of DuckDB does: its own way to read a number asks a 64-bit
 * integer whether it is there, which costs more than all else.
 */
function numbersOf(vector: DuckDBVector): Numbers | undefined {
  const [values, validity] = [fieldOf(vector, 'items'), fieldOf(vector, 'validity')];
  const [bits, offset] = [fieldOf(validity, 'data'), fieldOf(validity, 'offset')];
  if (!(values instanceof Float64Array) || validity === undefined || offset !== 0) return undefined;
  if (bits === null) return { values, present: undefined };
  if (!(bits instanceof BigUint64Array) || !isLittleEndian) return undefined;
  return { values, present: new Uint8Array(bits.buffer, bits.byteOffset, bits.byteLength) };
}

/** A column that is filled with parts of vectors. */
export class FilledColumn {
  #values = new Float64Array(0);
  /** By row: 0 where the value is absent; filled from the first that is. */
  #present = new Uint8Array(0);
  #isAnyAbsent = false;

  clear(size: number): void {
    if (this.#values.length < size) this.#values = new Float64Array(size);
    this.#isAnyAbsent = false;
  }

  /** Copies `count` numbers of a vector, from one on, to a place. */
  copy(vector: DuckDBVector, from: number, count: number, at: number): void {
    const numbers = numbersOf(vector);
    if (!numbers) return this.#copyEach(vector, from, count, at);
    this.#values.set(numbers.values.subarray(from, from + count), at);
    const { present: bits } = numbers;
    if (!bits) return;
    const present = this.#presence();
    for (let k = 0; k < count; k++) present[at + k] = (bits[(from + k) >> 3]! >> ((from + k) & 7)) & 1;
  }

  column(convert: Column['convert']): Column {
    const present = this.#isAnyAbsent ? this.#present : undefined;
    return { ...NO_COLUMN, values: this.#values, present, convert };
  }

  #copyEach(vector: DuckDBVector, from: number, count: number, at: number): void {
    for (let k = 0; k < count; k++) {
      const value: unknown = vector.getItem(from + k);
      if (typeof value === 'number') this.#values[at + k] = value;
      else this.#presence()[at + k] = 0;
    }
  }

  #presence(): Uint8Array {
    if (this.#isAnyAbsent) return this.#present;
    if (this.#present.length < this.#values.length) this.#present = new Uint8Array(this.#values.length);
    this.#isAnyAbsent = true;
    return this.#present.fill(1);
  }
}

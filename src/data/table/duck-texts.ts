import { isAscii } from 'node:buffer';
import type * as Bindings from '@duckdb/node-bindings';

/**
 * The size of a string in a vector of DuckDB: its length, and then its bytes if there are at most 12, otherwise the first
 * four and a pointer.
 */
export const STRING_SIZE = 16;
const INLINE = 12;
const INLINE_AT = 4;
const POINTER_AT = 8;

/** The most bytes between two texts that are read at once. Memory pages on both sides of a gap exist, so the gap does. */
const MOST_GAP = 64;

/** The most bytes that are read at once. */
const MOST_BYTES = 2 ** 20;

const HIGH_BITS = 0x80808080;

/**
 * Reads the strings of a vector. A call of native code for each text takes most of the time, so texts that are next to
 * each other in memory become one text, which is cut.
 */
export class TextReader {
  readonly #words: Uint32Array;
  readonly #bytes: Buffer;

  /** @param data the strings of the vector, at the start of a buffer */
  constructor(
    private readonly duck: typeof Bindings,
    private readonly data: Uint8Array<ArrayBuffer>,
    private readonly rows: number,
  ) {
    this.#words = new Uint32Array(data.buffer, 0, data.length / 4);
    this.#bytes = Buffer.from(data.buffer, 0, data.length);
  }

  /** @param present by row: 0 if the value is null */
  read(present: Uint8Array | undefined): readonly (string | undefined)[] {
    const inline = this.#bytes.toString('latin1');
    const words = this.#words;
    const texts: (string | undefined)[] = [];
    for (let row = 0; row < this.rows; ) {
      const length = words[4 * row]!;
      const at = STRING_SIZE * row + INLINE_AT;
      if (present?.[row] === 0) texts.push(undefined);
      else if (row > 0 && this.#isRepeated(row) && present?.[row - 1] !== 0) texts.push(texts[row - 1]);
      else if (length > INLINE) {
        row = this.#readRun(texts, row, present);
        continue;
      } else if (((words[4 * row + 1]! | words[4 * row + 2]! | words[4 * row + 3]!) & HIGH_BITS) === 0)
        texts.push(inline.slice(at, at + length));
      else texts.push(this.#bytes.toString('utf8', at, at + length));
      row += 1;
    }
    return texts;
  }

  /** Whether a string is that of the row before it, as in the rows of a group: they share one text. */
  #isRepeated(row: number): boolean {
    const words = this.#words;
    const at = 4 * row;
    return (
      words[at] === words[at - 4] &&
      words[at + 1] === words[at - 3] &&
      words[at + 2] === words[at - 2] &&
      words[at + 3] === words[at - 1]
    );
  }

  /** Reads long texts that are one after another in memory. Returns the row after them. */
  #readRun(texts: (string | undefined)[], first: number, present: Uint8Array | undefined): number {
    const start = this.#pointer(first);
    let end = start;
    let row = first;
    for (; row < this.rows; row++) {
      const length = this.#words[4 * row]!;
      if (present?.[row] === 0 || length <= INLINE) break;
      const pointer = this.#pointer(row);
      const isSame = row > first && pointer === this.#pointer(row - 1);
      if (
        !isSame &&
        (pointer < end || pointer > end + MOST_GAP || pointer + length > start + MOST_BYTES) &&
        row > first
      )
        break;
      end = pointer + length;
    }
    const bytes = this.#read(first, end - start);
    const ascii = isAscii(bytes) ? bytes.toString('latin1') : undefined;
    for (let k = first; k < row; k++) {
      const pointer = this.#pointer(k);
      if (k > first && pointer === this.#pointer(k - 1)) {
        texts.push(texts.at(-1));
        continue;
      }
      const [from, to] = [pointer - start, pointer - start + this.#words[4 * k]!];
      texts.push(ascii === undefined ? bytes.toString('utf8', from, to) : ascii.slice(from, to));
    }
    return row;
  }

  /** Addresses have at most 48 bits. */
  #pointer(row: number): number {
    return this.#words[4 * row + 3]! * 2 ** 32 + this.#words[4 * row + 2]!;
  }

  #read(row: number, length: number): Buffer {
    const at = STRING_SIZE * row + POINTER_AT;
    const bytes = this.duck.get_data_from_pointer(this.data.buffer, at, length);
    return Buffer.from(bytes.buffer, bytes.byteOffset, length);
  }
}

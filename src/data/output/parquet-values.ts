import { writeRleBitPackedHybrid } from 'hyparquet-writer/src/encoding.js';
import { ByteWriter } from 'hyparquet-writer/src/index.js';
import { isLittleEndian } from '../table/table.js';

/** The values of a column chunk that are not null, encoded, and what its statistics say. */
export interface EncodedValues {
  readonly encoding: 'PLAIN' | 'RLE_DICTIONARY';
  /** The content of the data page. */
  readonly bytes: Uint8Array;
  /** The distinct values, as plain texts; undefined for a plain encoding. */
  readonly dictionary: { readonly bytes: Uint8Array; readonly count: number } | undefined;
  /** Undefined if it is unknown. */
  readonly least: number | bigint | boolean | string | undefined;
  readonly greatest: number | bigint | boolean | string | undefined;
}

const plain = (
  array: Float64Array | Int32Array | BigInt64Array,
  least: EncodedValues['least'],
  greatest: EncodedValues['greatest'],
): EncodedValues => {
  const bytes = Buffer.from(array.buffer, array.byteOffset, array.byteLength);
  if (!isLittleEndian) void (array.BYTES_PER_ELEMENT === 4 ? bytes.swap32() : bytes.swap64());
  return { encoding: 'PLAIN', bytes, dictionary: undefined, least, greatest };
};

/** @param present undefined if no value is null */
export function encodeDoubles(values: Float64Array, present: Uint8Array | undefined): EncodedValues {
  const own = new Float64Array(values.length);
  let count = 0;
  let least = Infinity;
  let greatest = -Infinity;
  let hasNaN = false;
  for (let row = 0; row < values.length; row++) {
    if (present?.[row] === 0) continue;
    const value = values[row]!;
    own[count++] = value;
    if (value < least) least = value;
    if (value > greatest) greatest = value;
    hasNaN ||= value !== value;
  }
  // A reader cannot tell 0 from −0 in statistics, so the least one is −0 and the greatest one 0. With NaN they are unknown:
  // to DuckDB and Spark, NaN is greater than every number, but statistics cannot say so.
  const isKnown = least <= greatest && !hasNaN;
  return plain(own.subarray(0, count), isKnown ? least || -0 : undefined, isKnown ? greatest + 0 || 0 : undefined);
}

/**
 * @param present undefined if no value is null
 * @throws RangeError if a value is not an integer of 32 bits
 */
export function encodeIntegers(values: Float64Array, present: Uint8Array | undefined): EncodedValues {
  const own = new Int32Array(values.length);
  let count = 0;
  let least = Infinity;
  let greatest = -Infinity;
  for (let row = 0; row < values.length; row++) {
    if (present?.[row] === 0) continue;
    const value = values[row]!;
    own[count] = value;
    if (own[count++] !== value) throw new RangeError(`${value} is not an integer of 32 bits`);
    if (value < least) least = value;
    if (value > greatest) greatest = value;
  }
  return plain(own.subarray(0, count), count > 0 ? least : undefined, count > 0 ? greatest : undefined);
}

/** @throws RangeError if a value has more than 64 bits */
export function encodeLongs(values: readonly bigint[]): EncodedValues {
  const own = new BigInt64Array(values.length);
  let [least, greatest] = [values[0], values[0]];
  for (const [k, value] of values.entries()) {
    own[k] = value;
    if (own[k] !== value) throw new RangeError(`${value} is not an integer of 64 bits`);
    if (value < least!) least = value;
    if (value > greatest!) greatest = value;
  }
  return plain(own, least, greatest);
}

export function encodeBooleans(values: readonly boolean[]): EncodedValues {
  const bytes = new Uint8Array(Math.ceil(values.length / 8));
  for (const [k, value] of values.entries()) if (value) bytes[k >> 3]! |= 1 << (k & 7);
  const [least, greatest] = values.length === 0 ? [] : [values.every(Boolean), values.some(Boolean)];
  return { encoding: 'PLAIN', bytes, dictionary: undefined, least, greatest };
}

/** Texts with their lengths. Reused, because V8 counts each new buffer as garbage. */
class TextBytes {
  #bytes = Buffer.alloc(2 ** 16);
  #length = 0;
  /** Whether all texts so far are ASCII: then their order in JavaScript is that of their bytes. */
  #isAscii = true;
  #least: string | undefined;
  #greatest: string | undefined;

  clear(): void {
    this.#length = 0;
    this.#isAscii = true;
    this.#least = undefined;
    this.#greatest = undefined;
  }

  add(text: string): void {
    const start = this.#length + 4;
    const most = start + 3 * text.length;
    if (most > this.#bytes.length) this.#grow(most);
    const bytes = this.#bytes;
    let at = start;
    if (text.length < LONG) {
      // A call of native code for each short text takes several times as long.
      for (let k = 0; k < text.length; k++) {
        const code = text.charCodeAt(k);
        if (code > 127) break;
        bytes[at++] = code;
      }
    }
    if (at - start < text.length) {
      at = start + bytes.write(text, start);
      if (at - start !== text.length) this.#isAscii = false;
    }
    const size = at - start;
    bytes[start - 4] = size;
    bytes[start - 3] = size >> 8;
    bytes[start - 2] = size >> 16;
    bytes[start - 1] = size >> 24;
    this.#length = at;
    if (this.#least === undefined || text < this.#least) this.#least = text;
    if (this.#greatest === undefined || text > this.#greatest) this.#greatest = text;
  }

  #grow(most: number): void {
    const grown = Buffer.alloc(Math.max(most, 2 * this.#bytes.length));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }

  /** A copy of the bytes. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length).slice();
  }

  get extremes(): Pick<EncodedValues, 'least' | 'greatest'> {
    return this.#isAscii ? { least: this.#least, greatest: this.#greatest } : { least: undefined, greatest: undefined };
  }
}

/** The length from which native code writes a text faster. */
const LONG = 48;

const texts = new TextBytes();

/** Texts as a dictionary if at least half of them repeat an earlier one. */
export function encodeTexts(values: readonly string[]): EncodedValues {
  texts.clear();
  const coded = codesOf(values);
  if (!coded) {
    for (const text of values) texts.add(text);
    return { encoding: 'PLAIN', bytes: Buffer.from(texts.bytes), dictionary: undefined, ...texts.extremes };
  }
  for (const text of coded.distinct) texts.add(text);
  const page = new ByteWriter();
  const width = bitsOf(coded.distinct.length - 1);
  page.appendUint8(width);
  writeRleBitPackedHybrid(page, coded.codes, width);
  const dictionary = { bytes: Buffer.from(texts.bytes), count: coded.distinct.length };
  return { encoding: 'RLE_DICTIONARY', bytes: page.getBytes(), dictionary, ...texts.extremes };
}

/** The bits that hold every number from 0 to `most`. */
const bitsOf = (most: number): number => 32 - Math.clz32(most);

/** The values that are compared before a dictionary is given up. */
const SAMPLED = 1024;

/** The distinct texts and the code of each text; undefined if most texts are distinct. */
function codesOf(
  values: readonly string[],
): { readonly distinct: readonly string[]; readonly codes: number[] } | undefined {
  const known = new Map<string, number>();
  const distinct: string[] = [];
  const codes: number[] = [];
  let [last, code] = [undefined as string | undefined, -1];
  for (const [k, text] of values.entries()) {
    // The rows of a group have one text object.
    if (text !== last) {
      last = text;
      const found = known.get(text);
      code = found ?? distinct.length;
      if (found === undefined) {
        if (2 * distinct.length > values.length || (k === SAMPLED && 10 * distinct.length > 9 * SAMPLED))
          return undefined;
        known.set(text, code);
        distinct.push(text);
      }
    }
    codes.push(code);
  }
  return distinct.length > 0 ? { distinct, codes } : undefined;
}

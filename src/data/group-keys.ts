import { describeValue, toAssizeError } from '../base/index.js';
import { compilePath, compileSteps, type PathReader, storedReader } from '../expression/index.js';
import { readCell } from './columns.js';
import { columnsOf, lookAt } from './rows.js';

/**
 * The value that names a group of rows. Texts, numbers and booleans never equal each other: `'1'` and `1` are two groups.
 * A missing value and null are one group, and so are all NaN. Dates are equal if their times are.
 */
export type GroupKey = string | number | bigint | boolean | Date | null;

/**
 * Converts the value of a field to a key.
 *
 * @returns if the value cannot name a group, an object that says why
 */
export function toGroupKey(value: unknown): GroupKey | { readonly invalid: string } {
  if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'bigint') return value;
  if (value === undefined || value === null) return null;
  if (typeof value === 'number') {
    if (Math.abs(value) <= Number.MAX_SAFE_INTEGER || !Number.isInteger(value)) return value === 0 ? 0 : value;
    return { invalid: `${value}, and different integers beyond 2^53 may have become this number` };
  }
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value;
  return { invalid: `${describeValue(value)}; expected a text, a number, a boolean, a date or null` };
}

export const sameGroup = (a: GroupKey, b: GroupKey): boolean =>
  Object.is(a, b) || (a instanceof Date && b instanceof Date && a.getTime() === b.getTime());

/** A key in messages, and as the value of an option on the command line. */
export const groupText = (key: GroupKey): string => (key instanceof Date ? key.toISOString() : String(key));

/** Reads the value of a field in each row of a list. */
export function fieldReader(path: string): (rows: readonly unknown[]) => (index: number) => unknown {
  const fast: PathReader = compilePath(path);
  const { steps } = fast;
  const stored = compileSteps(steps, storedReader);
  // A path reads a date as a number; here it stays a date.
  const read = (row: unknown): unknown => {
    const value = fast(row);
    return typeof value === 'number' ? stored(row) : value;
  };
  const [first, ...others] = steps;
  const field = first?.kind === 'key' ? first.key : undefined;
  return (rows) => {
    const table = columnsOf(rows);
    if (!table || field === undefined) return (index) => read(rows[index]);
    const column = others.length === 0 ? table.columns.get(field) : undefined;
    if (column) return (index) => readCell(column, table.from + index);
    const at = lookAt(rows, field);
    return (index) => read(at(index));
  };
}

/**
 * Reads the values that name the groups of rows.
 *
 * @param path of the field
 */
export function groupReader(path: string): ReturnType<typeof fieldReader> {
  const reader = fieldReader(path);
  const [first, ...others] = compilePath(path).steps;
  const field = first?.kind === 'key' && others.length === 0 ? first.key : undefined;
  return (rows) => {
    const table = columnsOf(rows);
    if (field !== undefined && table?.columns.get(field)?.rounded) throw roundedGroups(path);
    return reader(rows);
  };
}

function roundedGroups(path: string): Error {
  const message = `the times in ${path} have microseconds, but dates are read as milliseconds: different groups would become one`;
  const hint = `convert ${path} to a text, such as CAST(${path} AS VARCHAR) in DuckDB, or round it to milliseconds`;
  return toAssizeError([{ code: 'ASZ502', message, hint }]);
}

/** The tags that keep keys of different types apart. */
const TAGS = { string: 1, number: 2, bigint: 3, boolean: 4, date: 5, null: 6 } as const;

const BITS = new Float64Array(1);
const HALVES = new Uint32Array(BITS.buffer);

/**
 * A set of keys in bounded memory: 11 to 22 bytes per key, whatever its length, because it stores a hash of 64 bits. Two
 * different keys have the same hash with a probability of n² / 2⁶⁵: 3 · 10⁻⁸ for a million keys.
 */
export class GroupKeys {
  #size = 0;
  /** Two numbers per slot. A hash is never 0, 0. */
  #slots = new Uint32Array(2 * 1024);
  #low = 0;
  #high = 0;

  /** Adds a key. Returns false if the set has it already. */
  add(key: GroupKey): boolean {
    if (this.#size >= (this.#slots.length / 2) * 0.75) this.#grow();
    this.#hash(key);
    if (!insert(this.#slots, this.#low, this.#high)) return false;
    this.#size += 1;
    return true;
  }

  /** The hashes of all keys, in any order: plain data for `addAll`. */
  get hashes(): Uint32Array {
    const all = new Uint32Array(2 * this.#size);
    let at = 0;
    for (let slot = 0; slot < this.#slots.length; slot += 2) {
      if (this.#slots[slot] === 0 && this.#slots[slot + 1] === 0) continue;
      all[at++] = this.#slots[slot]!;
      all[at++] = this.#slots[slot + 1]!;
    }
    return all;
  }

  /** Whether the set has a key of another set, whose hashes are given. */
  hasAny(hashes: Uint32Array): boolean {
    for (let at = 0; at < hashes.length; at += 2) if (has(this.#slots, hashes[at]!, hashes[at + 1]!)) return true;
    return false;
  }

  /** Adds the keys of another set, whose hashes are given. */
  addAll(hashes: Uint32Array): void {
    for (let at = 0; at < hashes.length; at += 2) {
      if (this.#size >= (this.#slots.length / 2) * 0.75) this.#grow();
      if (insert(this.#slots, hashes[at]!, hashes[at + 1]!)) this.#size += 1;
    }
  }

  #grow(): void {
    const before = this.#slots;
    this.#slots = new Uint32Array(before.length * 2);
    for (let at = 0; at < before.length; at += 2)
      if (before[at] !== 0 || before[at + 1] !== 0) insert(this.#slots, before[at]!, before[at + 1]!);
  }

  #hash(key: GroupKey): void {
    if (typeof key === 'string') this.#hashText(key, TAGS.string);
    else if (typeof key === 'number') this.#hashNumber(key, TAGS.number);
    else if (key === null) this.#hashNumber(0, TAGS.null);
    else if (typeof key === 'boolean') this.#hashNumber(Number(key), TAGS.boolean);
    else if (typeof key === 'bigint') this.#hashText(String(key), TAGS.bigint);
    else this.#hashNumber(key.getTime(), TAGS.date);
  }

  /** cyrb53 by bryc, which mixes two hashes of 32 bits, with all 64 bits of the result. */
  #hashText(text: string, tag: number): void {
    let a = 0xdeadbeef ^ tag;
    let b = 0x41c6ce57 ^ tag;
    for (let k = 0; k < text.length; k++) {
      const unit = text.charCodeAt(k);
      a = Math.imul(a ^ unit, 2654435761);
      b = Math.imul(b ^ unit, 1597334677);
    }
    this.#mix(a, b);
  }

  #hashNumber(number: number, tag: number): void {
    BITS[0] = number;
    let a = 0xdeadbeef ^ tag;
    let b = 0x41c6ce57 ^ tag;
    for (let k = 0; k < 2; k++) {
      a = Math.imul(a ^ HALVES[k]!, 2654435761);
      b = Math.imul(b ^ HALVES[k]!, 1597334677);
    }
    this.#mix(a, b);
  }

  #mix(a: number, b: number): void {
    const low = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
    const high = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
    this.#low = low >>> 0;
    this.#high = high >>> 0 || Number(low === 0);
  }
}

/** Inserts a hash. Returns false if it is there already. */
function insert(slots: Uint32Array, low: number, high: number): boolean {
  const at = slotOf(slots, low, high);
  if (slots[at] !== 0 || slots[at + 1] !== 0) return false;
  slots[at] = low;
  slots[at + 1] = high;
  return true;
}

function has(slots: Uint32Array, low: number, high: number): boolean {
  const at = slotOf(slots, low, high);
  return slots[at] !== 0 || slots[at + 1] !== 0;
}

/** The slot of a hash, or the free slot for it, by linear probing. The table is never full. */
function slotOf(slots: Uint32Array, low: number, high: number): number {
  const mask = slots.length / 2 - 1;
  for (let slot = low & mask; ; slot = (slot + 1) & mask) {
    const at = slot * 2;
    const isFree = slots[at] === 0 && slots[at + 1] === 0;
    if (isFree || (slots[at] === low && slots[at + 1] === high)) return at;
  }
}

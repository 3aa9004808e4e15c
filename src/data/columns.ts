import { isObject } from '../base/index.js';
import { setOwn } from '../expression/index.js';

/** A typed array of numbers. */
export type NumberArray =
  | Float64Array
  | Float32Array
  | Int32Array
  | Uint32Array
  | Int16Array
  | Uint16Array
  | Int8Array
  | Uint8Array
  | Uint8ClampedArray;

/** A column with few distinct values, such as strings. */
export interface DictionaryColumn<V = unknown> {
  /** The distinct values. */
  readonly dictionary: readonly V[];
  /** By row: the index of its value in the dictionary. If it is negative, the value is absent. */
  readonly codes: NumberArray;
}

/** A column with absent values. */
export interface NullableColumn<V = unknown> {
  /** By row. Ignored where the value is absent. */
  readonly values: NumberArray | BigInt64Array | BigUint64Array | readonly V[];
  /** By row: 0 if the value is absent. */
  readonly present: Uint8Array;
}

/**
 * Dates as milliseconds since 1970. Expressions and paths read the number; the row as an object has a `Date`. A number
 * that a `Date` cannot hold, such as Infinity, is absent.
 */
export interface DateColumn {
  /** By row. Fractions are rounded down. */
  readonly dates: Float64Array;
  /** By row: 0 if the value is absent. By default, NaN is absent. */
  readonly present?: Uint8Array;
}

/**
 * The values of one field, by row.
 *
 * A 64-bit integer becomes the nearest double, as in `JSON.parse`. In a list, `undefined` and `null` are absent.
 */
export type ColumnData =
  | NumberArray
  | BigInt64Array
  | BigUint64Array
  | readonly unknown[]
  | DictionaryColumn
  | NullableColumn
  | DateColumn;

/** The internal form of every `ColumnData`. Read values with `readColumn(column, row)`. */
export interface Column {
  /** By row, or by code. */
  readonly values: ArrayLike<unknown>;
  /** By row: the index in `values`; undefined if that is the row. */
  readonly codes: ArrayLike<number> | undefined;
  /** By row: 0 is absent; undefined if every value is present. */
  readonly present: ArrayLike<number> | undefined;
  /** Converts a value when it is read. */
  readonly convert: ((value: unknown) => unknown) | undefined;
  /** `date`: the values are milliseconds since 1970, and the row as an object has a Date. */
  readonly type: 'date' | undefined;
  /** Set if dates lost their part below a millisecond, so that different dates may have become equal. */
  readonly rounded?: boolean;
}

/** A column in which every value is absent. */
export const NO_COLUMN: Column = {
  values: [],
  codes: undefined,
  present: undefined,
  convert: undefined,
  type: undefined,
};

/** The values of a column of booleans, whose codes are 0 and 1. */
export const BOOLEANS: readonly boolean[] = [false, true];

/** The value of a row; undefined if it is absent. */
export function readColumn({ values, codes, present, convert }: Column, row: number): unknown {
  if (present !== undefined && present[row] === 0) return undefined;
  const at = codes === undefined ? row : codes[row]!;
  const value = at < 0 ? undefined : values[at];
  return convert === undefined ? value : convert(value);
}

/** The rows from `from` to before `to` of a column. Typed arrays are not copied. */
export function cutColumn({ values, codes, present, ...others }: Column, from: number, to: number): Column {
  return {
    ...others,
    values: codes ? values : cutList(values, from, to),
    codes: codes && cutList(codes, from, to),
    present: present && cutList(present, from, to),
  };
}

function cutList<V>(list: ArrayLike<V>, from: number, to: number): ArrayLike<V> {
  if (isTypedArray(list)) return list.subarray(from, to) as unknown as ArrayLike<V>;
  return Array.from({ length: to - from }, (_, k) => list[from + k]!);
}

/** The value as in the row's object: a date is a Date. */
export function readCell(column: Column, row: number): unknown {
  const value = readColumn(column, row);
  return column.type === 'date' && typeof value === 'number' ? new Date(value) : value;
}

/** The most milliseconds before and after 1970 that a Date holds. */
export const MOST_MILLIS = 8.64e15;

/**
 * Makes a column of dates and modifies both arrays: fractions are rounded down, and a number that a Date cannot hold
 * becomes ±Infinity and absent, so that `infiniteDates` can count it.
 *
 * @param present    by row: 0 is absent
 * @param wasRounded whether dates were already rounded down
 */
export function dateColumn(millis: Float64Array, present?: Uint8Array, wasRounded = false): Column {
  let known = present;
  let rounded = wasRounded;
  for (let row = 0; row < millis.length; row++) {
    const value = millis[row]!;
    const whole = Math.floor(value);
    if (whole >= -MOST_MILLIS && whole <= MOST_MILLIS) {
      if (whole !== value) {
        millis[row] = whole;
        rounded = true;
      }
      continue;
    }
    if (known?.[row] === 0) {
      millis[row] = 0; // null: the stored number is arbitrary
      continue;
    }
    known ??= new Uint8Array(millis.length).fill(1);
    known[row] = 0;
    if (value === value) millis[row] = value < 0 ? -Infinity : Infinity;
  }
  return { ...NO_COLUMN, values: millis, present: known, type: 'date', ...(rounded && { rounded }) };
}

const isTypedArray = (data: unknown): data is NumberArray | BigInt64Array | BigUint64Array =>
  ArrayBuffer.isView(data) && !(data instanceof DataView);

const isBigArray = (data: unknown): boolean => data instanceof BigInt64Array || data instanceof BigUint64Array;

const isList = (data: unknown): data is ArrayLike<unknown> => Array.isArray(data) || isTypedArray(data);

export const fieldOf = (data: unknown, key: string): unknown => (isObject(data) ? data[key] : undefined);

/**
 * Converts data to a column with its number of rows.
 *
 * @returns if the data is not a column, a string that says what was expected
 */
export function toColumn(data: unknown): { readonly column: Column; readonly length: number } | string {
  if (isList(data)) return { column: { ...NO_COLUMN, values: data, convert: converterOf(data) }, length: data.length };
  const [values, present] = [fieldOf(data, 'values'), fieldOf(data, 'present')];
  if (isList(values) && present instanceof Uint8Array) {
    if (present.length !== values.length)
      return `present to have as many items as values: ${values.length}, not ${present.length}`;
    return { column: { ...NO_COLUMN, values, present, convert: converterOf(values) }, length: values.length };
  }
  const dates = fieldOf(data, 'dates');
  if (dates instanceof Float64Array && (present === undefined || present instanceof Uint8Array)) {
    if (present && present.length !== dates.length)
      return `present to have as many items as dates: ${dates.length}, not ${present.length}`;
    return { column: dateColumn(dates.slice(), present?.slice()), length: dates.length };
  }
  const [dictionary, codes] = [fieldOf(data, 'dictionary'), fieldOf(data, 'codes')];
  if (Array.isArray(dictionary) && isTypedArray(codes) && !isBigArray(codes)) {
    // A copy: loops keep what they computed for a dictionary, and its owner may change it before the next run.
    return { column: { ...NO_COLUMN, values: dictionary.slice(), codes: codes as NumberArray }, length: codes.length };
  }
  return 'a list, a typed array, { values, present }, { dates } or { dictionary, codes }';
}

const converterOf = (values: unknown): Column['convert'] => (isBigArray(values) ? Number : undefined);

/** A range of rows of some columns, without a copy. */
export class Columns {
  /**
   * @param columns by field name
   * @param from    the first row of the range
   */
  constructor(
    readonly columns: ReadonlyMap<string, Column>,
    readonly length: number,
    readonly from = 0,
  ) {}

  /** The rows from `from` to before `to`. */
  slice(from: number, to: number): Columns {
    return new Columns(this.columns, Math.max(0, Math.min(to, this.length) - from), this.from + from);
  }

  /** The same rows with only these columns. */
  only(names: ReadonlySet<string>): Columns {
    return new Columns(new Map([...this.columns].filter(([name]) => names.has(name))), this.length, this.from);
  }

  /** By date field: number of rows in which it is infinite. */
  infiniteDates(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const [name, { type, values, present }] of this.columns) {
      if (type !== 'date' || !present) continue;
      let count = 0;
      for (let row = this.from; row < this.from + this.length; row++) {
        if (present[row] === 0 && Math.abs(Number(values[row])) === Infinity) count += 1;
      }
      if (count > 0) counts.set(name, count);
    }
    return counts;
  }

  /** A row as a new object. Absent values have no key. */
  row(index: number): object {
    const row: Record<string, unknown> = {};
    for (const [name, column] of this.columns) {
      const value = readCell(column, this.from + index);
      if (value !== undefined && value !== null) setOwn(row, name, value);
    }
    return row;
  }
}

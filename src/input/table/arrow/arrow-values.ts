import { type Data, DataType, type Field, type Vector } from 'apache-arrow';
import { type Column, NO_COLUMN } from '../../../columns/index.js';
import { setOwn } from '../../../expression/index.js';
import { isoDate, isoTime, isoTimestamp } from '../times.js';

/** Units as the library numbers them: how many there are in a millisecond; seconds are a thousand of those. */
const PER_MS = [1, 1, 1000, 1_000_000] as const;
const SECONDS = 0;
const DAYS = 0;
const HALF = 0;

const numberOf = (type: DataType, key: string): number => Number(Reflect.get(type, key));

/** A column of one batch of rows: typed arrays are used where they are. */
export function arrowColumn(vector: Vector): Column {
  const [data] = vector.data;
  if (!data) return NO_COLUMN;
  if (vector.data.length === 1 && isNumeric(vector.type)) return numericColumn(data);
  if (vector.data.length === 1 && DataType.isDictionary(vector.type)) return dictionaryColumn(data);
  return { ...NO_COLUMN, values: valuesOf(vector) };
}

const isNumeric = (type: DataType): boolean =>
  DataType.isInt(type) || (DataType.isFloat(type) && numberOf(type, 'precision') !== HALF);

function numericColumn(data: Data): Column {
  const values = data.values as ArrayLike<unknown>;
  const isBig = values instanceof BigInt64Array || values instanceof BigUint64Array;
  return { ...NO_COLUMN, values, present: presentOf(data), convert: isBig ? (value) => Number(value) : undefined };
}

function dictionaryColumn(data: Data): Column {
  const codes = data.values as ArrayLike<number>;
  if (!data.dictionary || codes instanceof BigInt64Array) return NO_COLUMN;
  return { ...NO_COLUMN, values: valuesOf(data.dictionary), codes, present: presentOf(data) };
}

/** Bits as bytes; undefined where nothing is absent. */
function presentOf({ nullCount, nullBitmap, offset, length }: Data): Uint8Array | undefined {
  if (nullCount === 0) return undefined;
  return Uint8Array.from({ length }, (_, row) => (nullBitmap[(offset + row) >> 3]! >> ((offset + row) & 7)) & 1);
}

/** All values of a vector as JSON has them. */
function valuesOf(vector: Vector): readonly unknown[] {
  const stored = storedOf(vector);
  return Array.from({ length: vector.length }, (_, row) => {
    if (!vector.isValid(row)) return undefined;
    return stored ? stored(row) : plainValue(vector.type, vector.get(row));
  });
}

/** Reads times as they are stored: what the library makes of them has no more than milliseconds. */
function storedOf(vector: Vector): ((row: number) => unknown) | undefined {
  const { type, data } = vector;
  const format = timeFormat(type);
  const [only] = data;
  if (!format || !only || data.length > 1) return undefined;
  const values = only.values as ArrayLike<number | bigint>;
  return (row) => format(values[row]!);
}

function timeFormat(type: DataType): ((value: number | bigint) => string) | undefined {
  const unit = numberOf(type, 'unit');
  const perMs = PER_MS[unit as 0 | 1 | 2 | 3];
  const inMillis = (value: number | bigint): number | bigint => (unit === SECONDS ? Number(value) * 1000 : value);
  if (DataType.isTimestamp(type)) {
    const inZone = Boolean(type.timezone);
    return (value) => isoTimestamp(inMillis(value), perMs, inZone);
  }
  if (DataType.isTime(type)) return (value) => isoTime(inMillis(value), perMs);
  if (DataType.isDate(type) && unit === DAYS) return (value) => isoDate(Number(value));
  return DataType.isDate(type) ? (value) => isoDate(Number(value) / 86_400_000) : undefined;
}

/** A value that the library gave, as JSON has it. */
function plainValue(type: DataType, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (typeof value === 'bigint') return Number(value);
  if (DataType.isDecimal(type)) return Number(`${(value as { toString(): string }).toString()}e${-type.scale}`);
  if (DataType.isTimestamp(type)) return isoTimestamp(Number(value), 1, Boolean(type.timezone));
  if (DataType.isDate(type)) return isoDate(Math.floor(Number(value) / 86_400_000));
  if (value instanceof Uint8Array) {
    return DataType.isBinary(type) ? new TextDecoder().decode(value) : Buffer.from(value).toString('base64');
  }
  const fields = fieldsOf(type);
  if (DataType.isStruct(type)) return plainMap(value, (key) => fields.find(({ name }) => name === key)?.type);
  if (DataType.isMap(type)) return plainMap(value, () => fields[0] && fieldsOf(fields[0].type)[1]?.type);
  const [child] = fields;
  if (child && isIterable(value)) return Array.from(value, (item) => plainValue(child.type, item));
  return value;
}

const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, Symbol.iterator) === 'function';

/** The fields of what has some; the library has null elsewhere. */
const fieldsOf = (type: DataType): readonly Field[] => (type.children as readonly Field[] | null) ?? [];

function plainMap(value: unknown, typeOf: (key: string) => DataType | undefined): unknown {
  if (!isIterable(value)) return value;
  const made: Record<string, unknown> = {};
  for (const [key, inner] of value as Iterable<readonly [unknown, unknown]>) {
    const type = typeOf(String(key));
    setOwn(made, String(key), type ? plainValue(type, inner) : inner);
  }
  return made;
}

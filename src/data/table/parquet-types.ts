import type { ParquetParsers, SchemaElement, SchemaTree } from 'hyparquet';
import { isMap, setOwn } from '../../expression/index.js';
import { dateOf, type DateUnit, isoTime, millisOf } from './table.js';

/** A byte order mark at the start of a text is a part of it, as in JSON. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** INT96 is always a timestamp: it becomes milliseconds. */
export const PARSERS: Partial<ParquetParsers> = {
  stringFromBytes: (bytes) => decoder.decode(bytes),
  timestampFromNanoseconds: (nanos) => millisOf(nanos, 'ns'),
};

/** The kind of a column, for its representation. `other`: a list of values, each of them converted when it is read. */
export type ColumnKind = 'number' | 'boolean' | 'date' | 'text' | 'other';

export function kindOf(node: SchemaTree): ColumnKind {
  const { element, children } = node;
  const { type, converted_type: converted, logical_type: logical, repetition_type: repetition } = element;
  if (children.length > 0 || repetition === 'REPEATED') return 'other';
  if (dateUnit(element)) return 'date';
  if (isDecimal(element) || type === 'FLOAT' || type === 'DOUBLE' || logical?.type === 'FLOAT16') return 'number';
  if (type === 'INT32' || type === 'INT64') return isInteger(element) ? 'number' : 'other';
  if (type === 'BOOLEAN') return 'boolean';
  return type === 'BYTE_ARRAY' && converted === 'UTF8' ? 'text' : 'other';
}

/** Integers of so many digits are doubles, and so is their power of ten: the quotient is the nearest double. */
const EXACT_DIGITS = 15;

/** The kind of a column for which DuckDB and hyparquet have the same values; undefined for any other column. */
export function duckKindOf(node: SchemaTree): Exclude<ColumnKind, 'other'> | undefined {
  const kind = kindOf(node);
  return kind === 'other' || differsInDuck(node.element) ? undefined : kind;
}

function differsInDuck(element: SchemaElement): boolean {
  const { type, logical_type: logical, precision = Infinity } = element;
  if (isDecimal(element)) return precision > EXACT_DIGITS;
  if (logical?.type === 'TIMESTAMP') return logical.unit === 'NANOS' && logical.isAdjustedToUTC; // rounds to microseconds
  return type === 'INT96' || logical?.type === 'FLOAT16';
}

const isDecimal = ({ converted_type: converted, logical_type: logical }: SchemaElement): boolean =>
  converted === 'DECIMAL' || logical?.type === 'DECIMAL';

const isInteger = ({ converted_type: converted, logical_type: logical }: SchemaElement): boolean =>
  (converted === undefined || /^U?INT_/.test(converted)) && (logical === undefined || logical.type === 'INTEGER');

/** The unit of a date column; undefined for any other column. */
export const dateUnitOf = (node: SchemaTree): DateUnit | undefined =>
  kindOf(node) === 'date' ? dateUnit(node.element) : undefined;

/** The leaves of a column, each with the schema element that is passed to hyparquet instead. */
export function storedLeaves(node: SchemaTree): readonly (readonly [SchemaElement, SchemaElement])[] {
  if (node.element.logical_type?.type === 'VARIANT') return [];
  return node.children.length === 0
    ? [[node.element, leafOf(node.element).stored]]
    : node.children.flatMap(storedLeaves);
}

/** Converts a stored value; undefined if no conversion is needed. */
export type Convert = ((value: unknown) => unknown) | undefined;

/** A leaf of a schema. */
interface Leaf {
  readonly convert: Convert;
  /** The element without its logical type, so that hyparquet returns stored values. */
  readonly stored: SchemaElement;
}

/** A schema element without its logical type. */
function asStored(element: SchemaElement): SchemaElement {
  const stored = { ...element };
  delete stored.converted_type;
  delete stored.logical_type;
  return stored;
}

const presentOnly =
  (convert: (value: never) => unknown): Convert =>
  (value) =>
    value === undefined || value === null ? value : convert(value as never);

const leaf = (element: SchemaElement, convert: (value: never) => unknown): Leaf => {
  return { convert: presentOnly(convert), stored: asStored(element) };
};

const PER_MS = { MILLIS: 1, MICROS: 1000, NANOS: 1_000_000 } as const;
const UNITS = { MILLIS: 'ms', MICROS: 'us', NANOS: 'ns' } as const;

/** How a leaf is read and converted to values as in JSON. */
function leafOf(element: SchemaElement): Leaf {
  const { type, converted_type: converted, logical_type: logical } = element;
  if (isDecimal(element)) return decimalLeaf(element);
  const unit = dateUnit(element);
  if (type === 'INT96') return { convert: presentOnly(dateOf), stored: element }; // PARSERS returns milliseconds
  if (unit) return leaf(element, (value: number | bigint) => dateOf(millisOf(value, unit)));
  const perMs = timeOfDay(element);
  if (perMs) return leaf(element, (value: number | bigint) => isoTime(value, perMs));
  if (type === 'INT64')
    return leaf(element, isUnsigned(element) ? (value: bigint) => Number(BigInt.asUintN(64, value)) : Number);
  if (converted === 'INTERVAL') return leaf(element, isoDuration);
  if (converted === 'BSON' || logical?.type === 'BSON') return leaf(element, base64);
  const untyped = converted === undefined && logical === undefined;
  if (type === 'BYTE_ARRAY' && (untyped || converted === 'ENUM'))
    return { convert: undefined, stored: { ...element, converted_type: 'UTF8' } };
  if (type === 'FIXED_LEN_BYTE_ARRAY' && untyped) {
    return leaf(element, base64);
  }
  return { convert: undefined, stored: element };
}

const isUnsigned = ({ converted_type: converted, logical_type: logical }: SchemaElement): boolean =>
  converted === 'UINT_64' || (logical?.type === 'INTEGER' && !logical.isSigned);

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** An ISO 8601 duration, such as `P1M2DT3.5S`, from the stored months, days and milliseconds. */
function isoDuration(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return `P${view.getUint32(0, true)}M${view.getUint32(4, true)}DT${view.getUint32(8, true) / 1000}S`;
}

/** Decimals become the nearest double, as `JSON.parse` reads the digits. */
function decimalLeaf(element: SchemaElement): Leaf {
  const { logical_type: logical } = element;
  const scale = element.scale ?? (logical?.type === 'DECIMAL' ? logical.scale : undefined) ?? 0;
  const exponent = `e${-scale}`;
  return leaf(element, (value: number | bigint | Uint8Array) =>
    Number(`${value instanceof Uint8Array ? signedInteger(value) : value}${exponent}`),
  );
}

/** A big-endian integer in two's complement. */
function signedInteger(bytes: Uint8Array): bigint {
  const hex = Buffer.from(bytes).toString('hex');
  return hex === '' ? 0n : BigInt.asIntN(bytes.length * 8, BigInt(`0x${hex}`));
}

/** The unit of a date or timestamp, local or UTC; undefined for any other type. */
function dateUnit({ type, converted_type: converted, logical_type: logical }: SchemaElement): DateUnit | undefined {
  if (type === 'INT96') return 'ms';
  if (converted === 'DATE' || logical?.type === 'DATE') return 'day';
  if (logical?.type === 'TIMESTAMP') return UNITS[logical.unit];
  if (converted === 'TIMESTAMP_MILLIS') return 'ms';
  return converted === 'TIMESTAMP_MICROS' ? 'us' : undefined;
}

/** Units of a time of day per millisecond; undefined for any other type. */
function timeOfDay({ converted_type: converted, logical_type: logical }: SchemaElement) {
  if (logical?.type === 'TIME') return PER_MS[logical.unit];
  if (converted === 'TIME_MILLIS') return 1;
  return converted === 'TIME_MICROS' ? 1000 : undefined;
}

/** The converter of a schema node with its children. */
export function converterOf(node: SchemaTree): Convert {
  const convert = node.children.length === 0 ? leafOf(node.element).convert : groupConverter(node);
  return node.element.repetition_type === 'REPEATED' ? listConverter(convert) : convert;
}

function groupConverter(node: SchemaTree): Convert {
  if (node.element.logical_type?.type === 'VARIANT') return presentOnly(plainValue);
  const [inner] = node.children;
  if (inner && isListLike(node)) {
    return listConverter(inner.children.length === 1 ? converterOf(inner.children[0]!) : elementConverter(inner));
  }
  if (inner && isMapLike(node)) return mapConverter(() => converterOf(inner.children[1]!));
  const fields = new Map(node.children.map((child) => [child.element.name, converterOf(child)]));
  return mapConverter((key) => fields.get(key));
}

/** The one repeated group of a LIST or MAP node; undefined for any other node. */
function repeatedGroup({ element, children }: SchemaTree, type: 'LIST' | 'MAP'): SchemaTree | undefined {
  const [only] = children;
  if (element.converted_type !== type || children.length !== 1) return undefined;
  return only?.element.repetition_type === 'REPEATED' ? only : undefined;
}

/** Whether hyparquet reads a node as a list, so that its values are arrays. */
const isListLike = (node: SchemaTree): boolean => (repeatedGroup(node, 'LIST')?.children.length ?? 2) <= 1;

/** Whether hyparquet reads a node as a map, so that its values are objects. */
function isMapLike(node: SchemaTree): boolean {
  const fields = repeatedGroup(node, 'MAP')?.children;
  return (
    fields?.length === 2 &&
    !fields.some(({ element: { name, repetition_type: repetition } }) => {
      return (name === 'key' || name === 'value') && repetition === 'REPEATED';
    })
  );
}

/** For a list whose elements are not wrapped in a group. */
const elementConverter = (inner: SchemaTree): Convert =>
  inner.children.length === 0 ? leafOf(inner.element).convert : groupConverter(inner);

const listConverter = (convert: Convert): Convert =>
  presentOnly((list: ArrayLike<unknown>) =>
    Array.from(list, (item) => (convert === undefined ? item : convert(item)) ?? null),
  );

const mapConverter = (converterAt: (key: string) => Convert): Convert =>
  presentOnly((map: object) => {
    const made: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(map)) setOwn(made, key, converterAt(key)?.(value) ?? value ?? null);
    return made;
  });

/** Converts a value of a VARIANT as in JSON. */
function plainValue(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Date) return dateOf(value.getTime());
  if (value instanceof Uint8Array) return base64(value);
  if (Array.isArray(value)) return value.map(plainValue);
  if (!isMap(value)) return value;
  return mapConverter(() => plainValue)?.(value);
}

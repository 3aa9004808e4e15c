import type { SchemaElement, SchemaTree } from 'hyparquet';
import { isListLike, isMapLike } from 'hyparquet/src/schema.js';
import { isMap, setOwn } from '../../../expression/index.js';
import { dateOf, type DateUnit, isoTime, millisOf } from '../times.js';

/** What is made of a value as it is stored; undefined where it stays as it is. */
export type Convert = ((value: unknown) => unknown) | undefined;

/** A leaf of a schema: how its values are converted, and the element that makes the library leave them as they are. */
interface Leaf {
  readonly convert: Convert;
  readonly stored: SchemaElement;
}

/** The values of a column that has only this type, without what the type means. */
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

/** The value of a leaf as JSON has it. */
export function leafOf(element: SchemaElement): Leaf {
  const { type, converted_type: converted, logical_type: logical } = element;
  if (converted === 'DECIMAL' || logical?.type === 'DECIMAL') return decimalLeaf(element);
  const unit = dateUnit(element);
  if (type === 'INT96') return { convert: presentOnly(dateOf), stored: element }; // its parser gives milliseconds
  if (unit) return leaf(element, (value: number | bigint) => dateOf(millisOf(value, unit)));
  const perMs = timeOfDay(element);
  if (perMs) return leaf(element, (value: number | bigint) => isoTime(value, perMs));
  if (type === 'INT64')
    return leaf(element, isUnsigned(element) ? (value: bigint) => Number(BigInt.asUintN(64, value)) : Number);
  if (converted === 'INTERVAL') return leaf(element, isoDuration);
  if (converted === 'BSON' || logical?.type === 'BSON') return leaf(element, base64);
  const untyped = converted === undefined && logical === undefined;
  if (type === 'BYTE_ARRAY' && untyped) return { convert: undefined, stored: { ...element, converted_type: 'UTF8' } };
  if (type === 'FIXED_LEN_BYTE_ARRAY' && untyped) {
    return leaf(element, base64);
  }
  return { convert: undefined, stored: element };
}

const isUnsigned = ({ converted_type: converted, logical_type: logical }: SchemaElement): boolean =>
  converted === 'UINT_64' || (logical?.type === 'INTEGER' && !logical.isSigned);

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** `P1M2DT3.5S`, from three numbers: months, days, milliseconds. */
function isoDuration(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return `P${view.getUint32(0, true)}M${view.getUint32(4, true)}DT${view.getUint32(8, true) / 1000}S`;
}

/** The nearest double to a decimal, as `JSON.parse` reads its digits. */
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

/** The unit of a date or a timestamp, local or of UTC; undefined for any other type. */
export function dateUnit({
  type,
  converted_type: converted,
  logical_type: logical,
}: SchemaElement): DateUnit | undefined {
  if (type === 'INT96') return 'ms';
  if (converted === 'DATE' || logical?.type === 'DATE') return 'day';
  if (logical?.type === 'TIMESTAMP') return UNITS[logical.unit];
  if (converted === 'TIMESTAMP_MILLIS') return 'ms';
  return converted === 'TIMESTAMP_MICROS' ? 'us' : undefined;
}

/** How many units of a time of day a millisecond has; undefined for any other type. */
function timeOfDay({ converted_type: converted, logical_type: logical }: SchemaElement) {
  if (logical?.type === 'TIME') return PER_MS[logical.unit];
  if (converted === 'TIME_MILLIS') return 1;
  return converted === 'TIME_MICROS' ? 1000 : undefined;
}

/** What is made of the values of a node of the schema, with all that is in it. */
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

/** The elements of a list that has them without a group around each. */
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

/** A value of any type as JSON has it. */
function plainValue(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Date) return dateOf(value.getTime());
  if (value instanceof Uint8Array) return base64(value);
  if (Array.isArray(value)) return value.map(plainValue);
  if (!isMap(value)) return value;
  return mapConverter(() => plainValue)?.(value);
}

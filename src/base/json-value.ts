import { describeValue } from './problem.js';

/** A value that JSON can represent. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** The maximum depth and number of values of a copy. Deeper or later values are replaced by a description: `a map`. */
const MAX_DEPTH = 8;
const MAX_VALUES = 10_000;

/**
 * A copy of a value that survives a round trip through JSON. A description replaces values that JSON cannot represent,
 * that are too deep or too many, or that cannot be read. A cycle ends at the maximum depth.
 */
export function toJsonValue(value: unknown): JsonValue {
  if (typeof value !== 'object') return leafOf(value);
  let left = MAX_VALUES;
  const copy = (part: unknown, depth: number): JsonValue => {
    left -= 1;
    try {
      return depth === MAX_DEPTH || left < 0 ? leafOf(part) : copyParts(part, (inner) => copy(inner, depth + 1));
    } catch {
      return describeValue(part); // a getter, or the handler of a proxy, throws
    }
  };
  return copy(value, 0);
}

/** A JSON value without parts, or a description. */
function leafOf(value: unknown): JsonValue {
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : String(value); // JSON has no −0
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'bigint') return String(value);
  if (value === undefined) return null;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'an invalid date' : value.toISOString();
  if (value instanceof Error) return value.message;
  return describeValue(value);
}

function copyParts(value: unknown, copy: (part: unknown) => JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null || value instanceof Date || value instanceof Error) {
    return leafOf(value);
  }
  if (value instanceof Set || isNumbers(value)) return Array.from(value, copy);
  if (Array.isArray(value)) return Array.from(value, copy);
  const entries = value instanceof Map ? [...value].map(([key, item]) => [String(key), item]) : Object.entries(value);
  return Object.fromEntries(entries.filter(([, item]) => item !== undefined).map(([key, item]) => [key, copy(item)]));
}

/** The keys whose values are a user's own, in which no key is renamed. */
const USER_VALUES: ReadonlySet<string> = new Set([
  'candidate',
  'caseWeights',
  'case_weights',
  'context',
  'data',
  'from',
  'labels',
  'params',
  'report',
  'signals',
  'to',
  'value',
]);

const CAMEL_CASE = /^[a-z][a-z0-9]*(?:[A-Z][a-z0-9]+)+$/;

/** The key in JSON of a property: `notSelected` becomes `not_selected`. */
const snakeCase = (key: string): string =>
  CAMEL_CASE.test(key) ? key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : key;

/** A copy of plain data with the keys that it has in JSON: snake_case, except in values that are a user's own. */
export function snakeCaseKeys(value: object): object {
  if (Array.isArray(value)) return value.map(jsonKeysOf);
  if (value instanceof Date || 'toJSON' in value) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [snakeCase(key), USER_VALUES.has(key) ? part : jsonKeysOf(part)]),
  );
}

const jsonKeysOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? snakeCaseKeys(value) : value;

/** A copy of plain data whose numbers have at most this many significant digits. Integers are not rounded. */
export function roundNumbers(value: object, digits: number): object {
  const rounded = (_: string, part: unknown): unknown =>
    typeof part === 'number' && !Number.isInteger(part) ? Number(part.toPrecision(digits)) : part;
  return JSON.parse(JSON.stringify(value, rounded)) as object;
}

/** The maximum depth of a value that is written without a copy: deeper than any file of candidates may be. */
const MAX_WRITTEN_DEPTH = 1000;

/**
 * A value that `JSON.stringify` can write: the value itself if possible, otherwise a copy by `toJsonValue`. A cycle, too
 * much depth, a bigint or a getter that throws would otherwise fail the output of all other values.
 */
export function writableInJson<V>(value: V): V | JsonValue {
  try {
    return isWritable(value, MAX_WRITTEN_DEPTH) ? value : toJsonValue(value);
  } catch {
    return toJsonValue(value);
  }
}

function isWritable(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'bigint';
  if (depth === 0) return false;
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    if (value instanceof Date) return true;
    JSON.stringify(value);
    return true;
  }
  for (const part of Object.values(value)) if (!isWritable(part, depth - 1)) return false;
  return true;
}

const isNumbers = (value: object): value is Iterable<number | bigint> =>
  ArrayBuffer.isView(value) && !(value instanceof DataView);

import { describeValue } from './problem.js';

/** A value that JSON has a form for. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** How deep a copy goes, and how many values it has. What is deeper or later is described: `a map`. */
const MAX_DEPTH = 8;
const MAX_VALUES = 10_000;

/**
 * A copy of a value that is the same after a round trip through JSON. It describes what JSON has no form for, what is too
 * deep or too much, and what cannot be read. A value that contains itself a hundred times ends there as well.
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

/** A value of JSON that has no parts, or a description. */
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

/** How deep a value may be that is written as it is: deeper than any file of candidates may be. */
const MAX_WRITTEN_DEPTH = 1000;

/**
 * A value that `JSON.stringify` can write: itself if it can, else a copy by `toJsonValue`. One that contains itself, is too
 * deep for the stack, or has a bigint or a getter that throws would otherwise fail the output of all others.
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

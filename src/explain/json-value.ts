import { describeValue } from '../diagnostics/index.js';

/** A value that JSON has a form for. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

const MAX_DEPTH = 8;

/** A copy of a value that is the same after a round trip through JSON; a description of what JSON has no form for. */
export function toJsonValue(value: unknown, depth = 0): JsonValue {
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : String(value); // JSON has no −0
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'bigint') return String(value);
  if (value === undefined) return null;
  if (typeof value !== 'object') return describeValue(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'an invalid date' : value.toISOString();
  if (value instanceof Error) return value.message;
  if (depth === MAX_DEPTH) return describeValue(value);
  if (value instanceof Set || isNumbers(value))
    return Array.from(value, (item: unknown) => toJsonValue(item, depth + 1));
  if (Array.isArray(value)) return value.map((item) => toJsonValue(item, depth + 1));
  const entries = value instanceof Map ? [...value].map(([key, item]) => [String(key), item]) : Object.entries(value);
  return Object.fromEntries(
    entries.filter(([, item]) => item !== undefined).map(([key, item]) => [key, toJsonValue(item, depth + 1)]),
  );
}

const isNumbers = (value: object): value is Iterable<number | bigint> =>
  ArrayBuffer.isView(value) && !(value instanceof DataView);

/** A finite number, without −0; undefined for anything else. */
export const finiteOrUndefined = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value + 0 : undefined;

/** An object type whose members that may be undefined are optional. */
type WithoutUndefined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The intersection of some object types. */
type Intersection<P extends readonly object[]> = P extends readonly [
  infer First,
  ...infer Rest extends readonly object[],
]
  ? First & Intersection<Rest>
  : unknown;

/**
 * Merges objects in order and leaves out the keys whose value is undefined, as JSON does. Spreading its results instead
 * costs V8 twenty times as much, because such objects have many shapes.
 */
export function omitUndefined<const P extends readonly object[]>(...parts: P): WithoutUndefined<Intersection<P>> {
  const kept: Record<string, unknown> = {};
  for (const part of parts) {
    for (const key of Object.keys(part)) {
      const value: unknown = Reflect.get(part, key);
      if (value !== undefined) kept[key] = value;
    }
  }
  return kept as WithoutUndefined<Intersection<P>>;
}

/** Freezes plain data, at every depth. */
export function deepFreeze<T>(data: T): T {
  if (typeof data !== 'object' || data === null || Object.isFrozen(data)) return data;
  for (const part of Object.values(data)) deepFreeze(part);
  return Object.freeze(data);
}

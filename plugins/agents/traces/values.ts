/*
 * Values of a log, which may be anything. Only own properties are read, so `__proto__` is a key like any other.
 */

/** A map of JSON. */
export type JsonMap = Readonly<Record<string, unknown>>;

export const isMap = (value: unknown): value is JsonMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at a path of keys; undefined if it does not exist or is null. */
export function at(value: unknown, ...keys: readonly string[]): unknown {
  let found = value;
  for (const key of keys) {
    if (!isMap(found) || !Object.hasOwn(found, key)) return undefined;
    found = found[key];
  }
  return found ?? undefined;
}

/** The first of these keys that has a value. */
export function anyOf(value: unknown, ...keys: readonly string[]): unknown {
  for (const key of keys) {
    const found = at(value, key);
    if (found !== undefined) return found;
  }
  return undefined;
}

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const stringOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** A number of at least 0; OTLP writes whole numbers as strings. */
export function countOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : undefined;
}

/** The deepest nesting that is read, as in files of candidates. */
const MAX_DEPTH = 100;

function isDeep(value: unknown, levels = MAX_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeep(item, levels - 1));
}

/** Parses a text that may be JSON; undefined if it is not, or nested too deep. */
export function parseJson(text: string): unknown {
  try {
    const data: unknown = JSON.parse(text);
    return isDeep(data) ? undefined : data;
  } catch {
    return undefined;
  }
}

/** A value that may be JSON in a text. */
export const unpacked = (value: unknown): unknown => (typeof value === 'string' ? (parseJson(value) ?? value) : value);

/** A value as text: a string as it is, anything else as JSON. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  return isDeep(value) ? '[nested too deep]' : (JSON.stringify(value) ?? '');
}

/** JSON with sorted keys: equal for equal values. */
export function canonical(value: unknown, levels = MAX_DEPTH): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (levels === 0) return '"…"';
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, levels - 1)).join()}]`;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item, levels - 1)}`).join()}}`;
}

/** The latest time that a `Date` can hold. */
const MOST_MILLIS = 8.64e15;

/** Numbers below are seconds since 1970, others are milliseconds. */
const LEAST_MILLIS = 1e11;

/** Milliseconds since 1970 of an ISO text, or of seconds or milliseconds; undefined if it is not a time. */
export function timeOf(value: unknown): number | undefined {
  const number = typeof value === 'string' ? Date.parse(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number) || number <= 0) return undefined;
  const millis = typeof value === 'number' && number < LEAST_MILLIS ? number * 1000 : number;
  return millis <= MOST_MILLIS ? millis : undefined;
}

export const isoOf = (millis: number): string => new Date(millis).toISOString();

import { describeValue, type PathReader } from '../../src/sdk.js';

/*
 * What the reference's items are typed to hold. Absent (or null) is `undefined` and never an error; a value of another
 * kind is an error of that candidate, and the entry's `on_error` decides what becomes of it.
 */

const mistyped = (path: PathReader, expected: string, value: unknown): TypeError =>
  new TypeError(`${path.source}: expected ${expected}, found ${describeValue(value)}`);

/** A number, finite or not. */
export function readNumber(path: PathReader, candidate: unknown): number | undefined {
  const value = path(candidate);
  if (value === undefined || typeof value === 'number') return value;
  throw mistyped(path, 'a number', value);
}

/** A number that has a place among others. */
export function readFinite(path: PathReader, candidate: unknown): number | undefined {
  const value = readNumber(path, candidate);
  if (value === undefined || Number.isFinite(value)) return value;
  throw mistyped(path, 'a finite number', value);
}

export function readText(path: PathReader, candidate: unknown): string | undefined {
  const value = path(candidate);
  if (value === undefined || typeof value === 'string') return value;
  throw mistyped(path, 'a string', value);
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((element) => typeof element === 'string');

/** A list of strings, with its repetitions. */
export function readTexts(path: PathReader, candidate: unknown): readonly string[] | undefined {
  const value = path(candidate);
  if (value === undefined || isTexts(value)) return value;
  throw mistyped(path, 'a list of strings', value);
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a map holds under a key of its own; absent where there is no map, too. */
export function readKey(path: PathReader, candidate: unknown, key: string): unknown {
  const map = path(candidate);
  if (map === undefined) return undefined;
  if (!isMap(map)) throw mistyped(path, 'a map', map);
  return Object.hasOwn(map, key) ? (map[key] ?? undefined) : undefined;
}

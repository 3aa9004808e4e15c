import { describeValue } from '../base/index.js';
import { isMap } from './path.js';
import type { PathReader } from './compile-path.js';

/*
 * A path reads a value of any type. These readers accept one type. Another type is an error of that candidate alone, which
 * names the path and which the entry's `on_error` handles. Absent or null is `undefined`, and never an error. Each reader
 * is a function of its own, so that one unit's data does not slow another's reads.
 */

/**
 * The error for a value of the wrong type: `<where>: expected <what>, found <its description>`.
 *
 * @param where the path or name of the value, as the caller writes it
 */
export const typeMismatch = (where: string, expected: string, found: unknown): TypeError =>
  new TypeError(`${where}: expected ${expected}, found ${describeValue(found)}`);

/** The string at a path; `undefined` if it is absent. */
export function readText(path: PathReader, from: unknown): string | undefined {
  const value = path(from);
  if (value === undefined || typeof value === 'string') return value;
  throw typeMismatch(path.source, 'a string', value);
}

/** The number at a path, finite or not; `undefined` if it is absent. */
export function readNumber(path: PathReader, from: unknown): number | undefined {
  const value = path(from);
  if (value === undefined || typeof value === 'number') return value;
  throw typeMismatch(path.source, 'a number', value);
}

/** The finite number at a path; `undefined` if it is absent. */
export function readFinite(path: PathReader, from: unknown): number | undefined {
  const value = path(from);
  if (value === undefined || (typeof value === 'number' && Number.isFinite(value))) return value;
  throw typeMismatch(path.source, 'a finite number', value);
}

/** The boolean at a path; `undefined` if it is absent. */
export function readBoolean(path: PathReader, from: unknown): boolean | undefined {
  const value = path(from);
  if (value === undefined || typeof value === 'boolean') return value;
  throw typeMismatch(path.source, 'true or false', value);
}

/** The list at a path; `undefined` if it is absent. */
export function readList(path: PathReader, from: unknown): readonly unknown[] | undefined {
  const value = path(from);
  if (value === undefined || Array.isArray(value)) return value;
  throw typeMismatch(path.source, 'a list', value);
}

const isStringList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((element) => typeof element === 'string');

/** The list of strings at a path, including duplicates; `undefined` if it is absent. */
export function readTexts(path: PathReader, from: unknown): readonly string[] | undefined {
  const value = path(from);
  if (value === undefined || isStringList(value)) return value;
  throw typeMismatch(path.source, 'a list of strings', value);
}

/** The map at a path; `undefined` if it is absent. Read only its own keys. */
export function readMap(path: PathReader, from: unknown): Readonly<Record<string, unknown>> | undefined {
  const value = path(from);
  if (value === undefined || isMap(value)) return value;
  throw typeMismatch(path.source, 'a map', value);
}

import { describeValue, type PathReader } from '../../src/sdk.js';

/*
 * A path reads whatever is there. These readers say what a unit can work with; anything else is an error of that
 * candidate, named, and the entry's `on_error` decides what becomes of it. Absent is never an error.
 */

const mistyped = (path: PathReader, expected: string, value: unknown): TypeError =>
  new TypeError(`${path.source}: expected ${expected}, found ${describeValue(value)}`);

/** The list that a path gives; `undefined` where it is absent. */
export function readList(path: PathReader, from: unknown): readonly unknown[] | undefined {
  const value = path(from);
  if (value === undefined || Array.isArray(value)) return value;
  throw mistyped(path, 'a list', value);
}

/** The finite number that a path gives; `undefined` where it is absent. */
export function readNumber(path: PathReader, from: unknown): number | undefined {
  const value = path(from);
  if (value === undefined || (typeof value === 'number' && Number.isFinite(value))) return value;
  throw mistyped(path, 'a finite number', value);
}

/** The boolean that a path gives; `undefined` where it is absent. */
export function readBoolean(path: PathReader, from: unknown): boolean | undefined {
  const value = path(from);
  if (value === undefined || typeof value === 'boolean') return value;
  throw mistyped(path, 'true or false', value);
}

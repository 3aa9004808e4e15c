import { didYouMean, toAssizeError } from 'assize';
import { compilePath, nameList } from 'assize/internal';
import { isMap } from '../values.js';
import type { PathReader } from 'assize/sdk';

/**
 * Parses the path of an option.
 *
 * @throws AssizeError (ASZ533) if it is not a valid path
 */
export function optionPath(option: string, text: string): PathReader {
  try {
    return compilePath(text);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const hint = 'write a field, or fields separated by dots: metadata.task';
    throw toAssizeError([{ code: 'ASZ533', message: `${option} is ${JSON.stringify(text)}: ${error.message}`, hint }]);
  }
}

/** A string, number or boolean as text; undefined for other values. */
export const nameOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;

/**
 * Reads a grade: a finite number, or 1 and 0 for true and false.
 *
 * @returns undefined if the value is absent or null; null if it is invalid
 */
export function gradeOf(value: unknown): number | undefined | null {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** A copy of a map without a field at any depth. Shares everything outside the path. */
export function withoutField(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (!isMap(value) || key === undefined || !Object.hasOwn(value, key)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => {
      if (name !== key) return [[name, one]];
      return rest.length > 0 ? [[name, withoutField(one, rest)]] : [];
    }),
  );
}

/**
 * The keys of a path without list indexes.
 *
 * @throws AssizeError (ASZ533) if the path has a list index
 */
export function keysOf(option: string, path: PathReader): readonly string[] {
  return path.steps.map((step) => {
    if (step.kind === 'key') return step.key;
    const message = `${option} is ${JSON.stringify(path.source)}, which goes through a list`;
    throw toAssizeError([{ code: 'ASZ533', message, hint: 'expected fields of maps, as in metadata.success' }]);
  });
}

/** The limits of the search for field names: depth and count. */
const DEEPEST = 3;
const MOST_NAMED = 12;

/** Whether there are rows but none has a value at the path, so the path itself is probably wrong. */
export const isAbsent = (path: PathReader, rows: readonly object[]): boolean =>
  rows.length > 0 && rows.every((row) => path(row) === undefined);

/** A hint for an absent path: a similar field of the first row, else a list of its fields. */
export function otherFields({ source }: PathReader, [first]: readonly object[]): string {
  const names = fieldsOf(first, '', DEEPEST);
  return didYouMean(source, names, `the first candidate has ${nameList(names.slice(0, MOST_NAMED))}`);
}

/** The paths to the values of a map that are not maps. */
function fieldsOf(value: unknown, before: string, depth: number): readonly string[] {
  if (!isMap(value)) return [];
  return Object.entries(value).flatMap(([key, one]) =>
    isMap(one) && depth > 1 ? fieldsOf(one, `${before}${key}.`, depth - 1) : [`${before}${key}`],
  );
}

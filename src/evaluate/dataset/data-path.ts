import { toAssizeError } from '../../diagnostics/index.js';
import { compilePath, isMap, PathError, type PathReader, setOwn } from '../../expression/index.js';

/**
 * The reader of a path that an option gives.
 *
 * @throws AssizeError (ASZ533) where it is none
 */
export function optionPath(option: string, text: string): PathReader {
  try {
    return compilePath(text);
  } catch (error) {
    if (!(error instanceof PathError)) throw error;
    const hint = 'a path is a field, or fields after dots: metadata.task';
    throw toAssizeError([{ code: 'ASZ533', message: `${option} is ${JSON.stringify(text)}: ${error.message}`, hint }]);
  }
}

/** A value that names something: a text, a number or a boolean, as text; undefined of anything else. */
export const nameOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;

/**
 * The grade that a value is: a finite number, or 1 and 0 for true and false; undefined where it is absent or null.
 *
 * @returns null where it is no grade
 */
export function gradeOf(value: unknown): number | undefined | null {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** A copy of a map without one of its fields, at any depth; what lies beside the path is shared. */
export function withoutField(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (!isMap(value) || key === undefined || !Object.hasOwn(value, key)) return value;
  const copy: Record<string, unknown> = {};
  for (const [name, one] of Object.entries(value)) {
    if (name !== key) setOwn(copy, name, one);
    else if (rest.length > 0) setOwn(copy, name, withoutField(one, rest));
  }
  return copy;
}

/**
 * The keys of a path that goes through maps only.
 *
 * @throws AssizeError (ASZ533) where it goes through a list
 */
export function keysOf(option: string, path: PathReader): readonly string[] {
  return path.steps.map((step) => {
    if (step.kind === 'key') return step.key;
    const message = `${option} is ${JSON.stringify(path.source)}, which goes through a list`;
    throw toAssizeError([{ code: 'ASZ533', message, hint: 'expected fields of maps, as in metadata.success' }]);
  });
}

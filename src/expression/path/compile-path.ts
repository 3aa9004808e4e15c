import { compileSteps } from './compile-steps.js';
import { currentFieldNames } from '../field-names.js';
import { formatPath, type PathStep, parsePath } from './path-syntax.js';

/** One symbol for every copy of the library: a plugin may bring its own. */
const BRAND = Symbol.for('assize:path');

/**
 * Reads a value of a candidate: `undefined` where it is absent or null. Only own properties are read, and nothing is
 * read in a value that is no object. A path through `[]` gives the list of the values that are present, or `undefined`
 * where there is no list.
 */
export interface PathReader {
  (candidate: unknown): unknown;
  /** The path as it was written, without a `?` at its end. */
  readonly source: string;
  readonly steps: readonly PathStep[];
  /** What it reads where that is not the candidate: the items of a list, or the run's context. */
  readonly of?: 'item' | 'context';
  /** Whether it is written with a `?` at its end: no warning where no candidate has it. */
  readonly optional: boolean;
}

/**
 * Compiles `a.b`, `metadata["cupel:trust"]`, `steps[0].type`, `steps[].tool.name` or, where no candidate may have it,
 * `title?`. Each call makes a reader of its own; share one only among data of one shape.
 *
 * @throws PathError when the text is not a path
 */
export function compilePath(text: string): PathReader {
  const optional = text.endsWith('?');
  const source = optional ? text.slice(0, -1) : text;
  return readerOf(parsePath(source), source, optional);
}

const readerOf = (steps: readonly PathStep[], source: string, optional: boolean): PathReader =>
  Object.assign(compileSteps(steps), { source, steps, optional, [BRAND]: true });

/**
 * Compiles a path into the candidate, by the names that the profile being resolved has for its fields.
 *
 * @throws PathError when the text is not a path
 */
export function compileCandidatePath(text: string): PathReader {
  const written = compilePath(text);
  const steps = currentFieldNames()?.rename(written.steps) ?? written.steps;
  return steps === written.steps ? written : readerOf(steps, formatPath(steps), written.optional);
}

/** Whether a value is a reader made by `compilePath`, of any copy of the library. */
export const isPathReader = (value: unknown): value is PathReader => typeof value === 'function' && BRAND in value;

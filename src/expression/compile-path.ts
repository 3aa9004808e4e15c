import { isObject } from '../base/index.js';
import { generatedOrPlain } from './code-generation.js';
import { currentFieldNames } from './field-names.js';
import { asRead, mayBeInherited, ownValue } from './plain-data.js';
import { formatPath, parsePath, type PathStep } from './path-syntax.js';

/** One symbol for every copy of the library: a plugin may bring its own. */
const BRAND = Symbol.for('assize:path');

/**
 * Reads a value of a candidate: `undefined` if it is absent or null. Only own properties are read, and nothing is
 * read in a value that is no object. A path through `[]` gives the list of the values that are present, or `undefined`
 * if there is no list.
 */
export interface PathReader {
  (candidate: unknown): unknown;
  /** The path as it was written, without a `?` at its end. */
  readonly source: string;
  readonly steps: readonly PathStep[];
  /** What it reads if that is not the candidate: the items of a list, or the run's context. */
  readonly of?: 'item' | 'context';
  /** Whether it is written with a `?` at its end: no warning if no candidate has it. */
  readonly optional: boolean;
}

/**
 * Compiles `a.b`, `metadata["cupel:trust"]`, `steps[0].type`, `steps[].tool.name` or, if no candidate may have it,
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

/** Reads a value in another; undefined is absent. */
export type ReadValue = (from: unknown) => unknown;

type PathKey = string | number;

/** Makes a reader of keys: with a function text of its own, or, if that is forbidden, as a closure. */
type ReaderFactory = (keys: readonly PathKey[]) => ReadValue;

/** Makes a reader as a closure. All of them share this text, and with it V8's type feedback about other data. */
export const closureReader: ReaderFactory = (keys) => (from) => asRead(valueAt(keys, from));

/** Makes a reader that leaves a Date as it is: for what is shown of a candidate, and for its id. */
export const storedReader: ReaderFactory = (keys) => (from) => valueAt(keys, from) ?? undefined;

function valueAt(keys: readonly PathKey[], from: unknown): unknown {
  let value = from;
  for (const key of keys) value = fieldOf(value, key);
  return value;
}

function fieldOf(value: unknown, key: PathKey): unknown {
  if (mayBeInherited(key)) return ownValue(value, key);
  // A string or a number has nothing of its own under any other key.
  return isObject(value) ? value[key] : undefined;
}

let generatedCount = 0;

/** Numbers first: most fields are, and V8 then keeps them without a box. */
const RESULT = "return typeof v === 'number' ? v : v === null ? undefined : typeof v === 'object' ? asRead(v) : v;";

/**
 * Makes a reader with a function text of its own, so that its property accesses stay monomorphic whatever other readers
 * read. The keys are arguments: no input becomes text. Copies of one text would share their feedback, hence the number
 * in it.
 *
 * @throws EvalError if code generation is forbidden
 */
export const generatedReader: ReaderFactory = (keys) => {
  generatedCount += 1;
  const names = keys.map((_, n) => `k${n}`);
  const body = `return (from) => { let v = from; ${keys.map(stepText).join(' ')} ${RESULT} } // reader ${generatedCount}`;
  // oxlint-disable-next-line typescript/no-implied-eval, typescript/no-unsafe-type-assertion -- constant text; see above
  const make = new Function('ownValue', 'asRead', ...names, body) as (
    own: typeof ownValue,
    read: typeof asRead,
    ...keys: PathKey[]
  ) => ReadValue;
  return make(ownValue, asRead, ...keys);
};

/**
 * The text of one step. A branch that returns undefined, were it never taken, would box every double that is read: the
 * first step, whose value nearly always is an object, catches the error of any other value instead.
 */
function stepText(key: PathKey, n: number): string {
  if (mayBeInherited(key)) return `v = ownValue(v, k${n});`;
  const nothing = 'if (v === undefined || v === null) return undefined;';
  return n === 0 ? `try { v = v[k0]; } catch (error) { ${nothing} throw error; }` : `${nothing} v = v[k${n}];`;
}

const defaultReader: ReaderFactory = (keys) =>
  keys.length === 0
    ? asRead
    : generatedOrPlain(
        () => generatedReader(keys),
        () => closureReader(keys),
      );

/** Compiles the steps of a path to a reader. */
export function compileSteps(steps: readonly PathStep[], make: ReaderFactory = defaultReader): ReadValue {
  const segments: PathKey[][] = [[]];
  for (const step of steps) {
    if (step.kind === 'each') segments.push([]);
    else segments.at(-1)?.push(step.kind === 'key' ? step.key : step.index);
  }
  const [head = asRead, ...rest] = segments.map((keys) => make(keys));
  return rest.length === 0 ? head : flatteningReader(head, rest);
}

/** Reads a list, then a value in each element; nested lists are flattened into one. */
function flatteningReader(head: ReadValue, rest: readonly ReadValue[]): ReadValue {
  return (from) => {
    let values = head(from);
    for (let depth = 0; depth < rest.length; depth++) {
      const read = rest[depth]!;
      if (!Array.isArray(values)) return undefined;
      const found: unknown[] = [];
      for (const element of values) {
        const value = read(element);
        if (value !== undefined) found.push(value);
      }
      values = depth < rest.length - 1 ? found.filter(Array.isArray).flat() : found;
    }
    return values;
  };
}

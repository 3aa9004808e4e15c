import { isObject } from '../../diagnostics/index.js';
import { generatedOrPlain } from '../code-generation.js';
import { asRead, mayBeInherited, ownValue } from '../plain-data.js';
import type { PathStep } from './path-syntax.js';

/** Reads a value in another; undefined is absent. */
export type ReadValue = (from: unknown) => unknown;

type PathKey = string | number;

/** Makes a reader of keys: with a function text of its own, or, where that is forbidden, as a closure. */
export type ReaderFactory = (keys: readonly PathKey[]) => ReadValue;

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
 * @throws EvalError where code generation is forbidden
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

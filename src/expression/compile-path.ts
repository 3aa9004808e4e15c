import { describeValue, isObject } from '../base/index.js';
import { asRead, formatPath, isMap, mayBeInherited, ownValue, parsePath, type PathStep } from './path.js';

/** The same symbol in every copy of the library: a plugin may import its own copy. */
const BRAND = Symbol.for('assize:path');

/**
 * Reads a value of a candidate: `undefined` if it is absent or null. It reads only own properties of objects. A path
 * through `[]` returns the list of the present values, or `undefined` if there is no list.
 */
export interface PathReader {
  (candidate: unknown): unknown;
  /** The path as written, without a `?` at its end. */
  readonly source: string;
  readonly steps: readonly PathStep[];
  /** The data that it reads if not the candidate: items of a list, or the run's context. */
  readonly of?: 'item' | 'context';
  /** Whether the path ends in `?`: then there is no warning if no candidate has the field. */
  readonly optional: boolean;
}

/**
 * Compiles `a.b`, `metadata["cupel:trust"]`, `steps[0].type`, `steps[].tool.name`, or `title?` if possibly no candidate
 * has the field. Each call makes its own reader. Share a reader only among data of the same shape.
 *
 * @param names the renamed fields (`fields`) of a profile, if the path is one of the profile into the candidate
 * @throws PathError if the text is not a path
 */
export function compilePath(text: string, names?: FieldNames): PathReader {
  const optional = text.endsWith('?');
  const source = optional ? text.slice(0, -1) : text;
  const written = parsePath(source);
  const steps = names?.rename(written) ?? written;
  return readerOf(steps, steps === written ? source : formatPath(steps), optional);
}

const readerOf = (steps: readonly PathStep[], source: string, optional: boolean): PathReader =>
  Object.assign(compileSteps(steps), { source, steps, optional, [BRAND]: true });

/**
 * Compiles a path into the candidate, with the renamed fields (`fields`) of the profile that is being resolved.
 *
 * @throws PathError if the text is not a path
 */
export const compileCandidatePath = (text: string): PathReader => compilePath(text, currentFieldNames());

/** Whether a value is a reader made by `compilePath`, from any copy of the library. */
export const isPathReader = (value: unknown): value is PathReader => typeof value === 'function' && BRAND in value;

/** Reads a value inside another one. Undefined means absent. */
export type ReadValue = (from: unknown) => unknown;

type PathKey = string | number;

/** Makes a reader of keys: with its own function text, or as a closure if code generation is forbidden. */
type ReaderFactory = (keys: readonly PathKey[]) => ReadValue;

/** Makes a reader as a closure. All closures share their text, and with it V8's type feedback about other data. */
export const closureReader: ReaderFactory = (keys) => (from) => asRead(valueAt(keys, from));

/** Makes a reader that does not convert a Date: for output, and for the id of a candidate. */
export const storedReader: ReaderFactory = (keys) => (from) => valueAt(keys, from) ?? undefined;

function valueAt(keys: readonly PathKey[], from: unknown): unknown {
  let value = from;
  for (const key of keys) value = fieldOf(value, key);
  return value;
}

function fieldOf(value: unknown, key: PathKey): unknown {
  if (mayBeInherited(key)) return ownValue(value, key);
  // Strings and numbers have no own properties under other keys.
  return isObject(value) ? value[key] : undefined;
}

let generatedCount = 0;

/** Numbers first: most fields are numbers, and V8 then does not box them. */
const RESULT = "return typeof v === 'number' ? v : v === null ? undefined : typeof v === 'object' ? asRead(v) : v;";

/**
 * Makes a reader with its own function text, so that its property accesses stay monomorphic whatever other readers read.
 * Keys are passed as arguments, so that no input becomes code. The text contains a number, because readers with the same
 * text would share their type feedback.
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
 * The text of one step. A branch that returns undefined but was never taken would cause V8 to box every double. So the
 * first step, whose value is nearly always an object, catches the error of other values instead.
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

/** Finds the first row, from `start`, where a value is not the known one: `known[reader][row]`. The number of rows if none. */
export type FindDifference = (
  rows: readonly unknown[],
  known: readonly (readonly unknown[])[],
  start: number,
) => number;

/**
 * Compiles a comparison of the values of readers with known values. A generated text has a call for each reader, which V8
 * inlines; a loop over readers is three times slower.
 */
export const compileDifference = (readers: readonly ReadValue[]): FindDifference =>
  generatedOrPlain<FindDifference>(
    () => {
      generatedCount += 1;
      const differs = readers.map((_, n) => `r${n}(row) !== k${n}[i]`).join(' || ') || 'false';
      const known = readers.map((_, n) => `const k${n} = known[${n}];`).join(' ');
      const loop = `for (let i = start; i < rows.length; i++) { const row = rows[i]; if (${differs}) return i; }`;
      const body = `return (rows, known, start) => { ${known} ${loop} return rows.length; } // readers ${generatedCount}`;
      // oxlint-disable-next-line typescript/no-implied-eval, typescript/no-unsafe-type-assertion -- constant text
      const make = new Function(...readers.map((_, n) => `r${n}`), body) as (
        ...read: readonly ReadValue[]
      ) => FindDifference;
      return make(...readers);
    },
    () => (rows, known, start) => {
      let i = start;
      while (i < rows.length && readers.every((read, n) => read(rows[i]) === known[n]![i])) i++;
      return i;
    },
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

/** Reads a list, then a value in each element. Flattens nested lists into one. */
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

/**
 * A variable that has another value during a synchronous call. Schemas read it, because they do not know which profile
 * they parse.
 */
export class SyncVariable<V> {
  /** @param value the value outside of calls */
  constructor(public value: V) {}

  /** Runs synchronous work with a value. Calls may nest. */
  run<R>(value: V, work: () => R): R {
    const outer = this.value;
    this.value = value;
    try {
      return work();
    } finally {
      this.value = outer;
    }
  }
}

/**
 * Renames the candidate's fields: a profile uses `content` if the candidates have `text`. All renames apply at once, so
 * two fields can swap their names.
 */
export class FieldNames {
  readonly #targets: ReadonlyMap<string, readonly PathStep[]>;
  readonly #longest: number;
  readonly #used = new Set<string>();

  /** @param names paths of field names in the profile, each with the path to read instead */
  constructor(names: readonly (readonly [name: readonly PathStep[], target: readonly PathStep[]])[]) {
    this.#targets = new Map(names.map(([name, target]) => [formatPath(name), target]));
    this.#longest = names.reduce((most, [name]) => Math.max(most, name.length), 0);
  }

  /** The longest name with which a path begins: its number of steps, and the path to read instead. */
  find(steps: readonly PathStep[]): { readonly length: number; readonly target: readonly PathStep[] } | undefined {
    for (let length = Math.min(steps.length, this.#longest); length > 0; length--) {
      const name = formatPath(steps.slice(0, length));
      const target = this.#targets.get(name);
      if (target === undefined) continue;
      this.#used.add(name);
      return { length, target };
    }
    return undefined;
  }

  /** The path in the candidate's own names; the same path if it is not renamed. */
  rename(steps: readonly PathStep[]): readonly PathStep[] {
    const found = this.find(steps);
    return found ? [...found.target, ...steps.slice(found.length)] : steps;
  }

  /** The names that no path has used so far. */
  get unused(): readonly string[] {
    return [...this.#targets.keys()].filter((name) => !this.#used.has(name));
  }
}

/** Set while a profile with renamed fields is resolved. */
const current = new SyncVariable<FieldNames | undefined>(undefined);

/** Runs a synchronous check of a profile with these names for the fields of candidates. */
export const withFieldNames = <R>(names: FieldNames | undefined, check: () => R): R => current.run(names, check);

/** The names of the profile that is being resolved; undefined if it renames no fields. */
export const currentFieldNames = (): FieldNames | undefined => current.value;

/** The `Function` constructor that threw an EvalError. It is not called again unless it is replaced. */
let refusing: FunctionConstructor | undefined;

/**
 * Returns the result of `make`, which generates code, or of `plain` if code generation is forbidden: by a page's policy
 * without `unsafe-eval`, or by Node's --disallow-code-generation-from-strings. Pages report each attempt, so Assize
 * tries only once.
 */
export function generatedOrPlain<F>(make: () => F, plain: () => F): F {
  if (refusing === Function) return plain();
  try {
    return make();
  } catch (error) {
    if (!(error instanceof EvalError)) throw error;
    refusing = Function;
    return plain();
  }
}

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

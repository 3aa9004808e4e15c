import { type JsonValue, toJsonValue } from '../../base/index.js';
import {
  compileSteps,
  type ReadValue,
  storedReader,
  type Expression,
  parsePath,
  type PathStep,
} from '../../expression/index.js';
import type { Use } from '../../profile/index.js';

export { type JsonValue, toJsonValue } from '../../base/index.js';

/** A finite number, without −0; undefined for anything else. */
export const finiteOrUndefined = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value + 0 : undefined;

/** An object type whose members that may be undefined are optional. */
type WithoutUndefined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The intersection of some object types. */
type Intersection<P extends readonly object[]> = P extends readonly [
  infer First,
  ...infer Rest extends readonly object[],
]
  ? First & Intersection<Rest>
  : unknown;

/**
 * Merges objects in order and leaves out the keys whose value is undefined, as JSON does. Spreading its results instead
 * costs V8 twenty times as much, because such objects have many shapes.
 */
export function omitUndefined<const P extends readonly object[]>(...parts: P): WithoutUndefined<Intersection<P>> {
  const kept: Record<string, unknown> = {};
  for (const part of parts) {
    for (const key of Object.keys(part)) {
      const value: unknown = Reflect.get(part, key);
      if (value !== undefined) kept[key] = value;
    }
  }
  return kept as WithoutUndefined<Intersection<P>>;
}

/** Freezes plain data, at every depth. It keeps its own stack: data may be deeper than the stack of calls. */
export function deepFreeze<T>(data: T): T {
  const open: unknown[] = [data];
  while (open.length > 0) {
    const part = open.pop();
    if (typeof part !== 'object' || part === null || Object.isFrozen(part)) continue;
    Object.freeze(part);
    for (const inner of Object.values(part)) open.push(inner);
  }
  return data;
}

/** A field or variable that an entry read: absent if it has neither `value` nor `summary`. */
export interface FieldRead {
  /** `candidate.stars`, `measures.tools`, `signals.phase`, `context.mode`; in a formula also a scorer's id. */
  readonly path: string;
  /** Its value, if that is small. */
  readonly value?: JsonValue;
  /** Its value in words, if that is large: `a list of 30`. */
  readonly summary?: string;
}

/** The candidate and the variables of one explanation, to look up what an expression read. */
export interface VariableLookup {
  readonly candidate: unknown;
  /** The value of a variable or of one field of it (`measures.tools`, `context.user`); undefined is absent. */
  variable(name: string): unknown;
}

const MAX_TEXT_LENGTH = 160;
const MAX_ITEMS = 12;

/** A value that is small enough to be shown, or a description of it. */
function displayValue(value: unknown): Omit<FieldRead, 'path'> {
  if (value === undefined || value === null) return {};
  if (typeof value === 'string' && value.length > MAX_TEXT_LENGTH)
    return { summary: `a text of ${value.length} characters` };
  if (typeof value !== 'object') return { value: toJsonValue(value) };
  if (Array.isArray(value) && value.length > MAX_ITEMS) return { summary: `a list of ${value.length}` };
  const copy: JsonValue = toJsonValue(value);
  if (JSON.stringify(copy).length <= MAX_TEXT_LENGTH) return { value: copy };
  return { summary: Array.isArray(copy) ? `a list of ${copy.length}` : `a map of ${Object.keys(copy ?? {}).length}` };
}

/** One field or variable with its value; a getter that throws makes it `unreadable`. */
export function fieldRead(path: string, read: () => unknown): FieldRead {
  try {
    return omitUndefined({ path }, displayValue(read()));
  } catch {
    return { path, summary: 'unreadable' };
  }
}

const candidatePath = (source: string): string =>
  source.startsWith('[') ? `candidate${source}` : `candidate.${source}`;

/** Reads a path as it is shown: a date stays a date. The reader is compiled for one read: of closures, not of generated code. */
export const readSteps = (steps: readonly PathStep[], from: unknown): unknown =>
  compileSteps(steps, storedReader)(from);

/** Variables that an explanation has elsewhere. */
const SHOWN_ELSEWHERE = new Set(['candidate', 'context', 'now', 'score', 'signals']);

/** Readers of the candidate's fields, by expression: compiled once, and used for every candidate that is explained. */
const fieldReaders = new WeakMap<Expression, readonly (readonly [path: string, read: ReadValue])[]>();

function candidateFields(expression: Expression): readonly (readonly [path: string, read: ReadValue])[] {
  const known = fieldReaders.get(expression);
  if (known) return known;
  const fields = expression.candidatePaths.map(
    (path) => [candidatePath(path), compileSteps(parsePath(path), storedReader)] as const,
  );
  fieldReaders.set(expression, fields);
  return fields;
}

/** The fields and variables that an expression reads, with their values. */
export function readsOfExpression(expression: Expression, lookup: VariableLookup): FieldRead[] {
  return [
    ...candidateFields(expression).map(([path, read]) => fieldRead(path, () => read(lookup.candidate))),
    ...expression.reads
      .filter((name) => !SHOWN_ELSEWHERE.has(name))
      .map((name) => fieldRead(name, () => lookup.variable(name))),
  ];
}

/** The fields and variables that several expressions read, each once. */
export function readsOfExpressions(expressions: readonly Expression[], lookup: VariableLookup): FieldRead[] {
  const reads = expressions.flatMap((expression) => readsOfExpression(expression, lookup));
  return [...new Map(reads.map((read) => [read.path, read])).values()];
}

/** The fields and variables that a use reads through its path params and expressions, without the entries inside it. */
export function readsOfUse(use: Use, lookup: VariableLookup): FieldRead[] {
  if (use.kind === 'expr') return readsOfExpression(use.expression, lookup);
  const paths = use.paths.map(({ source, steps }) =>
    fieldRead(candidatePath(source), () => readSteps(steps, lookup.candidate)),
  );
  return [...paths, ...readsOfExpressions(use.expressions, lookup)];
}

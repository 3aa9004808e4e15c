import { formatNumber, type JsonValue, toJsonValue, truncateEnd } from '../../base/index.js';
import {
  compileSteps,
  type ReadValue,
  storedReader,
  type Expression,
  parsePath,
  type PathStep,
} from '../../expression/index.js';
import type { Use } from '../../profile/index.js';
import type { FieldNode } from './explanation.js';

export { type JsonValue, toJsonValue } from '../../base/index.js';

/** A finite number, without −0; undefined for anything else. */
export const finiteOrUndefined = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value + 0 : undefined;

/** Makes the members that may be undefined optional. */
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
 * Merges objects in order and omits keys whose value is undefined, as JSON does. Pass several objects instead of
 * spreading results of this function: such objects have many shapes, and V8 spreads them about twenty times slower.
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

/** Freezes plain data at every depth. Not recursive, because data may be deeper than the call stack. */
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

/** Looks up the values that an expression reads in one explanation. */
export interface VariableLookup {
  readonly candidate: unknown;
  /** The value of a variable or of one of its fields (`measures.tools`, `context.user`); undefined if absent. */
  variable(name: string): unknown;
}

const MAX_TEXT_LENGTH = 160;
const MAX_ITEMS = 12;

/** A small value as it is; a description of a large one. */
export function displayValue(value: unknown): Pick<FieldNode, 'value' | 'summary'> {
  if (value === undefined || value === null) return {};
  if (typeof value === 'string' && value.length > MAX_TEXT_LENGTH)
    return { summary: `a text of ${value.length} characters` };
  if (typeof value !== 'object') return { value: toJsonValue(value) };
  if (Array.isArray(value) && value.length > MAX_ITEMS) return { summary: `a list of ${value.length}` };
  const copy: JsonValue = toJsonValue(value);
  if (JSON.stringify(copy).length <= MAX_TEXT_LENGTH) return { value: copy };
  return { summary: Array.isArray(copy) ? `a list of ${copy.length}` : `a map of ${Object.keys(copy ?? {}).length}` };
}

const NO_DETAILS: readonly never[] = [];

/** The node of one field or variable. Its summary is `unreadable` if reading it throws. */
export function fieldNode(path: string, read: () => unknown): FieldNode {
  const shown = displayedOrUnreadable(read);
  return omitUndefined({ kind: 'field', id: path }, shown, { text: fieldText(path, shown), details: NO_DETAILS });
}

function displayedOrUnreadable(read: () => unknown): Pick<FieldNode, 'value' | 'summary'> {
  try {
    return displayValue(read());
  } catch {
    return { summary: 'unreadable' };
  }
}

const MAX_VALUE_WIDTH = 40;

const valueText = (value: JsonValue): string =>
  typeof value === 'number' ? formatNumber(value) : truncateEnd(JSON.stringify(value), MAX_VALUE_WIDTH);

/** The text of a present value. */
export const shownText = ({ value = null, summary }: Pick<FieldNode, 'value' | 'summary'>): string =>
  summary ?? valueText(value);

/** `stars = 850`: a field and its value, without `candidate.` and `signals.`. */
function fieldText(path: string, { value, summary }: Pick<FieldNode, 'value' | 'summary'>): string {
  const name = path.replace(/^(?:candidate|signals)\./, '');
  if (summary !== undefined) return `${name} is ${summary}`;
  return value === undefined ? `${name} is absent` : `${name} = ${valueText(value)}`;
}

const candidatePath = (source: string): string =>
  source.startsWith('[') ? `candidate${source}` : `candidate.${source}`;

/** Reads a path once. Dates stay dates. */
export const readSteps = (steps: readonly PathStep[], from: unknown): unknown =>
  compileSteps(steps, storedReader)(from);

/** Variables that an explanation shows elsewhere. */
const SHOWN_ELSEWHERE = new Set(['candidate', 'context', 'now', 'score', 'signals']);

/** Compiled readers of candidate fields by expression, shared by all explanations. */
const fieldReaders = new WeakMap<Expression, readonly (readonly [path: string, read: ReadValue])[]>();

function candidateFields(expression: Expression): readonly (readonly [path: string, read: ReadValue])[] {
  const known = fieldReaders.get(expression);
  if (known) return known;
  const fields = expression.own.candidatePaths.map(
    (path) => [candidatePath(path), compileSteps(parsePath(path), storedReader)] as const,
  );
  fieldReaders.set(expression, fields);
  return fields;
}

/**
 * The fields and variables that an expression reads, with their values. Those that it reads through a named expression are
 * shown once, with that expression.
 */
export function readsOfExpression(expression: Expression, lookup: VariableLookup): FieldNode[] {
  return [
    ...candidateFields(expression).map(([path, read]) => fieldNode(path, () => read(lookup.candidate))),
    ...expression.own.reads
      .filter((name) => !SHOWN_ELSEWHERE.has(name))
      .map((name) => fieldNode(name, () => lookup.variable(name))),
  ];
}

/** The fields and variables that several expressions read, each once. */
export function readsOfExpressions(expressions: readonly Expression[], lookup: VariableLookup): FieldNode[] {
  const reads = expressions.flatMap((expression) => readsOfExpression(expression, lookup));
  return [...new Map(reads.map((node) => [node.id, node])).values()];
}

/** The fields and variables that a use reads through its path params and expressions, excluding nested entries. */
export function readsOfUse(use: Use, lookup: VariableLookup): FieldNode[] {
  if (use.kind === 'expr') return readsOfExpression(use.expression, lookup);
  const paths = use.paths.map(({ source, steps }) =>
    fieldNode(candidatePath(source), () => readSteps(steps, lookup.candidate)),
  );
  return [...paths, ...readsOfExpressions(use.expressions, lookup)];
}

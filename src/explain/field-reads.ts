import type { Expression } from '../expression/expression.js';
import { closureReader, compileSteps, type ReadValue } from '../expression/path/compile-steps.js';
import { type PathStep, parsePath } from '../expression/path/path-syntax.js';
import type { Use } from '../profile/profile.js';
import type { FieldRead } from './explanation.js';
import { type JsonValue, omitUndefined, toJsonValue } from './json-value.js';

/** Where one explanation looks up what was read. */
export interface VariableLookup {
  readonly candidate: unknown;
  /** The value of a variable or of one field of it: `measures.tools`, `context.user`; undefined is absent. */
  variable(name: string): unknown;
}

const MAX_TEXT_LENGTH = 160;
const MAX_ITEMS = 12;

/** A value that is small enough to be shown, or what it is in words. */
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

/** One field or variable with what was found there; what throws when it is read was not there. */
export function fieldRead(path: string, read: () => unknown): FieldRead {
  try {
    return omitUndefined({ path }, displayValue(read()));
  } catch {
    return { path, summary: 'unreadable' };
  }
}

const candidatePath = (source: string): string =>
  source.startsWith('[') ? `candidate${source}` : `candidate.${source}`;

/** Reads as the candidate's own readers do; a reader made for one question need not be fast. */
export const readSteps = (steps: readonly PathStep[], from: unknown): unknown =>
  compileSteps(steps, closureReader)(from);

/** What the whole tree says already, or says elsewhere. */
const STATED_ELSEWHERE = new Set(['candidate', 'context', 'now', 'score', 'signals']);

/** The fields of the candidate that an expression reads: made once, because every candidate is asked for them. */
const fieldReaders = new WeakMap<Expression, readonly (readonly [path: string, read: ReadValue])[]>();

function candidateFields(expression: Expression): readonly (readonly [path: string, read: ReadValue])[] {
  const known = fieldReaders.get(expression);
  if (known) return known;
  const fields = expression.candidatePaths.map(
    (path) => [candidatePath(path), compileSteps(parsePath(path), closureReader)] as const,
  );
  fieldReaders.set(expression, fields);
  return fields;
}

/** What an expression reads. */
export function readsOfExpression(expression: Expression, sight: VariableLookup): FieldRead[] {
  return [
    ...candidateFields(expression).map(([path, read]) => fieldRead(path, () => read(sight.candidate))),
    ...expression.reads
      .filter((name) => !STATED_ELSEWHERE.has(name))
      .map((name) => fieldRead(name, () => sight.variable(name))),
  ];
}

/** What several expressions read, each field once. */
export function readsOfExpressions(expressions: readonly Expression[], sight: VariableLookup): FieldRead[] {
  const reads = expressions.flatMap((expression) => readsOfExpression(expression, sight));
  return [...new Map(reads.map((read) => [read.path, read])).values()];
}

/** What a use reads through its path params and its expressions; not what the entries inside it do. */
export function readsOfUse(use: Use, sight: VariableLookup): FieldRead[] {
  if (use.kind === 'expr') return readsOfExpression(use.expression, sight);
  const paths = use.paths.map(({ source, steps }) =>
    fieldRead(candidatePath(source), () => readSteps(steps, sight.candidate)),
  );
  return [...paths, ...readsOfExpressions(use.expressions, sight)];
}

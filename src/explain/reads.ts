import type { Expression } from '../expression/expression.js';
import { plainReader, type Read, readerOf } from '../expression/path-reader.js';
import { type PathStep, parsePath } from '../expression/path-syntax.js';
import type { Use } from '../profile/profile.js';
import type { FieldRead } from './explanation.js';
import { defined, type Plain, plain } from './plain.js';

/** Where one explanation looks up what was read. */
export interface Sight {
  readonly candidate: unknown;
  /** The value of a variable or of one field of it: `measures.tools`, `context.user`; undefined is absent. */
  variable(name: string): unknown;
}

const LONGEST = 160;
const MOST_ITEMS = 12;

/** A value that is small enough to be shown, or what it is in words. */
function shownValue(value: unknown): Omit<FieldRead, 'path'> {
  if (value === undefined || value === null) return {};
  if (typeof value === 'string' && value.length > LONGEST) return { summary: `a text of ${value.length} characters` };
  if (typeof value !== 'object') return { value: plain(value) };
  if (Array.isArray(value) && value.length > MOST_ITEMS) return { summary: `a list of ${value.length}` };
  const copy: Plain = plain(value);
  if (JSON.stringify(copy).length <= LONGEST) return { value: copy };
  return { summary: Array.isArray(copy) ? `a list of ${copy.length}` : `a map of ${Object.keys(copy ?? {}).length}` };
}

/** One field or variable with what was found there; what throws when it is read was not there. */
export function readOf(path: string, read: () => unknown): FieldRead {
  try {
    return defined({ path }, shownValue(read()));
  } catch {
    return { path, summary: 'unreadable' };
  }
}

const ofCandidate = (source: string): string => (source.startsWith('[') ? `candidate${source}` : `candidate.${source}`);

/** Reads as the candidate's own readers do; a reader made for one question need not be fast. */
export const readSteps = (steps: readonly PathStep[], from: unknown): unknown => readerOf(steps, plainReader)(from);

/** What the whole tree says already, or says elsewhere. */
const SAID = new Set(['candidate', 'context', 'now', 'score', 'signals']);

/** The fields of the candidate that an expression reads: made once, because every candidate is asked for them. */
const fieldsOf = new WeakMap<Expression, readonly (readonly [path: string, read: Read])[]>();

function candidateFields(expression: Expression): readonly (readonly [path: string, read: Read])[] {
  const known = fieldsOf.get(expression);
  if (known) return known;
  const fields = expression.candidatePaths.map(
    (path) => [ofCandidate(path), readerOf(parsePath(path), plainReader)] as const,
  );
  fieldsOf.set(expression, fields);
  return fields;
}

/** What an expression reads. */
export function readsOfExpression(expression: Expression, sight: Sight): FieldRead[] {
  return [
    ...candidateFields(expression).map(([path, read]) => readOf(path, () => read(sight.candidate))),
    ...expression.reads.filter((name) => !SAID.has(name)).map((name) => readOf(name, () => sight.variable(name))),
  ];
}

/** What several expressions read, each field once. */
export function readsOfAll(expressions: readonly Expression[], sight: Sight): FieldRead[] {
  const reads = expressions.flatMap((expression) => readsOfExpression(expression, sight));
  return [...new Map(reads.map((read) => [read.path, read])).values()];
}

/** What a use reads through its path params and its expressions; not what the entries inside it do. */
export function readsOf(use: Use, sight: Sight): FieldRead[] {
  if (use.kind === 'expr') return readsOfExpression(use.expression, sight);
  const paths = use.paths.map(({ source, steps }) =>
    readOf(ofCandidate(source), () => readSteps(steps, sight.candidate)),
  );
  return [...paths, ...readsOfAll(use.expressions, sight)];
}

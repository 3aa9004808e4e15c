import type { ASTNode } from '@marcbachmann/cel-js';
import { isObject, type Place } from '../diagnostics/index.js';
import { type CheckedNode, describeType, isAssignable, type NodeOf, partsOf } from './cel/checked-node.js';
import { Checker } from './cel/checker.js';
import { compile } from './cel/compiler.js';
import { parseCel } from './cel/parse-cel.js';
import { throwMismatch } from './cel/operators.js';
import {
  type BoundExpression,
  CANDIDATE_VARIABLE,
  ExpressionError,
  type ExpressionScope,
  type VariableBindings,
  type ExpressionProblem,
} from './scope.js';
import { currentFieldNames, type FieldNames, withFieldNames } from './field-names.js';
import { parsePath, type PathStep } from './path-syntax.js';

/** The type that an expression's result must have. Absent is always allowed. */
export type ResultType = 'bool' | 'number' | 'any';

/** An expression that parsed and type-checked. */
export interface Expression {
  readonly source: string;
  /** Where it is written, where that is known. */
  readonly place: Place | undefined;
  /** The number of its operations and operands. */
  readonly size: number;
  /** Whether it reads nothing, and so has one value. */
  readonly constant: boolean;
  readonly readsCandidate: boolean;
  /** Whether it reads the candidate as a whole, such as `size(candidate)` or a field whose name it computes. */
  readonly readsWholeCandidate: boolean;
  /** The candidate's paths that it reads: `a.b`, `metadata["cupel:trust"]`; not what macros read in elements. */
  readonly candidatePaths: readonly string[];
  /** The candidate's paths whose absence it provides for, with `has`, `.?`, `orValue` or `== null`. */
  readonly optionalPaths: readonly string[];
  /**
   * The variables that it reads, their known fields and paths into the context: `now`, `measures.tools`,
   * `context.user`.
   */
  readonly reads: readonly string[];
  /** Those of `reads` whose absence it provides for. */
  readonly optionalReads: readonly string[];
  /**
   * What is wrong with it where these fields of the candidate are dates, as the schema of a table says: a date that is
   * compared with a text, for example.
   */
  problemsWithDates(dates: ReadonlySet<string>): readonly ExpressionProblem[];
  /** What it was parsed to: names resolved, constants folded. The closures that `bind` makes are of this tree. */
  readonly tree: CheckedNode;
  /**
   * Compiles it to a function. Each function has readers of its own, so bind once for each entry. `candidate` needs no
   * binding.
   *
   * @param steps how many steps one evaluation may take, a million by default: one for each element that a macro
   *   visits, and those that lists, maps and texts are made of in it. More is an ExpressionStepsError
   * @throws TypeError when a variable that it reads has no binding
   */
  bind(bindings: VariableBindings, steps?: number): BoundExpression;
  /** `bind` without a check of the result's type: for a caller that checks it itself, in a hot loop. */
  bindUnchecked(bindings: VariableBindings, steps?: number): BoundExpression;
}

/** Whether a value is an `Expression`. */
export const isExpression = (value: unknown): value is Expression =>
  typeof value === 'object' && value !== null && 'candidatePaths' in value && 'bindUnchecked' in value;

/**
 * Parses and type-checks a CEL expression. Every number is a double and `/` divides. An absent or null field makes
 * what reads it absent. `has(x)` and a comparison with the literal `null` test for absence, and `x.?y.orValue(v)`
 * replaces it. In a profile with other names of fields (`fields`) it is the expression with these.
 *
 * @param want the type of its result: a result known to be of another type is a problem, one found to be is a failure
 * @param place where it is written, for the error of an evaluation that is too long
 * @throws ExpressionError with all of its problems
 */
export function parseExpression(
  source: string,
  scope: ExpressionScope,
  want: ResultType = 'any',
  place?: Place,
): Expression {
  const syntax = parseCel(source);
  const checker = new Checker(scope);
  const tree = checker.check(syntax);
  if (want !== 'any' && checker.problems.length === 0 && !isAssignable(tree.type, want)) {
    const hint = want === 'number' && tree.type === 'bool' ? 'condition ? 1 : 0 is a number' : undefined;
    checker.addProblem(syntax, `${scope.name} needs ${describeType(want)}, found ${describeType(tree.type)}`, hint);
  }
  if (checker.problems.length > 0) throw new ExpressionError(source, checker.problems);
  const names = currentFieldNames();
  const renamed = names ? renameFields(source, syntax, names) : source;
  // What is written has been checked as it is written, so that a mistake in it is found where it is.
  if (renamed !== source) return withFieldNames(undefined, () => parseExpression(renamed, scope, want, place));
  const reads = [...checker.reads];
  return {
    source,
    place,
    size: countNodes(tree),
    constant: reads.length === 0,
    readsCandidate: checker.reads.has('candidate'),
    readsWholeCandidate: readsWhole(tree),
    candidatePaths: [...checker.candidatePaths],
    optionalPaths: [...checker.optionalPaths],
    reads,
    optionalReads: [...checker.optionalReads],
    problemsWithDates: (dates) => {
      if (![...checker.candidatePaths].some((path) => dates.has(firstKey(path) ?? ''))) return [];
      const typed = new Checker({ ...scope, dates });
      typed.check(parseCel(source));
      return typed.problems;
    },
    tree,
    bind: (bindings, steps) => withResultCheck(want, tree, compile(tree, bindings, { source, place }, steps)),
    bindUnchecked: (bindings, steps) => compile(tree, bindings, { source, place }, steps),
  };
}

function firstKey(path: string): string | undefined {
  const [first] = parsePath(path);
  return first?.kind === 'key' ? first.key : undefined;
}

/** Counts the nodes of a tree, or of a part of one. */
const countNodes = (part: unknown): number =>
  isObject(part)
    ? Object.values(part).reduce<number>((sum, inner) => sum + countNodes(inner), 'op' in part ? 1 : 0)
    : 0;

/** Whether the candidate itself stands somewhere in a tree, and not only at the start of a path. */
function readsWhole(tree: CheckedNode): boolean {
  if (tree.op === 'variable') return tree.name === CANDIDATE_VARIABLE;
  if (tree.op === 'path' && tree.of.op === 'variable') return false;
  return partsOf(tree).some(readsWhole);
}

/** Checks the type of each result, where the expression's own type does not ensure it. */
function withResultCheck(want: ResultType, { type, op }: CheckedNode, evaluate: BoundExpression): BoundExpression {
  const neverNull = (type !== 'dyn' && type !== 'null') || op === 'path' || op === 'variable';
  if (type === want || (want === 'any' && neverNull)) return evaluate;
  if (want === 'any') return (c, i) => evaluate(c, i) ?? undefined;
  const wanted = want === 'bool' ? 'boolean' : 'number';
  const needs = describeType(want);
  return (c, i) => {
    const value = evaluate(c, i) ?? undefined;
    return value === undefined || typeof value === wanted ? value : throwMismatch('the expression', needs, value);
  };
}

type Access = NodeOf<'.' | '.?' | '[]' | '[?]'>;

/** A part of the source, and what replaces it. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * The text of an expression with other names of the candidate's fields. A field whose name is computed, and what reads
 * the candidate as a whole, stay as they are.
 */
export function renameFields(source: string, syntax: ASTNode, names: FieldNames): string {
  const edits: Edit[] = [];
  visit(syntax, names, source, edits);
  return edits
    .toSorted((a, b) => b.start - a.start)
    .reduce((text, { start, end, text: by }) => text.slice(0, start) + by + text.slice(end), source);
}

const isAccess = (node: ASTNode): node is Access => ['.', '.?', '[]', '[?]'].includes(node.op);

const isNode = (part: unknown): part is ASTNode => typeof part === 'object' && part !== null && 'op' in part;

function visit(part: unknown, names: FieldNames, source: string, edits: Edit[]): void {
  if (Array.isArray(part)) for (const inner of part) visit(inner, names, source, edits);
  if (!isNode(part)) return;
  const chain = isAccess(part) ? chainOf(part) : undefined;
  if (chain) {
    edits.push(...editsOf(chain, names, source));
    for (const { args } of chain.accesses) visit(args[1], names, source, edits); // computed keys
  } else if (part.op === 'rcall' && hidesCandidate(part)) visit(part.args[1], names, source, edits);
  else visit(part.args, names, source, edits);
}

/** Whether the element of a macro is called as the candidate is. */
const hidesCandidate = ({ args: [, , [variable]] }: NodeOf<'rcall'>): boolean =>
  variable?.op === 'id' && variable.args === CANDIDATE_VARIABLE;

/** A field of the candidate, and what is read of it. */
interface Chain {
  readonly base: ASTNode;
  /** The first first. */
  readonly accesses: readonly Access[];
}

/** The edit of a chain, where it begins with a name. */
function editsOf({ base, accesses }: Chain, names: FieldNames, source: string): readonly Edit[] {
  const keys = accesses.map(keyOf);
  const computed = keys.indexOf(undefined);
  const steps = (computed < 0 ? keys : keys.slice(0, computed)).filter((step) => step !== undefined);
  const found = names.find(steps);
  if (!found) return [];
  const replaced = accesses.slice(0, found.length);
  const optional = replaced.some(({ op }) => op === '.?' || op === '[?]');
  const closing = [base, ...replaced.slice(0, -1)].map(({ end }) => closers(source, end)).join('');
  return [{ start: base.end, end: replaced.at(-1)!.end, text: closing + accessText(found.target, optional) }];
}

/** The accesses from the candidate on; undefined where something else is read. */
function chainOf(node: Access): Chain | undefined {
  const accesses: Access[] = [];
  let at: ASTNode = node;
  while (isAccess(at)) {
    accesses.push(at);
    at = at.args[0];
  }
  return at.op === 'id' && at.args === CANDIDATE_VARIABLE ? { base: at, accesses: accesses.toReversed() } : undefined;
}

function keyOf({ args: [, field] }: Access): PathStep | undefined {
  const key: unknown = typeof field === 'string' ? field : field.op === 'value' ? field.args : undefined;
  return typeof key === 'string' ? { kind: 'key', key } : undefined;
}

/** The parentheses that are closed at an offset. */
const closers = (source: string, at: number): string => /^[\s)]*/.exec(source.slice(at))?.[0].replace(/\s/g, '') ?? '';

/** What CEL can name after a dot. */
const NAME =
  /^(?!(?:true|false|null|in|as|break|const|continue|else|for|function|if|import|let|loop|package|namespace|return|var|void|while)$)[A-Za-z_]\w*$/;

function accessText(steps: readonly PathStep[], optional: boolean): string {
  return steps
    .map((step, k) => {
      const mark = optional && k === 0 ? '?' : '';
      if (step.kind === 'key' && NAME.test(step.key)) return `.${mark}${step.key}`;
      return `[${mark}${step.kind === 'key' ? JSON.stringify(step.key) : step.kind === 'index' ? step.index : ''}]`;
    })
    .join('');
}

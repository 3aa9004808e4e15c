import { isObject, type Place } from '../diagnostics/index.js';
import { type CheckedNode, partsOf } from './cel/checked-node.js';
import { Checker } from './cel/checker.js';
import { compile } from './cel/compile.js';
import { parseCel } from './cel/parse-cel.js';
import { describeType, isAssignable } from './cel/types.js';
import { renameFields } from './cel/rename-fields.js';
import { throwMismatch } from './cel/values.js';
import type { BoundExpression, Expression, ResultType } from './expression.js';
import { ExpressionError } from './errors.js';
import { currentFieldNames, withFieldNames } from './field-names.js';
import { parsePath } from './path/path-syntax.js';
import { CANDIDATE_VARIABLE, type ExpressionScope } from './scope.js';

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

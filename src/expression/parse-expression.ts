import { isObject, type Place } from '../base/index.js';
import { type CheckedNode, describeType, isAssignable, partsOf } from './cel/checked-node.js';
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
import { renameFields } from './cel/rename-fields.js';
import { currentFieldNames, withFieldNames } from './compile-path.js';
import { parsePath } from './path.js';

/** The type that an expression's result must have. The result may always be absent. */
export type ResultType = 'bool' | 'number' | 'any';

/** A parsed and type-checked expression. */
export interface Expression {
  readonly source: string;
  /** Its place in a file, if known. */
  readonly place: Place | undefined;
  /** The number of its operations and operands. */
  readonly size: number;
  /** Whether it reads nothing, so that its value is constant. */
  readonly constant: boolean;
  readonly readsCandidate: boolean;
  /** Whether it reads the candidate as a whole, such as `size(candidate)` or a field with a computed name. */
  readonly readsWholeCandidate: boolean;
  /** The candidate's paths that it reads: `a.b`, `metadata["cupel:trust"]`. Excludes reads in the elements of macros. */
  readonly candidatePaths: readonly string[];
  /** The candidate's paths that may be absent without making the result absent: in `has`, `.?`, `orValue` or `== null`. */
  readonly optionalPaths: readonly string[];
  /**
   * The variables that it reads, their known fields and paths into the context: `now`, `measures.tools`,
   * `context.user`.
   */
  readonly reads: readonly string[];
  /** The `reads` that may be absent without making the result absent. */
  readonly optionalReads: readonly string[];
  /**
   * The problems that it has if these fields of the candidate are dates according to the schema of a table, such as a
   * date that is compared with a text.
   */
  problemsWithDates(dates: ReadonlySet<string>): readonly ExpressionProblem[];
  /** Its syntax tree, with resolved names and folded constants. `bind` makes closures from this tree. */
  readonly tree: CheckedNode;
  /**
   * Compiles it to a function. Each function has its own readers, so bind once for each entry. `candidate` needs no
   * binding.
   *
   * @param steps the maximum number of steps of one evaluation, a million by default: one for each element that a macro
   *   visits, and for the elements of its lists, maps and texts. Exceeding it throws an ExpressionStepsError
   * @throws TypeError if a variable that it reads has no binding
   */
  bind(bindings: VariableBindings, steps?: number): BoundExpression;
  /** Like `bind`, without a check of the result's type: for a caller that checks it in a hot loop. */
  bindUnchecked(bindings: VariableBindings, steps?: number): BoundExpression;
}

/** Whether a value is an `Expression`. */
export const isExpression = (value: unknown): value is Expression =>
  typeof value === 'object' && value !== null && 'candidatePaths' in value && 'bindUnchecked' in value;

/**
 * Parses and type-checks a CEL expression. Every number is a double, and `/` divides. An absent or null field makes the
 * operation that reads it absent. `has(x)` and a comparison with the literal `null` test for absence, and
 * `x.?y.orValue(v)` replaces it. If the profile renames fields (`fields`), the result reads the candidate's own names.
 *
 * @param want the type of its result. A result of another type is a problem if it is known now, and otherwise a failure
 *   of the evaluation
 * @param place its place, for the error of an evaluation that takes too many steps
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
    const hint =
      want === 'number' && tree.type === 'bool'
        ? 'to convert a condition to a number, write condition ? 1 : 0'
        : undefined;
    checker.addProblem(syntax, `${scope.name} needs ${describeType(want)}, found ${describeType(tree.type)}`, hint);
  }
  if (checker.problems.length > 0) throw new ExpressionError(source, checker.problems);
  const names = currentFieldNames();
  const renamed = names ? renameFields(source, syntax, names) : source;
  // Check the expression as the user wrote it, so that problems have places in the original text.
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

/** Counts the nodes of a tree or of a part of one. */
const countNodes = (part: unknown): number =>
  isObject(part)
    ? Object.values(part).reduce<number>((sum, inner) => sum + countNodes(inner), 'op' in part ? 1 : 0)
    : 0;

/** Whether a tree contains the candidate itself other than at the start of a path. */
function readsWhole(tree: CheckedNode): boolean {
  if (tree.op === 'variable') return tree.name === CANDIDATE_VARIABLE;
  if (tree.op === 'path' && tree.of.op === 'variable') return false;
  return partsOf(tree).some(readsWhole);
}

/** Checks the type of each result, unless the expression's own type ensures it. */
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

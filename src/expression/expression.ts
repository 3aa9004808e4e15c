import type { Place } from '../diagnostics/index.js';
import type { CheckedNode } from './cel/checked-node.js';
import type { ExpressionProblem } from './errors.js';
import type { VariableBindings } from './scope.js';

/** Evaluates a bound expression on one candidate: undefined is absent. */
export type BoundExpression = (candidate: unknown, index: number) => unknown;

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

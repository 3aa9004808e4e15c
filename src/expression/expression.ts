import type { VariableBindings } from './scope.js';

/** Evaluates a bound expression on one candidate: undefined is absent. */
export type BoundExpression = (candidate: unknown, index: number) => unknown;

/** The type that an expression's result must have. Absent is always allowed. */
export type ResultType = 'bool' | 'number' | 'any';

/** An expression that parsed and type-checked. */
export interface Expression {
  readonly source: string;
  /** The number of its operations and operands. */
  readonly size: number;
  /** Whether it reads nothing, and so has one value. */
  readonly constant: boolean;
  readonly readsCandidate: boolean;
  /** The candidate's paths that it reads: `a.b`, `metadata["cupel:trust"]`; not what macros read in elements. */
  readonly candidatePaths: readonly string[];
  /** The candidate's paths whose absence it provides for, with `has`, `.?` or `orValue`. */
  readonly optionalPaths: readonly string[];
  /**
   * The variables that it reads, their known fields and paths into the context: `now`, `measures.tools`,
   * `context.user`.
   */
  readonly reads: readonly string[];
  /**
   * Compiles it to a function. Each function has readers of its own, so bind once for each entry. `candidate` needs no
   * binding.
   *
   * @throws TypeError when a variable that it reads has no binding
   */
  bind(bindings: VariableBindings): BoundExpression;
  /** `bind` without a check of the result's type: for a caller that checks it itself, in a hot loop. */
  bindUnchecked(bindings: VariableBindings): BoundExpression;
}

/** Whether a value is an `Expression`. */
export const isExpression = (value: unknown): value is Expression =>
  typeof value === 'object' && value !== null && 'candidatePaths' in value && 'bindUnchecked' in value;

import type { VariableBindings } from './scope.js';

/** A bound expression, asked about one candidate: undefined is absent. */
export type BoundExpression = (candidate: unknown, index: number) => unknown;

/** What an expression has to give. Absent is always allowed. */
export type ResultType = 'bool' | 'number' | 'any';

/** An expression that parsed and type-checked. */
export interface Expression {
  readonly source: string;
  /** How many operations and operands it has. */
  readonly size: number;
  /** Whether it reads nothing, and so always gives the same. */
  readonly constant: boolean;
  readonly readsCandidate: boolean;
  /** The candidate's paths that it reads: `a.b`, `metadata["cupel:trust"]`; not what macros read of elements. */
  readonly candidatePaths: readonly string[];
  /** Those of them whose absence it provides for, with `has`, `.?` or `orValue`. */
  readonly optionalPaths: readonly string[];
  /** The variables that it reads, their known fields and paths into the context: `now`, `measures.tools`, `context.user`. */
  readonly reads: readonly string[];
  /**
   * Makes a function of it. Each has readers of its own, so bind once for each entry. `candidate` needs no root.
   *
   * @throws TypeError when a variable that it reads has no root
   */
  bind(roots: VariableBindings): BoundExpression;
  /** The same without holding the value to what is wanted: for a caller that does so itself, in a hot loop. */
  bindUnchecked(roots: VariableBindings): BoundExpression;
}

/** Whether a value among others is an expression. */
export const isExpression = (value: unknown): value is Expression =>
  typeof value === 'object' && value !== null && 'candidatePaths' in value && 'bindUnchecked' in value;

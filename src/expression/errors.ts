import type { Place } from '../diagnostics/index.js';

/** A problem of an expression's text. */
export interface ExpressionProblem {
  /** What was found and what was expected, without a full stop. */
  readonly message: string;
  /** Where it starts in the source, counted from 0. */
  readonly offset: number;
  /** How many characters it covers, at least 1. */
  readonly length: number;
  /** `syntax`: it does not parse; `type`: it parses and could never be evaluated. */
  readonly kind: 'syntax' | 'type';
  /** What to do about it. */
  readonly hint?: string;
}

/** An expression that does not compile, with all of its problems. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
  constructor(
    readonly source: string,
    readonly problems: readonly ExpressionProblem[],
  ) {
    super(problems.map(({ message, hint }) => (hint === undefined ? message : `${message}: ${hint}`)).join('\n'));
  }
}

/** An expression that cannot be evaluated on a candidate: which operation, what it found, what it needs. */
export class ExpressionEvaluationError extends Error {
  override readonly name: string = 'ExpressionEvaluationError';
}

/** An expression, and where it is written, where that is known. */
export interface ExpressionOrigin {
  readonly source: string;
  readonly place: Place | undefined;
}

/** An evaluation that took more steps than it may: it would hang, or fill the memory. */
export class ExpressionStepsError extends ExpressionEvaluationError {
  override readonly name = 'ExpressionStepsError';
  constructor(
    readonly expression: ExpressionOrigin,
    /** How many steps it may take. */
    readonly steps: number,
  ) {
    super(`the expression takes more than ${steps} steps`);
  }
}

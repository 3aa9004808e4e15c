import type { Place } from '../base/index.js';

/** Evaluates a bound expression on one candidate: undefined is absent. */
export type BoundExpression = (candidate: unknown, index: number) => unknown;

/** The type of a variable. `dyn` is any value; of a `{ fields }` variable only the listed fields can be read. */
export type VariableType =
  | 'dyn'
  | ScalarType
  | 'map'
  | { readonly fields: Readonly<Record<string, 'dyn' | ScalarType>> };

type ScalarType = 'number' | 'string' | 'bool';

/** The variables that an expression may read. */
export interface ExpressionScope {
  /** The scope in messages: `a rule`, `a veto`. */
  readonly name: string;
  readonly variables: Readonly<Record<string, VariableType>>;
  /** The fields of the candidate that are dates, where the data says it. */
  readonly dates?: ReadonlySet<string>;
}

/** Gives the value of a variable, or of one field of a `{ fields }` variable; null and undefined are absent. */
export type VariableBinding = (candidate: unknown, index: number) => unknown;

/** A binding for each variable of the scope; for a `{ fields }` variable one for each of its fields. */
export type VariableBindings = Readonly<Record<string, VariableBinding | Readonly<Record<string, VariableBinding>>>>;

/** The places of a profile that can read a variable which not every scope has: for messages elsewhere. */
export const VARIABLE_READERS: Readonly<Record<string, string>> = {
  candidate: 'vetoes, measures, scorers, rules and select',
  measures: 'measures, Tier 2, the formula, rules and select',
  score: 'rules and select',
  scores: 'rules and select',
  generated: 'fallback',
  vetoed: 'fallback',
  failed: 'fallback',
  strategies: 'fallback',
};

/** The variable that is the function's first argument: it needs no binding. */
export const CANDIDATE_VARIABLE = 'candidate';

/** The variables of an expression that is evaluated once a run: no candidate among them. */
export const RUN_VARIABLES = { context: 'dyn', signals: 'dyn', now: 'number' } as const;

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

/** An expression, and where it is written, if that is known. */
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

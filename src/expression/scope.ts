import type { Place } from '../base/index.js';

/** Evaluates a bound expression on one candidate. Undefined means absent. */
export type BoundExpression = (candidate: unknown, index: number) => unknown;

/** The type of a variable. `dyn` is any value. Of a `{ fields }` variable, only the listed fields can be read. */
export type VariableType = 'dyn' | ScalarType | 'map' | { readonly fields: Readonly<Record<string, FieldType>> };

/** The type of a listed field. Of `fields`, the scope has a variable with its own fields: `stats.price`. */
export type FieldType = 'dyn' | ScalarType | 'fields';

type ScalarType = 'number' | 'string' | 'bool';

/** The names that a profile gives to expressions (`let`). */
export interface NamedExpressions {
  readonly names: readonly string[];
  /** The text of an expression, with the candidate's own names of fields; undefined if it is invalid. */
  textOf(name: string): string | undefined;
}

/** The key under which bindings have the functions of named expressions. No variable can have this name. */
export const LET_BINDINGS = 'let';

/** The variables that an expression may read. */
export interface ExpressionScope {
  /** The name of the scope in messages: `a rule`, `a veto`. */
  readonly name: string;
  readonly variables: Readonly<Record<string, VariableType>>;
  /** The named expressions. One that reads what this scope does not have is an error. */
  readonly lets?: NamedExpressions | undefined;
  /** The fields of the candidate that are dates, if the schema of the data declares them. */
  readonly dates?: ReadonlySet<string>;
  /** Whether it may also read any other name, whose type is not known. */
  readonly open?: boolean;
}

/** Returns the value of a variable, or of one field of a `{ fields }` variable. Null and undefined are absent. */
export type VariableBinding = (candidate: unknown, index: number) => unknown;

/** A binding for each variable of the scope; for a `{ fields }` variable, one for each of its fields. */
export type VariableBindings = Readonly<Record<string, VariableBinding | Readonly<Record<string, VariableBinding>>>>;

/** The parts of a profile that can read a variable. For messages about parts that cannot. */
export const VARIABLE_READERS: Readonly<Record<string, string>> = {
  candidate: 'vetoes, measures, scorers, rules and select',
  measures: 'measures, Tier 2, the formula, rules and select',
  stats: 'Tier 2, the formula, rules and select, which run after the vetoes',
  score: 'rules and select',
  scores: 'rules and select',
  place: 'rules with a group',
  generated: 'fallback',
  vetoed: 'fallback',
  failed: 'fallback',
  strategies: 'fallback',
};

/** The variable that is the function's first argument. It needs no binding. */
export const CANDIDATE_VARIABLE = 'candidate';

/** The variables of an expression that is evaluated once per run, and so has no candidate. */
export const RUN_VARIABLES = { context: 'dyn', signals: 'dyn', now: 'number' } as const;

/** A problem of an expression's text. */
export interface ExpressionProblem {
  /** What was found and what was expected, without a full stop. */
  readonly message: string;
  /** Its start in the source, counted from 0. */
  readonly offset: number;
  /** Its number of characters, at least 1. */
  readonly length: number;
  /** `syntax`: it does not parse. `type`: it parses but can never be evaluated. */
  readonly kind: 'syntax' | 'type';
  /** How to fix it. */
  readonly hint?: string;
}

/** A part of an expression that means something else in standard CEL. */
export interface ExpressionWarning extends Omit<ExpressionProblem, 'kind'> {
  readonly kind: 'warning';
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

/** An expression that cannot be evaluated on a candidate. It names the operation, what it found and what it needs. */
export class ExpressionEvaluationError extends Error {
  override readonly name: string = 'ExpressionEvaluationError';
}

/** The source of an expression, and its place if known. */
export interface ExpressionOrigin {
  readonly source: string;
  readonly place: Place | undefined;
}

/** An evaluation that exceeded its step limit. Otherwise it could hang or exhaust the memory. */
export class ExpressionStepsError extends ExpressionEvaluationError {
  override readonly name = 'ExpressionStepsError';
  constructor(
    readonly expression: ExpressionOrigin,
    /** The step limit. */
    readonly steps: number,
  ) {
    super(`the expression takes more than ${steps} steps`);
  }
}

/**
 * The default maximum number of steps of one evaluation: some tens of milliseconds. A macro over a list of a thousand
 * elements inside another one takes a million steps.
 */
export const DEFAULT_STEPS = 1_000_000;

/** The number of characters of a text that count as one step. Copying or comparing them takes as long as visiting an element. */
const CHARACTERS_A_STEP = 16;

/**
 * The remaining steps of the current evaluation. It is unlimited outside of an evaluation, and in an expression whose
 * length bounds the work because it has no macro and no call whose text grows. All expressions share it, because
 * evaluation is synchronous. An expression that another one reads spends the other's steps.
 */
const budget: { left: number; steps: number; origin: ExpressionOrigin } = {
  left: Number.POSITIVE_INFINITY,
  steps: 0,
  origin: { source: '', place: undefined },
};

/**
 * Spends steps: one for each element that a macro visits, that a list or map contains, or that is compared.
 *
 * @throws ExpressionStepsError if no steps are left
 */
export function spend(steps: number): void {
  budget.left -= steps;
  if (budget.left < 0) throw new ExpressionStepsError(budget.origin, budget.steps);
}

/** Spends the steps of reading or creating this number of characters. */
export const spendCharacters = (count: number): void => spend(count / CHARACTERS_A_STEP);

/** Spends the steps of reading or creating a text. */
export const spendText = (text: string): void => spendCharacters(text.length);

/** Limits the steps of each evaluation of an expression. */
export const withinSteps =
  (evaluate: BoundExpression, origin: ExpressionOrigin, steps: number): BoundExpression =>
  (c, i) => {
    if (budget.left !== Number.POSITIVE_INFINITY) return evaluate(c, i);
    budget.left = steps;
    budget.steps = steps;
    budget.origin = origin;
    try {
      return evaluate(c, i);
    } finally {
      budget.left = Number.POSITIVE_INFINITY;
    }
  };

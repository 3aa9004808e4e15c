import { type BoundExpression, type ExpressionOrigin, ExpressionStepsError } from '../scope.js';

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

import { type BoundExpression, type ExpressionOrigin, ExpressionStepsError } from '../scope.js';

/**
 * So many steps may one evaluation take, unless its profile says otherwise: some tens of milliseconds. A macro over a
 * list of a thousand inside another one takes a million.
 */
export const DEFAULT_STEPS = 1_000_000;

/** So many characters of a text are one step: to copy or compare them takes about as long as to visit an element. */
const CHARACTERS_A_STEP = 16;

/**
 * What the current evaluation may still spend; unlimited outside of one, and in an expression whose work is
 * bounded by its length, as it has no macro and calls nothing that makes a text longer. One for all expressions, as evaluation is synchronous; an expression that another one reads
 * spends the other's.
 */
const budget: { left: number; steps: number; origin: ExpressionOrigin } = {
  left: Number.POSITIVE_INFINITY,
  steps: 0,
  origin: { source: '', place: undefined },
};

/**
 * Spends steps: one for each element that a macro visits, that a list or map is made of, or that is compared.
 *
 * @throws ExpressionStepsError if the evaluation has no more
 */
export function spend(steps: number): void {
  budget.left -= steps;
  if (budget.left < 0) throw new ExpressionStepsError(budget.origin, budget.steps);
}

/** Spends the steps of reading or making so many characters. */
export const spendCharacters = (count: number): void => spend(count / CHARACTERS_A_STEP);

/** Spends the steps of reading or making a text. */
export const spendText = (text: string): void => spendCharacters(text.length);

/** Bounds each evaluation of an expression. */
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

import type { BoundExpression } from '../expression.js';

/** An operand of arithmetic that computes no number itself. */
export interface Operand {
  /** Gives its value to the numeric closures. */
  readonly first: BoundExpression;
  /** Gives it to the exact closures that follow, where the number was NaN. */
  readonly again: BoundExpression;
}

/** An operand that is cheap enough to evaluate twice. */
export const evaluatedAgain = (evaluate: BoundExpression): Operand => ({ first: evaluate, again: evaluate });

/** An operand whose value is kept for the exact closures. */
export function rememberedOperand(evaluate: BoundExpression): Operand {
  const remembered: { value: unknown } = { value: undefined };
  return {
    first: (c, i) => (remembered.value = evaluate(c, i)),
    again: () => {
      const { value } = remembered;
      remembered.value = undefined; // else it would live as long as the expression
      return value;
    },
  };
}

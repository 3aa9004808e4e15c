import type { BoundExpression } from '../expression.js';
import * as arithmetic from './arithmetic.js';
import type { BinaryOp, ChainOp } from './checked-node.js';
import { binaryClosure } from './closure.js';
import * as comparison from './comparison.js';
import * as logic from './logic.js';

/** The operators on values of any type, with CEL's errors where they do not fit. */
export const EXACT_OPERATORS: Readonly<
  Record<BinaryOp | ChainOp, (a: BoundExpression, b: BoundExpression) => BoundExpression>
> = {
  '==': comparison.equal,
  '!=': comparison.unequal,
  '<': comparison.less,
  '<=': comparison.lessOrEqual,
  '>': comparison.greater,
  '>=': comparison.greaterOrEqual,
  in: comparison.isIn,
  '+': arithmetic.add,
  '-': arithmetic.subtract,
  '*': arithmetic.multiply,
  '/': arithmetic.divide,
  '%': arithmetic.remainder,
  '&&': logic.and,
  '||': logic.or,
};

/** Folds from the left, as arithmetic must be. */
export function foldChain(by: ChainOp, parts: readonly BoundExpression[]): BoundExpression {
  if (by === '+' && parts.length > 2) return arithmetic.addAll(parts);
  return parts.reduce((left, right) => binaryClosure(EXACT_OPERATORS[by], left, right));
}

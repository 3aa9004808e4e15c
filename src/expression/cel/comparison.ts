import { describeValue } from '../../diagnostics/index.js';
import { ExpressionEvaluationError } from '../errors.js';
import type { BoundExpression } from '../expression.js';
import { spendText } from './step-budget.js';
import { contains, equals, isLongText } from './values.js';

/** Compares two values that are not both numbers: strings by code unit; absent where one is. */
function compareStrings(
  operation: string,
  x: unknown,
  y: unknown,
  decide: (order: number) => boolean,
): boolean | undefined {
  if (x === undefined || y === undefined) return undefined;
  if (typeof x === 'string' && typeof y === 'string') {
    spendText(x.length < y.length ? x : y);
    return decide(x < y ? -1 : x > y ? 1 : 0);
  }
  const found = `${describeValue(x)} and ${describeValue(y)}`;
  throw new ExpressionEvaluationError(`${operation} needs two numbers or two strings, found ${found}`);
}

const isLess = (order: number): boolean => order < 0;
const isAtMost = (order: number): boolean => order <= 0;
const isMore = (order: number): boolean => order > 0;
const isAtLeast = (order: number): boolean => order >= 0;

export const less =
  (a: BoundExpression, b: BoundExpression): BoundExpression =>
  (c, i) => {
    const x = a(c, i);
    const y = b(c, i);
    return typeof x === 'number' && typeof y === 'number' ? x < y : compareStrings('<', x, y, isLess);
  };

export const lessOrEqual =
  (a: BoundExpression, b: BoundExpression): BoundExpression =>
  (c, i) => {
    const x = a(c, i);
    const y = b(c, i);
    return typeof x === 'number' && typeof y === 'number' ? x <= y : compareStrings('<=', x, y, isAtMost);
  };

export const greater =
  (a: BoundExpression, b: BoundExpression): BoundExpression =>
  (c, i) => {
    const x = a(c, i);
    const y = b(c, i);
    return typeof x === 'number' && typeof y === 'number' ? x > y : compareStrings('>', x, y, isMore);
  };

export const greaterOrEqual =
  (a: BoundExpression, b: BoundExpression): BoundExpression =>
  (c, i) => {
    const x = a(c, i);
    const y = b(c, i);
    return typeof x === 'number' && typeof y === 'number' ? x >= y : compareStrings('>=', x, y, isAtLeast);
  };

export const equal =
  (a: BoundExpression, b: BoundExpression): BoundExpression =>
  (c, i) => {
    const x = a(c, i);
    const y = b(c, i);
    if (x === undefined || y === undefined) return undefined;
    return typeof x === 'object' ? equals(x, y) : x === y;
  };

export const unequal =
  (a: BoundExpression, b: BoundExpression): BoundExpression =>
  (c, i) => {
    const x = a(c, i);
    const y = b(c, i);
    if (x === undefined || y === undefined) return undefined;
    return typeof x === 'object' ? !equals(x, y) : x !== y;
  };

/** Inside a macro, where a long text may be compared again and again: that takes steps. */
const countLongText =
  (compare: (a: BoundExpression, b: BoundExpression) => BoundExpression) =>
  (a: BoundExpression, b: BoundExpression): BoundExpression =>
    compare((c, i) => {
      const x = a(c, i);
      if (isLongText(x)) spendText(x);
      return x;
    }, b);

export const equalInMacro = countLongText(equal);
export const unequalInMacro = countLongText(unequal);

export const isIn =
  (a: BoundExpression, b: BoundExpression): BoundExpression =>
  (c, i) => {
    const x = a(c, i);
    const y = b(c, i);
    return x === undefined || y === undefined ? undefined : contains(y, x);
  };

import { describeValue } from '../../diagnostics/index.js';
import { ExpressionEvaluationError } from '../errors.js';
import type { BoundExpression } from '../expression.js';
import { spendText } from './step-budget.js';
import { contains, equals } from './values.js';

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
  const hint = x instanceof Date || y instanceof Date ? '; timestamp(x) makes a number of a Date' : '';
  const found = `${describeValue(x)} and ${describeValue(y)}`;
  throw new ExpressionEvaluationError(`${operation} needs two numbers or two strings, found ${found}${hint}`);
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

const LONG_TEXT = 256;

/** Whether a value takes more than a moment to compare: a list, a map, a long text. */
const isLong = (value: unknown): boolean =>
  typeof value === 'object' || (typeof value === 'string' && value.length > LONG_TEXT);

export const equal =
  (a: BoundExpression, b: BoundExpression): BoundExpression =>
  (c, i) => {
    const x = a(c, i);
    const y = b(c, i);
    if (x === undefined || y === undefined) return undefined;
    return isLong(x) ? equals(x, y) : x === y;
  };

export const unequal =
  (a: BoundExpression, b: BoundExpression): BoundExpression =>
  (c, i) => {
    const x = a(c, i);
    const y = b(c, i);
    if (x === undefined || y === undefined) return undefined;
    return isLong(x) ? !equals(x, y) : x !== y;
  };

export const isIn =
  (a: BoundExpression, b: BoundExpression): BoundExpression =>
  (c, i) => {
    const x = a(c, i);
    const y = b(c, i);
    return x === undefined || y === undefined ? undefined : contains(y, x);
  };

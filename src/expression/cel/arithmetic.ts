import { describeValue } from '../../diagnostics/index.js';
import { ExpressionEvaluationError } from '../errors.js';
import type { BoundExpression } from '../expression.js';
import { spend, spendText } from './step-budget.js';
import { throwMismatch } from './values.js';

// The exact arithmetic: it handles absence, joins strings and lists, and fails on other types. Two numbers are computed
// by the numeric nodes, which fall back to this where they give NaN.

const numericOperator =
  (operation: string, compute: (x: number, y: number) => number) =>
  (a: BoundExpression, b: BoundExpression): BoundExpression =>
  (c, i) => {
    const x = a(c, i);
    const y = b(c, i);
    if (typeof x === 'number' && typeof y === 'number') return compute(x, y);
    for (const value of [x, y]) {
      if (value !== undefined && typeof value !== 'number') return throwMismatch(operation, 'numbers', value);
    }
    return undefined;
  };

export const subtract = numericOperator('-', (x, y) => x - y);
export const multiply = numericOperator('*', (x, y) => x * y);
export const divide = numericOperator('/', (x, y) => x / y);
export const remainder = numericOperator('%', (x, y) => x % y);

/** The sum of two present values. */
function sum(x: unknown, y: unknown): unknown {
  if (typeof x === 'number' && typeof y === 'number') return x + y;
  if (typeof x === 'string' && typeof y === 'string') {
    spendText(y);
    spendText(x);
    return x + y;
  }
  if (Array.isArray(x) && Array.isArray(y)) {
    spend(x.length + y.length);
    return x.concat(y);
  }
  const found = `${describeValue(x)} and ${describeValue(y)}`;
  throw new ExpressionEvaluationError(`+ needs two numbers, strings or lists, found ${found}`);
}

/** Adds numbers, joins strings and lists. */
export const add =
  (a: BoundExpression, b: BoundExpression): BoundExpression =>
  (c, i) => {
    const x = a(c, i);
    const y = b(c, i);
    return x === undefined || y === undefined ? undefined : sum(x, y);
  };

/** Adds from the left. The lists of a long chain are joined into one: to copy what is there for each would be quadratic. */
export const addAll =
  ([first, ...rest]: readonly BoundExpression[]): BoundExpression =>
  (c, i) => {
    let total = first?.(c, i);
    let own: unknown[] | undefined;
    for (const part of rest) {
      const value = part(c, i);
      if (value === undefined || total === undefined) total = undefined;
      else if (own && Array.isArray(value)) {
        spend(value.length);
        for (const element of value) own.push(element);
      } else {
        total = sum(total, value);
        own = Array.isArray(total) ? total : undefined;
      }
    }
    return total;
  };

export const negate =
  (a: BoundExpression): BoundExpression =>
  (c, i) => {
    const x = a(c, i);
    if (typeof x === 'number') return -x;
    return x === undefined ? undefined : throwMismatch('-', 'a number', x);
  };

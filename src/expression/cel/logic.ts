import type { BoundExpression } from '../expression.js';
import { throwMismatch } from './values.js';

/** Handles a value that is no boolean: absence stays absence, any other is an error. */
function absentOrThrow(operation: string, value: unknown): undefined {
  return value === undefined ? undefined : throwMismatch(operation, 'true or false', value);
}

/** Evaluates `&&` and `||` where the first operand does not decide: the second may. */
function decideWithSecond(operation: string, deciding: boolean, x: unknown, y: unknown): boolean | undefined {
  if (typeof x !== 'boolean') absentOrThrow(operation, x);
  return y === deciding ? deciding : typeof y === 'boolean' ? undefined : absentOrThrow(operation, y);
}

export const and =
  (a: BoundExpression, b: BoundExpression): BoundExpression =>
  (c, i) => {
    const x = a(c, i);
    if (x === false) return false;
    const y = b(c, i);
    return x === true && typeof y === 'boolean' ? y : decideWithSecond('&&', false, x, y);
  };

export const or =
  (a: BoundExpression, b: BoundExpression): BoundExpression =>
  (c, i) => {
    const x = a(c, i);
    if (x === true) return true;
    const y = b(c, i);
    return x === false && typeof y === 'boolean' ? y : decideWithSecond('||', true, x, y);
  };

export const not =
  (a: BoundExpression): BoundExpression =>
  (c, i) => {
    const x = a(c, i);
    return typeof x === 'boolean' ? !x : absentOrThrow('!', x);
  };

export const choose =
  (test: BoundExpression, then: BoundExpression, otherwise: BoundExpression): BoundExpression =>
  (c, i) => {
    const x = test(c, i);
    if (x === true) return then(c, i);
    return x === false ? otherwise(c, i) : absentOrThrow('? :', x);
  };

export const orDefault =
  (a: BoundExpression, otherwise: BoundExpression): BoundExpression =>
  (c, i) =>
    a(c, i) ?? otherwise(c, i);

export const hasValue =
  (a: BoundExpression): BoundExpression =>
  (c, i) => {
    const x = a(c, i);
    return x !== undefined && x !== null;
  };

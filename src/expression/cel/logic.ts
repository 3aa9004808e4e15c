import type { Evaluate } from '../expression.js';
import { refuse } from './values.js';

/** What a value that is no answer comes to: absence stays absence, anything else is refused. */
function unanswered(operation: string, value: unknown): undefined {
  return value === undefined ? undefined : refuse(operation, 'true or false', value);
}

/** `&&` and `||` where the first operand decided nothing: the second still may. */
function settle(operation: string, deciding: boolean, x: unknown, y: unknown): boolean | undefined {
  if (typeof x !== 'boolean') unanswered(operation, x);
  return y === deciding ? deciding : typeof y === 'boolean' ? undefined : unanswered(operation, y);
}

export const and =
  (a: Evaluate, b: Evaluate): Evaluate =>
  (c, i) => {
    const x = a(c, i);
    if (x === false) return false;
    const y = b(c, i);
    return x === true && typeof y === 'boolean' ? y : settle('&&', false, x, y);
  };

export const or =
  (a: Evaluate, b: Evaluate): Evaluate =>
  (c, i) => {
    const x = a(c, i);
    if (x === true) return true;
    const y = b(c, i);
    return x === false && typeof y === 'boolean' ? y : settle('||', true, x, y);
  };

export const not =
  (a: Evaluate): Evaluate =>
  (c, i) => {
    const x = a(c, i);
    return typeof x === 'boolean' ? !x : unanswered('!', x);
  };

export const choose =
  (test: Evaluate, then: Evaluate, otherwise: Evaluate): Evaluate =>
  (c, i) => {
    const x = test(c, i);
    if (x === true) return then(c, i);
    return x === false ? otherwise(c, i) : unanswered('? :', x);
  };

export const orDefault =
  (a: Evaluate, otherwise: Evaluate): Evaluate =>
  (c, i) =>
    a(c, i) ?? otherwise(c, i);

export const present =
  (a: Evaluate): Evaluate =>
  (c, i) => {
    const x = a(c, i);
    return x !== undefined && x !== null;
  };

import type { Node } from './node.js';

// Arithmetic on bare doubles. NaN stands for whatever is not a number: absence, another type, 0/0. Every operation
// here gives NaN when an operand is NaN, so that one test at the end tells whether the exact nodes must be asked.
// A node that could also give `undefined` would put each intermediate double into a box of its own.

export type Numeric = Node<number>;

/**
 * NaN, by a call. V8 leaves out a branch that was never taken and calls something, but not one that only reads a global, as
 * the `NaN` that a bundler makes of `Number.NaN`; and beside what a global is, every double needs a box: twice the time.
 */
const noNumber = (): number => Number.NaN;

/** The number that an exact node gives. */
export const numberOf =
  (a: Node<unknown>): Numeric =>
  (c, i) => {
    const x = a(c, i);
    return typeof x === 'number' ? x : noNumber();
  };

const add =
  (a: Numeric, b: Numeric): Numeric =>
  (c, i) =>
    a(c, i) + b(c, i);

const subtract =
  (a: Numeric, b: Numeric): Numeric =>
  (c, i) =>
    a(c, i) - b(c, i);

const multiply =
  (a: Numeric, b: Numeric): Numeric =>
  (c, i) =>
    a(c, i) * b(c, i);

const divide =
  (a: Numeric, b: Numeric): Numeric =>
  (c, i) =>
    a(c, i) / b(c, i);

const remainder =
  (a: Numeric, b: Numeric): Numeric =>
  (c, i) =>
    a(c, i) % b(c, i);

export const negate =
  (a: Numeric): Numeric =>
  (c, i) =>
    -a(c, i);

export const choose =
  (test: Node<unknown>, then: Numeric, otherwise: Numeric): Numeric =>
  (c, i) => {
    const x = test(c, i);
    if (x === true) return then(c, i);
    return x === false ? otherwise(c, i) : noNumber();
  };

export const call1 =
  (f: (x: number) => number) =>
  (a: Numeric): Numeric =>
  (c, i) =>
    f(a(c, i));

export const call2 =
  (f: (x: number, y: number) => number) =>
  (a: Numeric, b: Numeric): Numeric =>
  (c, i) =>
    f(a(c, i), b(c, i));

/** The bare number, or what the exact node makes of it. */
export const settle =
  (a: Numeric, exact: Node<unknown>): Node<unknown> =>
  (c, i) => {
    const x = a(c, i);
    return Number.isNaN(x) ? exact(c, i) : x;
  };

export const call3 =
  (f: (x: number, y: number, z: number) => number) =>
  (a: Numeric, b: Numeric, d: Numeric): Numeric =>
  (c, i) =>
    f(a(c, i), b(c, i), d(c, i));

export const ARITHMETIC = { '+': add, '-': subtract, '*': multiply, '/': divide, '%': remainder } as const;

type Compare = (a: Numeric, b: Numeric, exact: Node<unknown>) => Node<unknown>;

// With a NaN both tests are false.

const less: Compare = (a, b, exact) => (c, i) => {
  const x = a(c, i);
  const y = b(c, i);
  if (x < y) return true;
  return x >= y ? false : exact(c, i);
};

const atMost: Compare = (a, b, exact) => (c, i) => {
  const x = a(c, i);
  const y = b(c, i);
  if (x <= y) return true;
  return x > y ? false : exact(c, i);
};

const more: Compare = (a, b, exact) => (c, i) => {
  const x = a(c, i);
  const y = b(c, i);
  if (x > y) return true;
  return x <= y ? false : exact(c, i);
};

const atLeast: Compare = (a, b, exact) => (c, i) => {
  const x = a(c, i);
  const y = b(c, i);
  if (x >= y) return true;
  return x < y ? false : exact(c, i);
};

export const ORDER = { '<': less, '<=': atMost, '>': more, '>=': atLeast } as const;

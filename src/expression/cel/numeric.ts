import { BUILTINS } from './builtins.js';
import type { BinaryOp, ChainOp, CheckedNode } from './checked-node.js';
import type { Closure } from './closure.js';

// Arithmetic on bare doubles. NaN represents any value that is not a number: absence, another type, 0/0. Every operation
// returns NaN if an operand is NaN, so one test at the end decides whether to evaluate the exact closures. A closure that
// could also return `undefined` would box each intermediate double.

export type NumericClosure = Closure<number>;

/**
 * Returns NaN by a call. V8 omits a branch that was never taken if it contains a call, but not if it only reads a global,
 * such as the `NaN` into which bundlers convert `Number.NaN`. If the branch stays, every double needs a box, which takes
 * twice the time.
 */
const nan = (): number => Number.NaN;

/** The number that an exact closure returns. */
export const numberOf =
  (a: Closure<unknown>): NumericClosure =>
  (c, i) => {
    const x = a(c, i);
    return typeof x === 'number' ? x : nan();
  };

const add =
  (a: NumericClosure, b: NumericClosure): NumericClosure =>
  (c, i) =>
    a(c, i) + b(c, i);

const subtract =
  (a: NumericClosure, b: NumericClosure): NumericClosure =>
  (c, i) =>
    a(c, i) - b(c, i);

const multiply =
  (a: NumericClosure, b: NumericClosure): NumericClosure =>
  (c, i) =>
    a(c, i) * b(c, i);

const divide =
  (a: NumericClosure, b: NumericClosure): NumericClosure =>
  (c, i) =>
    a(c, i) / b(c, i);

const remainder =
  (a: NumericClosure, b: NumericClosure): NumericClosure =>
  (c, i) =>
    a(c, i) % b(c, i);

export const negate =
  (a: NumericClosure): NumericClosure =>
  (c, i) =>
    -a(c, i);

export const choose =
  (test: Closure<unknown>, then: NumericClosure, otherwise: NumericClosure): NumericClosure =>
  (c, i) => {
    const x = test(c, i);
    if (x === true) return then(c, i);
    return x === false ? otherwise(c, i) : nan();
  };

export const callUnary =
  (f: (x: number) => number) =>
  (a: NumericClosure): NumericClosure =>
  (c, i) =>
    f(a(c, i));

export const callBinary =
  (f: (x: number, y: number) => number) =>
  (a: NumericClosure, b: NumericClosure): NumericClosure =>
  (c, i) =>
    f(a(c, i), b(c, i));

/** The bare number, or the exact closure's value if it is NaN. */
export const numberOrExact =
  (a: NumericClosure, exact: Closure<unknown>): Closure<unknown> =>
  (c, i) => {
    const x = a(c, i);
    return Number.isNaN(x) ? exact(c, i) : x;
  };

export const callTernary =
  (f: (x: number, y: number, z: number) => number) =>
  (a: NumericClosure, b: NumericClosure, d: NumericClosure): NumericClosure =>
  (c, i) =>
    f(a(c, i), b(c, i), d(c, i));

export const ARITHMETIC = { '+': add, '-': subtract, '*': multiply, '/': divide, '%': remainder } as const;

type Compare = (a: NumericClosure, b: NumericClosure, exact: Closure<unknown>) => Closure<unknown>;

// With NaN, both tests are false.

const less: Compare = (a, b, exact) => (c, i) => {
  const x = a(c, i);
  const y = b(c, i);
  if (x < y) return true;
  return x >= y ? false : exact(c, i);
};

const lessOrEqual: Compare = (a, b, exact) => (c, i) => {
  const x = a(c, i);
  const y = b(c, i);
  if (x <= y) return true;
  return x > y ? false : exact(c, i);
};

const greater: Compare = (a, b, exact) => (c, i) => {
  const x = a(c, i);
  const y = b(c, i);
  if (x > y) return true;
  return x <= y ? false : exact(c, i);
};

const greaterOrEqual: Compare = (a, b, exact) => (c, i) => {
  const x = a(c, i);
  const y = b(c, i);
  if (x >= y) return true;
  return x < y ? false : exact(c, i);
};

export const ORDER = { '<': less, '<=': lessOrEqual, '>': greater, '>=': greaterOrEqual } as const;

/** Whether an operator has a numeric form. */
export const isNumericOp = (by: BinaryOp | ChainOp): by is keyof typeof ARITHMETIC => Object.hasOwn(ARITHMETIC, by);
/** Whether an operator compares by order. */
export const isOrder = (by: BinaryOp | ChainOp): by is keyof typeof ORDER => Object.hasOwn(ORDER, by);

/** Whether a node computes a number and can be compiled to bare numbers. */
export function isArithmetic(tree: CheckedNode): boolean {
  if (tree.op === 'negate') return true;
  if (tree.op === 'chain' || tree.op === 'binary') {
    return isNumericOp(tree.by) && (tree.type === 'number' || tree.type === 'dyn');
  }
  if (tree.op === 'call') return BUILTINS.get(tree.name)?.numeric?.takes === tree.args.length;
  return tree.op === 'choose' && tree.type === 'number';
}

/** The numeric operands of a node that computes a number or compares two. A condition is not included. */
function operandsOf(tree: CheckedNode): readonly CheckedNode[] {
  switch (tree.op) {
    case 'negate':
      return [tree.of];
    case 'binary':
      return [tree.left, tree.right];
    case 'chain':
      return tree.parts;
    case 'call':
      return tree.args;
    case 'choose':
      return [...tree.cases.map(([, then]) => then), tree.otherwise];
    default:
      return [];
  }
}

/** Whether a node is compiled to bare numbers first: it computes a number, or compares a computed one. */
export const isNumericFirst = (tree: CheckedNode): boolean =>
  isArithmetic(tree) || (tree.op === 'binary' && isOrder(tree.by) && operandsOf(tree).some(isArithmetic));

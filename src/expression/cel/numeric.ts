import * as exactly from './operators.js';
import type { BoundExpression } from '../scope.js';
import { asRead } from '../path.js';
import type { BinaryOp, ChainOp, MacroName, CheckedNode } from './checked-node.js';
import { spend } from './step-budget.js';
import { isCelMap, throwMismatch } from './operators.js';
import { BUILTINS } from './builtins.js';

/** A compiled node of an expression whose value is an `R`. */
export type Closure<R> = (candidate: unknown, index: number) => R;

const functionText = new WeakMap<Closure<unknown>, object>();

const callThrough =
  <R>(operand: Closure<R>): Closure<R> =>
  (candidate, index) =>
    operand(candidate, index);

/**
 * An operand that V8 can inline: it does not inline a function text directly into itself, so an operand of the same
 * text is called through another one.
 */
const avoidSelfInlining = <R>(text: object, operand: Closure<R>): Closure<R> =>
  functionText.get(operand) === text ? callThrough(operand) : operand;

function markText<R>(text: object, made: Closure<R>): Closure<R> {
  functionText.set(made, text);
  return made;
}

/**
 * Makes a closure of one operand that V8 can inline into closures of the same text.
 *
 * @param text identifies the function text that `make` returns
 */
export const unaryClosure = <A, R>(
  make: (a: Closure<A>) => Closure<R>,
  a: Closure<A>,
  text: object = make,
): Closure<R> => markText(text, make(avoidSelfInlining(text, a)));

/** Makes a closure of two operands that V8 can inline. */
export const binaryClosure = <A, B, R>(
  make: (a: Closure<A>, b: Closure<B>) => Closure<R>,
  a: Closure<A>,
  b: Closure<B>,
  text: object = make,
): Closure<R> => markText(text, make(avoidSelfInlining(text, a), avoidSelfInlining(text, b)));

/** Makes a closure of three operands that V8 can inline. */
export const ternaryClosure = <A, B, C, R>(
  make: (a: Closure<A>, b: Closure<B>, c: Closure<C>) => Closure<R>,
  a: Closure<A>,
  b: Closure<B>,
  c: Closure<C>,
  text: object = make,
): Closure<R> =>
  markText(text, make(avoidSelfInlining(text, a), avoidSelfInlining(text, b), avoidSelfInlining(text, c)));

/** The operators on values of any type. They throw CEL's errors for operands of the wrong type. */
export const EXACT_OPERATORS: Readonly<
  Record<BinaryOp | ChainOp, (a: BoundExpression, b: BoundExpression) => BoundExpression>
> = {
  '==': exactly.equal,
  '!=': exactly.unequal,
  '<': exactly.less,
  '<=': exactly.lessOrEqual,
  '>': exactly.greater,
  '>=': exactly.greaterOrEqual,
  in: exactly.isIn,
  '+': exactly.add,
  '-': exactly.subtract,
  '*': exactly.multiply,
  '/': exactly.divide,
  '%': exactly.remainder,
  '&&': exactly.and,
  '||': exactly.or,
};

/** Folds from the left, so that rounding is the same as in the written order. */
export function foldChain(by: ChainOp, parts: readonly BoundExpression[]): BoundExpression {
  if (by === '+' && parts.length > 2) return exactly.addAll(parts);
  return parts.reduce((left, right) => binaryClosure(EXACT_OPERATORS[by], left, right));
}

/** Holds the current element of a macro. */
export interface LocalSlot {
  value: unknown;
}

export interface MacroParts {
  readonly list: BoundExpression;
  readonly slot: LocalSlot;
  readonly test: BoundExpression | undefined;
  readonly value: BoundExpression | undefined;
}

/** The elements of a list, the keys of a map. */
function elements(name: MacroName, holder: unknown): readonly unknown[] {
  if (Array.isArray(holder)) return holder;
  if (!isCelMap(holder)) return throwMismatch(`${name}()`, 'a list or a map', holder);
  const keys = Object.keys(holder);
  spend(keys.length);
  return keys;
}

type MacroRunner = (values: readonly unknown[], holds: (value: unknown) => boolean, valueOf: () => unknown) => unknown;

const MACRO_RUNNERS: Readonly<Record<MacroName, MacroRunner>> = {
  all: (values, holds) => values.every((value) => holds(value)),
  exists: (values, holds) => values.some((value) => holds(value)),
  exists_one: (values, holds) => values.filter((value) => holds(value)).length === 1,
  filter: (values, holds) => values.filter((value) => holds(value)),
  map: (values, holds, valueOf) =>
    values.map((value) => (holds(value) ? valueOf() : undefined)).filter((value) => value !== undefined),
};

/** Compiles a macro. Absent if its list is absent. An absent test counts as false; `map` skips absent values. */
export const compileMacro = (name: MacroName, { list, slot, test, value }: MacroParts): BoundExpression => {
  const run = MACRO_RUNNERS[name];
  return (c, i) => {
    const holder = list(c, i);
    if (holder === undefined) return undefined;
    const holds = (element: unknown): boolean => {
      spend(1);
      slot.value = asRead(element);
      const answer = test === undefined ? true : test(c, i);
      if (typeof answer === 'boolean') return answer;
      return answer === undefined ? false : throwMismatch(`the test of ${name}()`, 'true or false', answer);
    };
    try {
      return run(elements(name, holder), holds, () => value?.(c, i));
    } finally {
      slot.value = undefined; // release the last element
    }
  };
};

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

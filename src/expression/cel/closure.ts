import type { BoundExpression } from '../scope.js';
import { asRead } from '../plain-data.js';
import type { BinaryOp, ChainOp, MacroName } from './checked-node.js';
import * as exact from './operators.js';
import { spend } from './step-budget.js';
import { isCelMap, throwMismatch } from './operators.js';

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
  '==': exact.equal,
  '!=': exact.unequal,
  '<': exact.less,
  '<=': exact.lessOrEqual,
  '>': exact.greater,
  '>=': exact.greaterOrEqual,
  in: exact.isIn,
  '+': exact.add,
  '-': exact.subtract,
  '*': exact.multiply,
  '/': exact.divide,
  '%': exact.remainder,
  '&&': exact.and,
  '||': exact.or,
};

/** Folds from the left, so that rounding is the same as in the written order. */
export function foldChain(by: ChainOp, parts: readonly BoundExpression[]): BoundExpression {
  if (by === '+' && parts.length > 2) return exact.addAll(parts);
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

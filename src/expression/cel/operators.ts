import { describeValue, isObject } from '../../base/index.js';
import { type BoundExpression, ExpressionEvaluationError, ExpressionStepsError, spend, spendText } from '../scope.js';
import { asRead, isMap, KeyedMap, type MapKey, ownValue } from '../path.js';

/** Handles a value that is not a boolean: absence stays absent, any other value is an error. */
function absentOrThrow(operation: string, value: unknown): undefined {
  return value === undefined ? undefined : throwMismatch(operation, 'true or false', value);
}

/** Evaluates `&&` and `||` if the first operand does not decide the result. */
function decideWithSecond(operation: string, deciding: boolean, x: unknown, y: unknown): boolean | undefined {
  if (y === deciding) return deciding;
  if (typeof x !== 'boolean') absentOrThrow(operation, x);
  return typeof y === 'boolean' ? undefined : absentOrThrow(operation, y);
}

/** Whether an error is one of the evaluation on this value, which another operand may make irrelevant. */
export const isRecoverable = (error: unknown): boolean =>
  error instanceof ExpressionEvaluationError && !(error instanceof ExpressionStepsError);

/** Evaluates `&&` and `||` after an error of the first operand: the second one may still decide. */
function decideAfterError(error: unknown, deciding: boolean, second: () => unknown): boolean {
  if (!isRecoverable(error)) throw error;
  try {
    if (second() === deciding) return deciding;
  } catch (other) {
    if (!isRecoverable(other)) throw other;
  }
  throw error;
}

export const and =
  (a: BoundExpression, b: BoundExpression): BoundExpression =>
  (c, i) => {
    let x: unknown;
    try {
      x = a(c, i);
    } catch (error) {
      return decideAfterError(error, false, () => b(c, i));
    }
    if (x === false) return false;
    const y = b(c, i);
    return x === true && typeof y === 'boolean' ? y : decideWithSecond('&&', false, x, y);
  };

export const or =
  (a: BoundExpression, b: BoundExpression): BoundExpression =>
  (c, i) => {
    let x: unknown;
    try {
      x = a(c, i);
    } catch (error) {
      return decideAfterError(error, true, () => b(c, i));
    }
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

/** Compares two values that are not both numbers. Compares strings by code unit. Absent if one value is absent. */
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
  if (typeof x === 'boolean' && typeof y === 'boolean') return decide(Number(x) - Number(y));
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

/** Equality inside a macro, where long texts may be compared many times. It spends steps. */
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

// The exact arithmetic: it handles absence, joins strings and lists, and fails on other types. Numeric nodes compute two
// numbers and fall back to this if they return NaN.

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

/** Adds from the left. Joins the lists of a chain in one step, because copying them for each `+` would be quadratic. */
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

/** Makes a list. Absent if an element is absent, unless it is optional: then the list does not have it. */
export const list =
  (parts: readonly BoundExpression[], optional: ReadonlySet<number> = new Set()): BoundExpression =>
  (c, i) => {
    spend(1 + parts.length);
    const values: unknown[] = [];
    for (let n = 0; n < parts.length; n++) {
      const value = parts[n]!(c, i);
      if (value !== undefined) values.push(value);
      else if (!optional.has(n)) return undefined;
    }
    return values;
  };

/** The steps that a map costs: it takes as much memory as a list with this number of elements. */
const STEPS_OF_A_MAP = 8;

/** Makes a map of entries with different keys. It has no prototype, so `__proto__` is an ordinary key. */
export function makeMap(entries: readonly (readonly [key: unknown, value: unknown])[]): object {
  spend(STEPS_OF_A_MAP + entries.length);
  const texts = entries.every(([key]) => typeof key === 'string');
  const values: Record<string, unknown> = Object.create(null);
  const keyed = texts ? undefined : new KeyedMap();
  for (const [key, value] of entries) {
    if (typeof key !== 'string' && typeof key !== 'number' && typeof key !== 'boolean')
      return throwMismatch('the key of a map', 'a string, a number or a bool', key);
    const isNew = keyed ? keyed.add(key, value) : !Object.hasOwn(values, key as string);
    if (!isNew) throw new ExpressionEvaluationError(`a map has the key ${JSON.stringify(key)} twice`);
    if (!keyed) values[key as string] = value;
  }
  return keyed ?? values;
}

/** An entry of a map that is written out. An optional one is left out if its value is absent. */
export interface MapEntry<V> {
  readonly key: V;
  readonly value: V;
  readonly optional?: true;
}

/** Makes a map. Absent if a key or a value is absent. */
export const map =
  (entries: readonly MapEntry<BoundExpression>[]): BoundExpression =>
  (c, i) => {
    const values: (readonly [unknown, unknown])[] = [];
    for (const { key: keyOf, value: valueOf, optional } of entries) {
      const key = keyOf(c, i);
      const value = valueOf(c, i);
      if (optional && value === undefined) continue;
      if (key === undefined || value === undefined) return undefined;
      values.push([key, value]);
    }
    return makeMap(values);
  };

/** The keys of a map. */
export function keysOf(holder: Readonly<Record<string, unknown>>): readonly MapKey[] {
  const keys = holder instanceof KeyedMap ? holder.keys : Object.keys(holder);
  spend(keys.length);
  return keys;
}

export const elementOf =
  (a: BoundExpression, b: BoundExpression): BoundExpression =>
  (c, i) => {
    const x = a(c, i);
    const y = b(c, i);
    return x === undefined || y === undefined ? undefined : elementAt(x, y);
  };

/** Throws an error that names what an operation needs and what it found. */
export function throwMismatch(operation: string, needs: string, found: unknown): never {
  throw new ExpressionEvaluationError(`${operation} needs ${needs}, found ${describeValue(found)}`);
}

/** Whether a value is a map in the sense of CEL: not a list, and not an object with its own class, such as a Date. */
export const isCelMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isMap(value) && !(value instanceof Date);

/** Deeper than any data. A deeper value must contain itself. */
const MAX_VALUE_DEPTH = 200;

/** Deep equality. Values of different types are unequal. Maps are compared by their own keys. */
export function equals(a: unknown, b: unknown, depth = 0): boolean {
  spend(1);
  if (typeof a === 'string' && typeof b === 'string') {
    if (a.length === b.length) spendText(a);
    return a === b;
  }
  if (a === b) return true;
  if (a instanceof Date || b instanceof Date) return asRead(a) === asRead(b);
  if (!isObject(a) || !isObject(b)) return false;
  if (depth > MAX_VALUE_DEPTH) throw new ExpressionEvaluationError('== cannot compare a value that contains itself');
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((value, n) => equals(value, b[n], depth + 1));
  }
  if (Array.isArray(b)) return false;
  if (a instanceof KeyedMap || b instanceof KeyedMap) {
    if (!(a instanceof KeyedMap && b instanceof KeyedMap)) return false;
    spend(a.keys.length);
    return (
      a.keys.length === b.keys.length &&
      a.entries.every(([key, value]) => b.has(key) && equals(value, elementAt(b, key), depth + 1))
    );
  }
  const keys = Object.keys(a);
  spend(keys.length);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && equals(a[key], b[key], depth + 1));
}

const LONG_TEXT = 256;

/** Whether a value is a text that is slow to compare. */
export const isLongText = (value: unknown): value is string => typeof value === 'string' && value.length > LONG_TEXT;

const isDateOf = (element: unknown, millis: number): boolean =>
  typeof element === 'object' && asRead(element) === millis;

/** Whether a list contains an equal element, or a map contains the key. */
export function contains(holder: unknown, value: unknown): boolean {
  if (Array.isArray(holder)) {
    if (isObject(value) || isLongText(value)) return holder.some((element) => equals(element, value));
    spend(holder.length);
    return (
      holder.indexOf(value) >= 0 || (typeof value === 'number' && holder.some((element) => isDateOf(element, value)))
    );
  }
  if (!isCelMap(holder)) return throwMismatch('in', 'a list or a map on its right', holder);
  if (holder instanceof KeyedMap) return holder.has(value);
  if (typeof value !== 'string' && typeof value !== 'number') return false;
  return Object.hasOwn(holder, value);
}

/** The element of a list at a position, or the value of a map under a key. Absent if it does not exist. */
export function elementAt(holder: unknown, key: unknown): unknown {
  if (!isObject(holder)) return undefined;
  if (typeof key === 'boolean' && holder instanceof KeyedMap) return holder.at(key);
  if (typeof key !== 'string' && typeof key !== 'number') return throwMismatch('[ ]', 'a number or a string', key);
  if (Array.isArray(holder) && typeof key === 'string') return throwMismatch('[ ] on a list', 'a number', key);
  return asRead(ownValue(holder, key));
}

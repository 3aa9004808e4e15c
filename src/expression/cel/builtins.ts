import { ExpressionEvaluationError, spend, spendText } from '../scope.js';
import { asRead } from '../path.js';
import { throwMismatch, isCelMap, keysOf } from './operators.js';
import { type Builtin, countCodePoints, TEXT_BUILTINS } from './text-builtins.js';
import { TIME_BUILTINS, withFunctionName } from './time-builtins.js';

/*
 * The functions of CEL's math extension (https://github.com/google/cel-go/tree/master/ext#math) that are not the same as
 * one with a shorter name. Bit operations work on integers of 64 bits; the result is the nearest double.
 */

const NUMBER = ['number'] as const;

const ofNumber = <R>(name: string, result: 'number' | 'bool', f: (x: number) => R): Builtin => ({
  params: [NUMBER],
  result,
  call: (x) => (typeof x === 'number' ? f(x) : throwMismatch(`math.${name}()`, 'a number', x)),
});

/** The greatest or least of one number or of a list of numbers. Calls with more arguments are `max` and `min`. */
const extremum = (name: string, f: (x: number, y: number) => number): Builtin => ({
  params: [['number', 'list']],
  result: 'number',
  call: (value) => {
    if (typeof value === 'number') return value;
    if (!Array.isArray(value)) return throwMismatch(`math.${name}()`, 'numbers', value);
    spend(value.length);
    let best: number | undefined;
    for (const part of value as readonly unknown[]) {
      const number = asRead(part);
      if (typeof number !== 'number') return throwMismatch(`math.${name}()`, 'a list of numbers', part);
      best = best === undefined ? number : f(best, number);
    }
    return best ?? throwMismatch(`math.${name}()`, 'a list with a number', value);
  },
});

function integerOf(name: string, value: unknown): bigint {
  return typeof value === 'number' && Number.isInteger(value)
    ? BigInt.asIntN(64, BigInt(value))
    : throwMismatch(`math.${name}()`, 'whole numbers', value);
}

const bits = (name: string, f: (x: bigint, y: bigint) => bigint): Builtin => ({
  params: [NUMBER, NUMBER],
  result: 'number',
  call: (x, y) => Number(f(integerOf(name, x), integerOf(name, y))),
});

/** Shifts by 64 bits or more give 0. */
const shift = (name: string, f: (x: bigint, by: bigint) => bigint): Builtin =>
  bits(name, (x, by) => {
    if (by < 0n) throw new ExpressionEvaluationError(`math.${name}() needs a positive number of bits, found ${by}`);
    return by > 63n ? 0n : f(x, by);
  });

export const MATH_BUILTINS: readonly (readonly [name: string, builtin: Builtin])[] = [
  ['math.greatest', extremum('greatest', Math.max)],
  ['math.least', extremum('least', Math.min)],
  ['math.round', ofNumber('round', 'number', (x) => Math.sign(x) * Math.round(Math.abs(x)))],
  ['math.trunc', ofNumber('trunc', 'number', Math.trunc)],
  ['math.sign', ofNumber('sign', 'number', Math.sign)],
  ['math.isNaN', ofNumber('isNaN', 'bool', Number.isNaN)],
  ['math.isInf', ofNumber('isInf', 'bool', (x) => Math.abs(x) === Number.POSITIVE_INFINITY)],
  ['math.isFinite', ofNumber('isFinite', 'bool', Number.isFinite)],
  ['math.bitAnd', bits('bitAnd', (x, y) => x & y)],
  ['math.bitOr', bits('bitOr', (x, y) => x | y)],
  ['math.bitXor', bits('bitXor', (x, y) => x ^ y)],
  ['math.bitNot', ofNumber('bitNot', 'number', (x) => Number(~integerOf('bitNot', x)))],
  ['math.bitNot(uint)', ofNumber('bitNot', 'number', (x) => Number(BigInt.asUintN(64, ~BigInt(Math.trunc(x)))))],
  ['math.bitShiftLeft', shift('bitShiftLeft', (x, by) => BigInt.asIntN(64, x << by))],
  ['math.bitShiftRight', shift('bitShiftRight', (x, by) => BigInt.asUintN(64, x) >> by)],
];

const LIST = ['list'] as const;

const numericUnary = (name: string, f: (x: number) => number): Builtin => ({
  params: [NUMBER],
  result: 'number',
  call: (x) => (typeof x === 'number' ? f(x) : throwMismatch(`${name}()`, 'a number', x)),
});

const numericBinary = (name: string, f: (x: number, y: number) => number, variadic = false): Builtin => ({
  params: [NUMBER, NUMBER],
  variadic,
  result: 'number',
  call: (x, y) =>
    typeof x === 'number' && typeof y === 'number'
      ? f(x, y)
      : throwMismatch(`${name}()`, 'numbers', typeof x === 'number' ? y : x),
});

/** Folds the numbers of a list. Absent if an element is absent, or if the list is empty and `empty` is not given. */
const listFold = (name: string, f: (x: number, y: number) => number, empty?: number): Builtin => ({
  params: [LIST],
  result: 'number',
  call: (list) => {
    if (!Array.isArray(list)) return throwMismatch(`${name}()`, 'a list of numbers', list);
    spend(list.length);
    let result = empty;
    for (const element of list as readonly unknown[]) {
      const value = typeof element === 'object' ? asRead(element) : element;
      if (value === undefined) return undefined;
      if (typeof value !== 'number') return throwMismatch(`${name}()`, 'a list of numbers', value);
      result = result === undefined ? value : f(result, value);
    }
    return result;
  },
});

function size(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  if (typeof value === 'string') return countCodePoints(value);
  return isCelMap(value) ? keysOf(value).length : throwMismatch('size()', 'a string, a list or a map', value);
}

const NUMERAL = /^\s*[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?\s*$/;
/** The numbers of CEL that have no digits. */
const SPECIAL = ['NaN', 'Infinity', '-Infinity'];

function toNumber(name: string, value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'string') spendText(value);
  if (typeof value === 'string' && NUMERAL.test(value)) return Number(value);
  if (name === 'double' && SPECIAL.includes(String(value))) return Number(value);
  return throwMismatch(`${name}()`, 'a number or a numeric string', value);
}

function toStringValue(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : throwMismatch('string()', 'a string, a number or a bool', value);
}

/** The distinct elements of a list in their order, without absent ones. */
function distinct(list: unknown): unknown[] {
  if (!Array.isArray(list)) return throwMismatch('distinct()', 'a list', list);
  spend(list.length);
  const seen = new Map<unknown, unknown>();
  for (const value of list as readonly unknown[]) {
    if (value === undefined || value === null) continue;
    const key = typeof value === 'object' ? withFunctionName('distinct', structuralKey, value) : value;
    if (!seen.has(key)) seen.set(key, value);
  }
  return [...seen.values()];
}

/** Converts a value to a text that is equal for equal lists and maps. The control character distinguishes them from strings. */
const structuralKey = (value: object): string =>
  `\u0000${JSON.stringify(value, (_, part: unknown) => {
    spend(1);
    if (typeof part === 'string') spendText(part);
    return isCelMap(part) ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1))) : part;
  })}`;

function toUint(value: unknown): number {
  const number = Math.trunc(toNumber('uint', value));
  return number < 0 || number >= 2 ** 64 || Number.isNaN(number)
    ? throwMismatch('uint()', 'a number from 0 to 2^64', value)
    : number;
}

/** The texts of booleans, in the forms that CEL accepts. */
const BOOLS: ReadonlyMap<unknown, boolean> = new Map([
  ...['1', 't', 'true', 'TRUE', 'True', 'T'].map((text) => [text, true] as const),
  ...['0', 'f', 'false', 'FALSE', 'False', 'F'].map((text) => [text, false] as const),
]);

const toBool = (value: unknown): boolean =>
  typeof value === 'boolean'
    ? value
    : (BOOLS.get(value) ?? throwMismatch('bool()', 'true or false, or a string such as "true"', value));

/** Absent for 0, false, and an empty text, list or map. */
function nonZero(value: unknown): unknown {
  const isEmpty = (Array.isArray(value) && value.length === 0) || (isCelMap(value) && keysOf(value).length === 0);
  return value === 0 || value === '' || value === false || isEmpty ? undefined : value;
}

const clamp: Builtin = {
  params: [NUMBER, NUMBER, NUMBER],
  result: 'number',
  call: (x, low, high) => {
    if (typeof x === 'number' && typeof low === 'number' && typeof high === 'number') {
      return Math.min(Math.max(x, low), high);
    }
    return throwMismatch(
      'clamp()',
      'numbers',
      [x, low, high].find((value) => typeof value !== 'number'),
    );
  },
};

/** The functions by name. */
export const BUILTINS: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  ['abs', numericUnary('abs', Math.abs)],
  ['floor', numericUnary('floor', Math.floor)],
  ['ceil', numericUnary('ceil', Math.ceil)],
  ['sqrt', numericUnary('sqrt', Math.sqrt)],
  ['exp', numericUnary('exp', Math.exp)],
  ['ln', numericUnary('ln', Math.log)],
  ['log2', numericUnary('log2', Math.log2)],
  ['pow', numericBinary('pow', (x, y) => (Number.isNaN(x) ? x : x ** y))],
  ['min', numericBinary('min', Math.min, true)],
  ['max', numericBinary('max', Math.max, true)],
  ['clamp', clamp],
  ['sum', listFold('sum', (x, y) => x + y, 0)],
  ['size', { params: [['string', 'list', 'map']], result: 'number', call: size }],
  ['distinct', { params: [LIST], result: 'list', call: distinct }],
  ...TEXT_BUILTINS,
  ['double', { params: [['number', 'string']], result: 'number', call: (x) => toNumber('double', x) }],
  [
    'int',
    {
      params: [['number', 'string']],
      result: 'number',

      call: (x) => Math.trunc(toNumber('int', x)),
    },
  ],
  ['uint', { params: [['number', 'string']], result: 'number', call: toUint }],
  ['bool', { params: [['bool', 'string']], result: 'bool', call: toBool }],
  ['optional.ofNonZeroValue', { params: [['dyn']], result: 'dyn', call: nonZero }],
  ['dyn', { params: [['dyn']], result: 'dyn', call: (x) => x }],
  ['string', { params: [['number', 'string', 'bool']], result: 'string', call: toStringValue }],
  ...TIME_BUILTINS,
  ...MATH_BUILTINS,
]);

/** `min` and `max` of one list. */
export const LIST_BUILTINS: ReadonlyMap<string, Builtin> = new Map([
  ['min', listFold('min', Math.min)],
  ['max', listFold('max', Math.max)],
]);

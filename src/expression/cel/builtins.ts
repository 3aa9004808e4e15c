import { asRead } from '../path.js';
import { MATH_BUILTINS } from './math-builtins.js';
import { isCelMap, keysOf, throwMismatch } from './operators.js';
import { spend, spendText } from './step-budget.js';
import { type Builtin, countCodePoints, TEXT_BUILTINS } from './text-builtins.js';
import { TIME_BUILTINS, withFunctionName } from './time-builtins.js';

const NUMBER = ['number'] as const;
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

/** Rejects a constant that CEL's integers do not have. */
function isInt64(value: unknown): void {
  if (typeof value === 'number' && !(Math.abs(value) < 2 ** 63))
    throw new TypeError(`expected a number with less than 64 bits, found ${value}`);
}

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
      constants: [isInt64],
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

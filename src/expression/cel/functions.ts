import { EvaluationFailure } from '../failure.js';
import { parseDuration, toMillis } from '../time.js';
import type { Type } from './types.js';
import { isMap, refuse } from './values.js';

/** A function that every expression may call, as `f(x, …)` or `x.f(…)`. Its arguments are present when it is called. */
export interface Builtin {
  /** What each argument may be. */
  readonly params: readonly (readonly Type[])[];
  /** Whether more arguments of the last kind may follow: they are folded from the left. */
  readonly more?: boolean;
  readonly result: Type;
  /** The same on bare numbers, where NaN in gives NaN out. */
  readonly numeric?: NumericCall;
  call(this: void, ...args: unknown[]): unknown;
}

/** A function of bare numbers, with how many it takes. */
export type NumericCall =
  | { readonly takes: 1; readonly f: (x: number) => number }
  | { readonly takes: 2; readonly f: (x: number, y: number) => number }
  | { readonly takes: 3; readonly f: (x: number, y: number, z: number) => number };

const NUMBER = ['number'] as const;
const STRING = ['string'] as const;
const LIST = ['list'] as const;

const number1 = (name: string, f: (x: number) => number): Builtin => ({
  params: [NUMBER],
  result: 'number',
  numeric: { takes: 1, f },
  call: (x) => (typeof x === 'number' ? f(x) : refuse(`${name}()`, 'a number', x)),
});

const number2 = (name: string, f: (x: number, y: number) => number, more = false): Builtin => ({
  params: [NUMBER, NUMBER],
  more,
  result: 'number',
  numeric: { takes: 2, f },
  call: (x, y) =>
    typeof x === 'number' && typeof y === 'number'
      ? f(x, y)
      : refuse(`${name}()`, 'numbers', typeof x === 'number' ? y : x),
});

const string2 = (name: string, f: (x: string, y: string) => boolean): Builtin => ({
  params: [STRING, STRING],
  result: 'bool',
  call: (x, y) => {
    if (typeof x === 'string' && typeof y === 'string') return f(x, y);
    const found = typeof x === 'string' ? y : x;
    const instead = name === 'contains' && Array.isArray(x) ? ' (for a list write: value in list)' : '';
    return refuse(`${name}()`, `strings${instead}`, found);
  },
});

/** Folds the numbers of a list; absent where one of them is, and where there is nothing to fold. */
const numbers = (name: string, f: (x: number, y: number) => number, empty?: number): Builtin => ({
  params: [LIST],
  result: 'number',
  call: (list) => {
    if (!Array.isArray(list)) return refuse(`${name}()`, 'a list of numbers', list);
    let result = empty;
    for (const value of list as readonly unknown[]) {
      if (value === undefined || value === null) return undefined;
      if (typeof value !== 'number') return refuse(`${name}()`, 'a list of numbers', value);
      result = result === undefined ? value : f(result, value);
    }
    return result;
  },
});

const attempt = <A, R>(name: string, f: (x: A) => R, x: A): R => {
  try {
    return f(x);
  } catch (error) {
    throw new EvaluationFailure(`${name}(): ${error instanceof Error ? error.message : String(error)}`);
  }
};

function size(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  if (typeof value === 'string') return countCodePoints(value);
  return isMap(value) ? Object.keys(value).length : refuse('size()', 'a string, a list or a map', value);
}

function countCodePoints(text: string): number {
  let count = text.length;
  for (let n = 1; n < text.length; n++) {
    const pair = (text.charCodeAt(n) & 0xfc00) === 0xdc00 && (text.charCodeAt(n - 1) & 0xfc00) === 0xd800;
    if (pair) count -= 1;
  }
  return count;
}

const NUMERAL = /^\s*[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?\s*$/;

function toNumber(name: string, value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'string' && NUMERAL.test(value)) return Number(value);
  return refuse(`${name}()`, 'a number or a string that is one', value);
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : refuse('string()', 'a string, a number or a bool', value);
}

/** The different elements of a list, in order. What is absent is not an element. */
function distinct(list: unknown): unknown[] {
  if (!Array.isArray(list)) return refuse('distinct()', 'a list', list);
  const seen = new Map<unknown, unknown>();
  for (const value of list as readonly unknown[]) {
    if (value === undefined || value === null) continue;
    const key = typeof value === 'object' ? attempt('distinct', identity, value) : value;
    if (!seen.has(key)) seen.set(key, value);
  }
  return [...seen.values()];
}

/** A text that is the same for equal lists and maps; the control character keeps it apart from strings. */
const identity = (value: object): string =>
  `\u0000${JSON.stringify(value, (_, part: unknown) =>
    isMap(part) ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1))) : part,
  )}`;

const clamp: Builtin = {
  params: [NUMBER, NUMBER, NUMBER],
  result: 'number',
  numeric: { takes: 3, f: (x, low, high) => Math.min(Math.max(x, low), high) },
  call: (x, low, high) => {
    if (typeof x === 'number' && typeof low === 'number' && typeof high === 'number') {
      return Math.min(Math.max(x, low), high);
    }
    return refuse(
      'clamp()',
      'numbers',
      [x, low, high].find((value) => typeof value !== 'number'),
    );
  },
};

/** The functions by name. */
export const BUILTINS: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  ['abs', number1('abs', Math.abs)],
  ['floor', number1('floor', Math.floor)],
  ['ceil', number1('ceil', Math.ceil)],
  ['sqrt', number1('sqrt', Math.sqrt)],
  ['exp', number1('exp', Math.exp)],
  ['ln', number1('ln', Math.log)],
  ['log2', number1('log2', Math.log2)],
  ['pow', number2('pow', (x, y) => (Number.isNaN(x) ? x : x ** y))],
  ['min', number2('min', Math.min, true)],
  ['max', number2('max', Math.max, true)],
  ['clamp', clamp],
  ['sum', numbers('sum', (x, y) => x + y, 0)],
  ['size', { params: [['string', 'list', 'map']], result: 'number', call: size }],
  ['distinct', { params: [LIST], result: 'list', call: distinct }],
  ['contains', string2('contains', (x, y) => x.includes(y))],
  ['startsWith', string2('startsWith', (x, y) => x.startsWith(y))],
  ['endsWith', string2('endsWith', (x, y) => x.endsWith(y))],
  [
    'lower',
    {
      params: [STRING],
      result: 'string',
      call: (x) => (typeof x === 'string' ? x.toLowerCase() : refuse('lower()', 'a string', x)),
    },
  ],
  ['double', { params: [['number', 'string']], result: 'number', call: (x) => toNumber('double', x) }],
  ['int', { params: [['number', 'string']], result: 'number', call: (x) => Math.trunc(toNumber('int', x)) }],
  ['string', { params: [['number', 'string', 'bool']], result: 'string', call: toText }],
  ['timestamp', { params: [['number', 'string']], result: 'number', call: (x) => attempt('timestamp', toMillis, x) }],
  [
    'duration',
    {
      params: [['number', 'string']],
      result: 'number',
      call: (x) =>
        typeof x === 'number' || typeof x === 'string'
          ? attempt('duration', parseDuration, x)
          : refuse('duration()', 'a string such as "7d", or milliseconds', x),
    },
  ],
]);

/** `min` and `max` of one list. */
export const OF_LIST: ReadonlyMap<string, Builtin> = new Map([
  ['min', numbers('min', Math.min)],
  ['max', numbers('max', Math.max)],
]);

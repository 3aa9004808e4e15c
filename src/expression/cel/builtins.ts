import { toError } from '../../base/index.js';
import { ExpressionEvaluationError, ExpressionStepsError } from '../scope.js';
import { asRead } from '../path.js';
import { compileTimeFormat, type TimeFormat, parseDuration, toMillis } from '../time.js';
import { type Builtin, countCodePoints, TEXT_BUILTINS } from './text-builtins.js';
import { isCelMap, throwMismatch } from './operators.js';
import { spend, spendText } from './step-budget.js';

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

const withFunctionName = <A, R>(name: string, f: (x: A) => R, x: A): R => {
  try {
    return f(x);
  } catch (error) {
    if (error instanceof ExpressionStepsError) throw error;
    throw new ExpressionEvaluationError(`${name}(): ${toError(error).message}`);
  }
};

function size(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  if (typeof value === 'string') return countCodePoints(value);
  return isCelMap(value) ? Object.keys(value).length : throwMismatch('size()', 'a string, a list or a map', value);
}

const NUMERAL = /^\s*[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?\s*$/;

function toNumber(name: string, value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'string') spendText(value);
  if (typeof value === 'string' && NUMERAL.test(value)) return Number(value);
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

/** The maximum number of cached formats. A profile uses a few; a computed format is recompiled when it changes. */
const MAX_KEPT = 32;

const kept = new Map<string, TimeFormat>();

function formatOf(source: unknown): TimeFormat {
  if (typeof source !== 'string') return throwMismatch('date()', 'a format such as "yyyy/MM/dd"', source);
  const known = kept.get(source);
  if (known) return known;
  const format = compileTimeFormat(source);
  if (kept.size === MAX_KEPT) kept.clear();
  kept.set(source, format);
  return format;
}

function date(text: unknown, source: unknown): number {
  try {
    return formatOf(source).parse(text);
  } catch (error) {
    throw new ExpressionEvaluationError(`date(): ${toError(error).message}`);
  }
}

const DAY = 86_400_000;

/** The parts of a UTC date by their CEL names. Months and days of the year count from 0, as in CEL. */
const PARTS: Readonly<Record<string, (at: Date) => number>> = {
  getFullYear: (at) => at.getUTCFullYear(),
  getMonth: (at) => at.getUTCMonth(),
  getDate: (at) => at.getUTCDate(),
  getDayOfMonth: (at) => at.getUTCDate() - 1,
  getDayOfWeek: (at) => at.getUTCDay(),
  getDayOfYear: (at) => Math.floor((at.getTime() - startOfYear(at)) / DAY),
  getHours: (at) => at.getUTCHours(),
  getMinutes: (at) => at.getUTCMinutes(),
  getSeconds: (at) => at.getUTCSeconds(),
  getMilliseconds: (at) => at.getUTCMilliseconds(),
};

// Date.UTC would read the years 0 to 99 as 1900 to 1999.
const startOfYear = (at: Date): number => new Date(0).setUTCFullYear(at.getUTCFullYear(), 0, 1);

const getter = (name: string, read: (date: Date) => number): Builtin => ({
  params: [['number']],
  result: 'number',
  call: (millis) => {
    const part = typeof millis === 'number' ? read(new Date(Math.floor(millis))) : Number.NaN;
    return Number.isNaN(part) ? throwMismatch(`${name}()`, 'a date; timestamp(x) reads one from a text', millis) : part;
  },
});

/** `candidate.released.getFullYear()`. */
const DATE_GETTERS: readonly (readonly [name: string, builtin: Builtin])[] = Object.entries(PARTS).map(
  ([name, read]) => [name, getter(name, read)],
);

/** `date("31/01/2026", "dd/MM/yyyy")`: parses a text to milliseconds since 1970. */
const DATE: Builtin = {
  params: [['string'], ['string']],
  result: 'number',
  constants: [undefined, formatOf],
  call: date,
};

/** Rejects a time whose digits after the milliseconds would be dropped. */
function hasMillis(text: unknown): void {
  if (typeof text === 'string' && /[.,]\d{3}0*[1-9]/.test(text))
    throw new TypeError(`times have three digits after the second, found ${JSON.stringify(text)}`);
}

/** A time as CEL writes it: without a fraction if it is a whole second. */
const timeText = (millis: number): string => new Date(millis).toISOString().replace(/\.?0+Z$/, 'Z');

/**
 * The forms of functions for a number that the checker knows to be a time or a duration. No expression can write their
 * names.
 */
const TIME_FORMS: readonly (readonly [name: string, builtin: Builtin])[] = [
  ['int(timestamp)', numericUnary('int', (millis) => Math.floor(millis / 1000))],
  ['string(timestamp)', { ...numericUnary('string', Number), result: 'string', call: (x) => timeText(Number(x)) }],
  ['string(duration)', { ...numericUnary('string', Number), result: 'string', call: (x) => `${Number(x) / 1000}s` }],
  ['getHours(duration)', numericUnary('getHours', (millis) => Math.trunc(millis / 3_600_000))],
  ['getMinutes(duration)', numericUnary('getMinutes', (millis) => Math.trunc(millis / 60_000))],
  ['getSeconds(duration)', numericUnary('getSeconds', (millis) => Math.trunc(millis / 1000))],
  ['getMilliseconds(duration)', numericUnary('getMilliseconds', (millis) => Math.trunc(millis % 1000))],
];

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
  ['int', { params: [['number', 'string']], result: 'number', call: (x) => Math.trunc(toNumber('int', x)) }],
  ['string', { params: [['number', 'string', 'bool']], result: 'string', call: toStringValue }],
  [
    'timestamp',
    {
      params: [['number', 'string']],
      result: 'number',
      constants: [hasMillis],
      call: (x) => withFunctionName('timestamp', toMillis, x),
    },
  ],
  ['date', DATE],
  ...DATE_GETTERS,
  ...TIME_FORMS,
  [
    'duration',
    {
      params: [['number', 'string']],
      result: 'number',
      call: (x) =>
        typeof x === 'number' || typeof x === 'string'
          ? withFunctionName('duration', parseDuration, x)
          : throwMismatch('duration()', 'a string such as "7d", or milliseconds', x),
    },
  ],
]);

/** `min` and `max` of one list. */
export const LIST_BUILTINS: ReadonlyMap<string, Builtin> = new Map([
  ['min', listFold('min', Math.min)],
  ['max', listFold('max', Math.max)],
]);

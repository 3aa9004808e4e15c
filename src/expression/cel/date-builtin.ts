import { toError } from '../../diagnostics/index.js';
import { ExpressionEvaluationError } from '../errors.js';
import { compileTimeFormat, type TimeFormat } from '../time-format.js';
import type { Builtin } from './builtin.js';
import { throwMismatch } from './values.js';

/** How many formats are kept: a profile has a few, and one that is computed is compiled whenever it is another. */
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

/** The parts of a date by the names that CEL has for them, in UTC. Months, and the days of the year, count from 0. */
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
export const DATE_GETTERS: readonly (readonly [name: string, builtin: Builtin])[] = Object.entries(PARTS).map(
  ([name, read]) => [name, getter(name, read)],
);

/** `date("31/01/2026", "dd/MM/yyyy")`: the time that a text is, in milliseconds since 1970. */
export const DATE: Builtin = {
  params: [['string'], ['string']],
  result: 'number',
  constants: [undefined, formatOf],
  call: date,
};

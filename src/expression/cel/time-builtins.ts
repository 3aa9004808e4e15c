import { toError } from '../../base/index.js';
import { ExpressionEvaluationError, ExpressionStepsError } from '../scope.js';
import { compileTimeFormat, parseDuration, type TimeFormat, toMillis } from '../time.js';
import { throwMismatch } from './operators.js';
import type { Builtin } from './text-builtins.js';

/** Calls a function whose error then begins with its name. */
export const withFunctionName = <A, R>(name: string, f: (x: A) => R, x: A): R => {
  try {
    return f(x);
  } catch (error) {
    if (error instanceof ExpressionStepsError) throw error;
    throw new ExpressionEvaluationError(`${name}(): ${toError(error).message}`);
  }
};

/** The maximum number of cached formats and time zones. A profile uses a few; a computed one is made again. */
const MAX_KEPT = 32;

/** The value of a key in a small cache. */
function cached<V>(cache: Map<string, V>, key: string, make: () => V): V {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const value = make();
  if (cache.size === MAX_KEPT) cache.clear();
  cache.set(key, value);
  return value;
}

const formats = new Map<string, TimeFormat>();

const formatOf = (source: unknown): TimeFormat =>
  typeof source === 'string'
    ? cached(formats, source, () => compileTimeFormat(source))
    : throwMismatch('date()', 'a format such as "yyyy/MM/dd"', source);

/** `date("31/01/2026", "dd/MM/yyyy")`: parses a text to milliseconds since 1970. */
const DATE: Builtin = {
  params: [['string'], ['string']],
  result: 'number',
  constants: [undefined, formatOf],
  call: (text, source) => withFunctionName('date', (from) => formatOf(source).parse(from), text),
};

/** Returns a local time as if it were UTC. */
type Zone = (millis: number) => number;

const zones = new Map<string, Zone>();
const OFFSET = /^([+-]?)(\d\d):(\d\d)$/;

/** A time zone by its IANA name, or an offset such as `-02:30`. */
const zoneOf = (name: unknown): Zone =>
  typeof name === 'string'
    ? cached(zones, name, () => makeZone(name))
    : throwMismatch('a time zone', 'a name such as "Europe/Vienna", or "-02:30"', name);

function makeZone(name: string): Zone {
  const [, sign, hours, minutes] = OFFSET.exec(name) ?? [];
  if (hours !== undefined) {
    const offset = (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1);
    return (millis) => millis + offset;
  }
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    return (millis) => localTime(format, millis);
  } catch {
    throw new TypeError(`expected a time zone such as "Europe/Vienna" or "-02:30", found ${JSON.stringify(name)}`);
  }
}

function localTime(format: Intl.DateTimeFormat, millis: number): number {
  const parts = new Map(format.formatToParts(millis).map(({ type, value }) => [type, value]));
  const number = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.get(type));
  const year = parts.get('era') === 'BC' ? 1 - number('year') : number('year');
  const day = new Date(0).setUTCFullYear(year, number('month') - 1, number('day'));
  const clock = ((number('hour') * 60 + number('minute')) * 60 + number('second')) * 1000;
  return day + clock + (((millis % 1000) + 1000) % 1000);
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

/** `candidate.released.getFullYear()`, `candidate.released.getHours("Europe/Vienna")`. */
const getter = (name: string, read: (date: Date) => number): Builtin => ({
  params: [['number'], ['string']],
  optional: 1,
  result: 'number',
  constants: [undefined, zoneOf],
  call: (millis, zone) => {
    const isTime = typeof millis === 'number' && Math.abs(millis) <= 8.64e15;
    const local = isTime && zone !== undefined ? withFunctionName(name, zoneOf, zone)(Math.floor(millis)) : millis;
    const part = typeof local === 'number' ? read(new Date(Math.floor(local))) : Number.NaN;
    return Number.isNaN(part) ? throwMismatch(`${name}()`, 'a date; timestamp(x) reads one from a text', millis) : part;
  },
});

/** The forms of a getter for a duration: the whole units in it. */
const ofDuration = (name: string, read: (millis: number) => number): readonly [string, Builtin] => [
  `${name}(duration)`,
  {
    params: [['number']],
    result: 'number',
    call: (x) => (typeof x === 'number' ? Math.trunc(read(x)) : throwMismatch(`${name}()`, 'a duration', x)),
  },
];

/** A form of `int` or `string` for a time or a duration. */
const conversion = (
  name: string,
  kind: 'timestamp' | 'duration',
  result: 'number' | 'string',
  convert: (millis: number) => number | string,
): readonly [string, Builtin] => [
  `${name}(${kind})`,
  {
    params: [['number']],
    result,
    call: (x) =>
      typeof x === 'number' && Math.abs(x) <= 8.64e15 ? convert(x) : throwMismatch(`${name}()`, `a ${kind}`, x),
  },
];

/** A time as CEL writes it: without a fraction if it is a whole second. */
const timeText = (millis: number): string => new Date(millis).toISOString().replace(/\.?0*Z$/, 'Z');

/** Rejects a constant time whose digits after the milliseconds would be dropped, or whose year CEL does not have. */
function isCelTime(text: unknown): void {
  if (typeof text !== 'string') return;
  if (/[.,]\d{3}0*[1-9]/.test(text)) {
    throw new TypeError(`times have three digits after the second, found ${JSON.stringify(text)}`);
  }
  if (text.startsWith('0000')) throw new TypeError(`times are in the years 1 to 9999, found ${JSON.stringify(text)}`);
}

const CEL_DURATION = /^[-+]?(?:\d+(?:\.\d*)?(?:ns|us|µs|ms|s|m|h))+$/;
const CEL_PART = /(\d+(?:\.\d*)?)(ns|us|µs|ms|s|m|h)/g;
const CEL_UNITS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};
/** About 10,000 years, as in protobuf. */
const MAX_DURATION = 315_576_000_000_000;

/** A duration in milliseconds, from CEL's text such as `-1h30m` or one that params accept, such as `7d`. */
function durationOf(value: number | string): number {
  if (typeof value === 'number' || !CEL_DURATION.test(value)) return parseDuration(value);
  let millis = 0;
  for (const [, amount, unit = ''] of value.matchAll(CEL_PART)) millis += Number(amount) * CEL_UNITS[unit]!;
  if (millis > MAX_DURATION) throw new TypeError(`expected a duration of at most 10000 years, found ${value}`);
  return value.startsWith('-') ? -millis : millis;
}

/** The functions of times. Those with a kind in parentheses are forms for a number that the checker knows to be a time. */
export const TIME_BUILTINS: readonly (readonly [name: string, builtin: Builtin])[] = [
  [
    'timestamp',
    {
      params: [['number', 'string']],
      result: 'number',
      constants: [isCelTime],
      call: (x) => withFunctionName('timestamp', toMillis, x),
    },
  ],
  ['date', DATE],
  ...Object.entries(PARTS).map(([name, read]) => [name, getter(name, read)] as const),
  ofDuration('getHours', (millis) => millis / 3_600_000),
  ofDuration('getMinutes', (millis) => millis / 60_000),
  ofDuration('getSeconds', (millis) => millis / 1000),
  ofDuration('getMilliseconds', (millis) => millis % 1000),
  conversion('int', 'timestamp', 'number', (millis) => Math.floor(millis / 1000)),
  conversion('string', 'timestamp', 'string', timeText),
  conversion('string', 'duration', 'string', (millis) => `${millis / 1000}s`),
  [
    'duration',
    {
      params: [['number', 'string']],
      result: 'number',
      call: (x) =>
        typeof x === 'number' || typeof x === 'string'
          ? withFunctionName('duration', durationOf, x)
          : throwMismatch('duration()', 'a string such as "7d", or milliseconds', x),
    },
  ],
];

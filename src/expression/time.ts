import { describeValue, valueOrError } from '../base/index.js';

/** A time format in Unicode's letters (https://unicode.org/reports/tr35/tr35-dates.html). */
export interface TimeFormat {
  readonly source: string;
  /** Parses a text in this format to milliseconds since 1970; undefined if the text is not in this format. */
  read(this: void, text: string): number | undefined;
  /**
   * Parses a text in this format to milliseconds since 1970, in UTC if the format has no zone.
   *
   * @throws TypeError that names what was found and what was expected
   */
  parse(this: void, text: unknown): number;
}

/** The parts of a text that were read so far. */
interface Parts {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  millis: number;
  /** In minutes east of UTC. */
  zone: number;
  /** The hours to add: 12 for `pm`, 0 for `am`; undefined if the format has no `a`. */
  half: 0 | 12 | undefined;
}

/** Reads one part of a text at a position. Returns the position after it, or −1 if it does not match. */
type ReadPart = (text: string, at: number, parts: Parts) => number;

const MONTHS = 'january february march april may june july august september october november december'.split(' ');
const DAYS = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ');

/** Reads at least `least` and at most `most` digits. */
const digits =
  (least: number, most: number, keep: (parts: Parts, value: number, count: number) => void): ReadPart =>
  (text, at, parts) => {
    let value = 0;
    let end = at;
    for (; end < at + most; end++) {
      const digit = text.charCodeAt(end) - 48;
      if (!(digit >= 0 && digit <= 9)) break;
      value = value * 10 + digit;
    }
    if (end - at < least) return -1;
    keep(parts, value, end - at);
    return end;
  };

/** Reads one of some names, ignoring case: its first `length` letters, or all of it. */
const oneOf =
  (names: readonly string[], length: number | undefined, keep: (parts: Parts, index: number) => void): ReadPart =>
  (text, at, parts) => {
    const index = names.findIndex(
      (name) => text.slice(at, at + (length ?? name.length)).toLowerCase() === name.slice(0, length),
    );
    if (index < 0) return -1;
    keep(parts, index);
    return at + (length ?? names[index]!.length);
  };

const literal =
  (wanted: string): ReadPart =>
  (text, at) =>
    text.startsWith(wanted, at) ? at + wanted.length : -1;

const ZONE = /^(?:[Zz]|([+-])(\d\d)(?::?(\d\d))?)/;

const readZone: ReadPart = (text, at, parts) => {
  const [whole, sign, hours = '0', minutes = '0'] = ZONE.exec(text.slice(at, at + 6)) ?? [];
  if (whole === undefined || Number(hours) > 23 || Number(minutes) > 59) return -1;
  parts.zone = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  return at + whole.length;
};

const number = (name: 'month' | 'day' | 'hour' | 'minute' | 'second', least: 1 | 2): ReadPart =>
  digits(least, 2, (parts, value) => void (parts[name] = value));

/** The reader of each run of one letter. */
const LETTERS: ReadonlyMap<string, ReadPart> = new Map<string, ReadPart>([
  ['yyyy', digits(4, 4, (parts, value) => void (parts.year = value))],
  ['MM', number('month', 2)],
  ['M', number('month', 1)],
  ['MMM', oneOf(MONTHS, 3, (parts, index) => void (parts.month = index + 1))],
  ['MMMM', oneOf(MONTHS, undefined, (parts, index) => void (parts.month = index + 1))],
  ['dd', number('day', 2)],
  ['d', number('day', 1)],
  ['EEE', oneOf(DAYS, 3, () => {})],
  ['EEEE', oneOf(DAYS, undefined, () => {})],
  ['HH', number('hour', 2)],
  ['H', number('hour', 1)],
  ['hh', number('hour', 2)],
  ['h', number('hour', 1)],
  ['a', oneOf(['am', 'pm'], undefined, (parts, index) => void (parts.half = index === 1 ? 12 : 0))],
  ['mm', number('minute', 2)],
  ['m', number('minute', 1)],
  ['ss', number('second', 2)],
  ['s', number('second', 1)],
  ...['S', 'SS', 'SSS'].map((letters): [string, ReadPart] => [
    letters,
    digits(letters.length, letters.length, (parts, value, count) => void (parts.millis = value * 10 ** (3 - count))),
  ]),
  ['XXX', readZone],
  ['XX', readZone],
]);

/** Letters that accept one digit or two, so that another digit cannot follow. */
const VARIABLE = new Set(['M', 'd', 'H', 'h', 'm', 's']);
const NUMERIC = /^(?:y+|M{1,2}|d+|H+|h+|m+|s+|S+)$/;

/** The maximum length of a format. */
const MAX_LENGTH = 100;

/** A run of one letter, a quoted text, or one other character. */
const PIECES = /([A-Za-z])\1*|'((?:[^']|'')*)'|[^]/g;

/**
 * Compiles a format: `yyyy-MM-dd HH:mm`, `d MMM yyyy`, `EEE, dd MMM yyyy HH:mm:ss XX`, `hh:mm a`. Literal text is quoted:
 * `'at' HH 'o''clock'`. Parsing is strict, from left to right, and does not backtrack.
 *
 * @throws TypeError if the format is invalid
 */
export function compileTimeFormat(source: string): TimeFormat {
  if (source.length > MAX_LENGTH) throw new TypeError(`a time format has at most ${MAX_LENGTH} characters`);
  const pieces = source.match(PIECES) ?? [];
  const reads = pieces.map((piece, k) => {
    const next = pieces[k + 1];
    if (VARIABLE.has(piece) && next !== undefined && NUMERIC.test(next))
      throw new TypeError(`${piece} accepts one or two digits, so ${next} cannot follow it: write ${piece.repeat(2)}`);
    return readerOf(piece);
  });
  const has = (letter: string): boolean => pieces.some((piece) => piece.startsWith(letter) && LETTERS.has(piece));
  if (!has('y')) throw new TypeError(`a time format needs a year, yyyy; found ${JSON.stringify(source)}`);
  if (has('h') !== has('a')) throw new TypeError('h is a 12-hour clock and needs a (am or pm): write HH, or hh and a');
  const read = (text: string): number | undefined => readAll(reads, text);
  return { source, read, parse: (text) => parseBy(source, read, text) };
}

function readerOf(piece: string): ReadPart {
  const read = LETTERS.get(piece);
  if (read) return read;
  if (piece.length > 1 && piece.startsWith("'"))
    return literal(piece === "''" ? "'" : piece.slice(1, -1).replaceAll("''", "'"));
  if (piece === "'")
    throw new TypeError("a quote is not closed: quote literal text as in 'at', and write a quote as ''");
  if (/[A-Za-z]/.test(piece)) {
    const known = [...LETTERS.keys()].join(', ');
    throw new TypeError(`${piece} is not a part of a time; expected ${known}; quote literal text, as in 'at'`);
  }
  return literal(piece);
}

function parseBy(source: string, read: TimeFormat['read'], text: unknown): number {
  const millis = typeof text === 'string' ? read(text) : undefined;
  if (millis !== undefined) return millis;
  throw new TypeError(`expected a time in the format ${source}, found ${describeValue(text)}`);
}

/** Reads a text to its end; undefined if a part does not match, or characters remain. */
function readAll(reads: readonly ReadPart[], text: string): number | undefined {
  const parts: Parts = {
    year: 0,
    month: 1,
    day: 1,
    hour: 0,
    minute: 0,
    second: 0,
    millis: 0,
    zone: 0,
    half: undefined,
  };
  let at = 0;
  for (const read of reads) {
    at = read(text, at, parts);
    if (at < 0) return undefined;
  }
  return at === text.length ? millisOf(parts) : undefined;
}

/** The time of the parts; undefined if the date does not exist, such as February 30. */
function millisOf({ year, month, day, hour, minute, second, millis, zone, half }: Parts): number | undefined {
  if (minute > 59 || second > 59 || hour > 23 || (half !== undefined && (hour < 1 || hour > 12))) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day); // Date.UTC would read the years 0 to 99 as 1900 to 1999
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  const hours = half === undefined ? hour : (hour % 12) + half;
  return date.getTime() + ((hours * 60 + minute - zone) * 60 + second) * 1000 + millis;
}

const ISO = /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?([Zz]|[+-]\d\d(?::?\d\d)?)?)?$/;
const DURATION = /^(\d+(?:\.\d+)?)(ms|s|m|h|d|w|y)$/;
const DAY = 86_400_000;
/** As in Prometheus, a year always has 365 days. */
const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: DAY,
  w: 7 * DAY,
  y: 365 * DAY,
};

/**
 * A time in milliseconds since 1970, from milliseconds, an ISO 8601 date or date-time (UTC if it has no zone), or a
 * Date.
 *
 * @throws TypeError that names what was found and what was expected
 */
export const toMillis = (value: unknown): number =>
  typeof value === 'number' && value - value === 0 ? value : otherMillis(value); // small enough to be inlined

/** Whether `toMillis` accepts a value. */
export const isTime = (value: unknown): boolean => !(valueOrError(() => toMillis(value)) instanceof Error);

function otherMillis(value: unknown): number {
  const millis =
    typeof value === 'string'
      ? (parseCommonIso(value) ?? parseIso(value))
      : value instanceof Date
        ? value.getTime()
        : value;
  if (typeof millis === 'number' && Number.isFinite(millis)) return millis;
  throw new TypeError(
    `expected a time (milliseconds since 1970, ISO 8601 such as 2026-01-31T12:00:00Z, a Date), found ${describeValue(value)}${formatHint(value)}`,
  );
}

/** Suggests formats for a text that is a time in another format. */
function formatHint(value: unknown): string {
  const formats = typeof value === 'string' ? guessTimeFormats(value) : [];
  if (formats.length === 0) return '';
  return `; its format is ${formats.map((format) => JSON.stringify(format)).join(' or ')}, for date(x, format) or a param format`;
}

/** The maximum number of days of a month. */
const MOST_DAYS = [0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** The number of two digits; NaN if they are not digits. */
function twoDigits(text: string, at: number): number {
  const [tens, ones] = [text.charCodeAt(at) - 48, text.charCodeAt(at + 1) - 48];
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}

const DASH = 45;
const COLON = 58;

/**
 * Parses the usual forms `2026-01-31`, `2026-01-31T12:00:00Z` and `2026-01-31T12:00:00.000Z` digit by digit, which takes
 * a quarter of the time of the pattern below.
 *
 * @returns undefined for other forms and for invalid times
 */
function parseCommonIso(text: string): number | undefined {
  const { length } = text;
  if (length !== 10 && length !== 20 && length !== 24) return undefined;
  if (text.charCodeAt(4) !== DASH || text.charCodeAt(7) !== DASH) return undefined;
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  if (!(year >= 100 && month >= 1 && month <= 12 && day >= 1 && day <= MOST_DAYS[month]!)) return undefined;
  if (month === 2 && day === 29 && (year % 4 !== 0 || (year % 100 === 0 && year % 400 !== 0))) return undefined;
  const midnight = Date.UTC(year, month - 1, day);
  return length === 10 ? midnight : addClock(midnight, text);
}

/** Adds the time of day, `T12:00:00Z` or `T12:00:00.000Z`, to a date. */
function addClock(midnight: number, text: string): number | undefined {
  if (text[10] !== 'T' || text.charCodeAt(13) !== COLON || text.charCodeAt(16) !== COLON || !text.endsWith('Z')) {
    return undefined;
  }
  const [hour, minute, second] = [twoDigits(text, 11), twoDigits(text, 14), twoDigits(text, 17)];
  if (!(hour < 24 && minute < 60 && second < 60)) return undefined;
  const seconds = midnight + ((hour * 60 + minute) * 60 + second) * 1000;
  if (text.length === 20) return seconds;
  const millis = twoDigits(text, 20) * 10 + (twoDigits(text, 21) % 10);
  return text[19] === '.' && millis >= 0 ? seconds + millis : undefined;
}

/** Parses ISO 8601 by hand: `Date.parse` accepts other formats, reads some as local time, and rolls over invalid days. */
function parseIso(text: string): number {
  const match = ISO.exec(text);
  if (match === null) return Number.NaN;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day); // Date.UTC would read the years 0 to 99 as 1900 to 1999
  const endOfDay = hour === 24 && minute === 0 && second === 0 && Number(match[7] ?? 0) === 0;
  const valid = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && (hour < 24 || endOfDay);
  if (!valid || minute > 59 || second > 59) return Number.NaN;
  const millis = Number((match[7] ?? '').padEnd(3, '0').slice(0, 3));
  return date.getTime() + ((hour * 60 + minute) * 60 + second) * 1000 + millis - zoneOffset(match[8]);
}

function zoneOffset(zone: string | undefined): number {
  if (zone === undefined || zone.toUpperCase() === 'Z') return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(3).replace(':', ''))];
  if (hours > 23 || minutes > 59) return Number.NaN;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

/**
 * A duration in milliseconds, from milliseconds or a number with its unit: `500ms`, `5s`, `30m`, `24h`, `7d`, `2w`, `1y`, `1.5h`.
 *
 * @throws TypeError that names what was found and what was expected
 */
export function parseDuration(value: number | string): number {
  const [, amount = '', unit = ''] = (typeof value === 'string' && DURATION.exec(value)) || [];
  const millis = typeof value === 'number' ? value : Number(amount || Number.NaN) * (UNITS[unit] ?? Number.NaN);
  if (Number.isFinite(millis) && millis >= 0) return millis;
  throw new TypeError(
    `expected a duration (500ms, 5s, 30m, 24h, 7d, 2w, 1y, or milliseconds), found ${describeValue(value)}`,
  );
}

/** Common date formats other than ISO 8601, and the times that may follow them. */
const DATES = [
  'yyyy/MM/dd',
  'yyyy.MM.dd',
  'yyyyMMdd',
  'yyyy-M-d',
  'dd.MM.yyyy',
  'd.M.yyyy',
  'MM/dd/yyyy',
  'dd/MM/yyyy',
  'M/d/yyyy',
  'd/M/yyyy',
  'dd-MM-yyyy',
  'd MMM yyyy',
  'd MMMM yyyy',
  'MMM d, yyyy',
  'MMMM d, yyyy',
  'EEE, dd MMM yyyy',
  'EEE MMM dd yyyy',
];
const CLOCKS = ['', ' HH:mm', ' HH:mm:ss', ' HH:mm:ss XX', " HH:mm:ss 'GMT'", ' hh:mm a', ' h:mm a'];

/** The start of the time of day. */
const CLOCK = / \d?\d:\d\d/;

/** A date format, alone and with each of the times. */
interface DateFormat {
  readonly alone: TimeFormat;
  readonly withClocks: readonly TimeFormat[];
}

let formats: readonly DateFormat[] | undefined;

/** Longer than any time in one of these formats. */
const MAX_TIME_LENGTH = 40;

/**
 * The formats that match a text: two if the day and month are ambiguous, none if it is not a time. It takes about as long
 * as creating the error that names them.
 */
export function guessTimeFormats(text: string): readonly string[] {
  if (text.length > MAX_TIME_LENGTH) return [];
  formats ??= DATES.map((date) => ({
    alone: compileTimeFormat(date),
    withClocks: CLOCKS.map((clock) => compileTimeFormat(date + clock)),
  }));
  const clock = text.search(CLOCK);
  const date = clock < 0 ? text : text.slice(0, clock);
  const found = new Map<number, string>();
  for (const { alone, withClocks } of formats) {
    if (alone.read(date) === undefined) continue;
    for (const { source, read } of withClocks) {
      const millis = read(text);
      if (millis !== undefined && !found.has(millis)) found.set(millis, source);
    }
  }
  return [...found.values()];
}

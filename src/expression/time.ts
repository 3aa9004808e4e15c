import { describeValue } from '../diagnostics/index.js';

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
 * A time in milliseconds since 1970, from milliseconds, an ISO 8601 date or date-time (UTC when it names no zone), or
 * a Date.
 *
 * @throws TypeError that names what was found and what was expected
 */
export const toMillis = (value: unknown): number =>
  typeof value === 'number' && value - value === 0 ? value : otherMillis(value); // small enough to be inlined

function otherMillis(value: unknown): number {
  const millis = typeof value === 'string' ? parseIso(value) : value instanceof Date ? value.getTime() : value;
  if (typeof millis === 'number' && Number.isFinite(millis)) return millis;
  throw new TypeError(
    `expected a time (milliseconds since 1970, ISO 8601 such as 2026-01-31T12:00:00Z, a Date), found ${describeValue(value)}`,
  );
}

/** Parses ISO 8601 by hand: `Date.parse` takes much that is not ISO, reads some as local time, and rolls days over. */
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

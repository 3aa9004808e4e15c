/*
 * Dates and times as JSON has them: ISO 8601. What no year of four digits holds is written with more, as JavaScript does.
 */

const DAY = 86_400_000;

/** The most milliseconds before and after 1970 that a `Date` can be. */
const MOST = 8.64e15;

const toIso = (millis: number): string =>
  Math.abs(millis) <= MOST ? new Date(millis).toISOString() : `${millis} ms since 1970`;

/** `2026-01-31`, from days since 1970. */
export const isoDate = (days: number): string => toIso(days * DAY).replace(/T.*Z$/, '');

/**
 * `2026-01-31T12:00:00.000Z`, with more digits where they are not zero.
 *
 * @param value   since 1970
 * @param perMs   how many units a millisecond has
 * @param inZone  whether it is a time of UTC, not a local one: then it ends with `Z`
 */
export function isoTimestamp(value: number | bigint, perMs: 1 | 1000 | 1_000_000, inZone: boolean): string {
  const [millis, rest] = divide(value, perMs);
  const digits = rest === 0 ? '' : String(rest).padStart(perMs === 1000 ? 3 : 6, '0');
  return toIso(millis).replace(/Z$/, `${digits}${inZone ? 'Z' : ''}`);
}

/** `12:34:56.789`, with more digits where they are not zero, from the start of the day. */
export const isoTime = (value: number | bigint, perMs: 1 | 1000 | 1_000_000): string =>
  isoTimestamp(value, perMs, false).replace(/^.*T/, '');

/** Whole milliseconds, and the units that are left. */
function divide(value: number | bigint, perMs: number): [millis: number, rest: number] {
  if (perMs === 1) return [Number(value), 0];
  const [units, each] = [BigInt(value), BigInt(perMs)];
  const rest = ((units % each) + each) % each;
  return [Number((units - rest) / each), Number(rest)];
}

/*
 * Dates as tables keep them: whole numbers of some unit since 1970. They become milliseconds, rounded down, and never text.
 */

import { MOST_MILLIS } from '../../columns/index.js';

/** How many milliseconds a unit of a stored date has. */
export const MILLIS_PER = { day: 86_400_000, s: 1000, ms: 1, us: 1e-3, ns: 1e-6 } as const;
export type DateUnit = keyof typeof MILLIS_PER;

/** How many units of a stored time of day a millisecond has. */
type PerMs = 1 | 1000 | 1_000_000;

/** Dates by row, ready for `dateColumn`. */
export interface StoredDates {
  readonly millis: Float64Array;
  /** By row: 0 where the value is null; undefined where none is. */
  readonly present: Uint8Array | undefined;
}

const HIGH = 2 ** 32;
/** The greatest and least numbers of 64 bits, which stand for infinite dates and, the least, for none at all. */
const FOREVER = 2n ** 63n - 1n;

/** A stored date in milliseconds, rounded down; ±Infinity for what databases mean by infinite. */
export function millisOf(value: number | bigint, unit: DateUnit): number {
  if (typeof value === 'number') {
    const per = MILLIS_PER[unit];
    return per >= 1 ? value * per : Math.floor(value / (unit === 'us' ? 1000 : 1_000_000));
  }
  if (value >= FOREVER) return Infinity;
  if (value <= -FOREVER) return -Infinity;
  return millisOfHalves(Number(value >> 32n), Number(value & 0xffffffffn), unit);
}

/**
 * The same of a number of 64 bits in two halves: without a BigInt for each row, and without a double that would round a
 * microsecond of the year 9999.
 */
function millisOfHalves(high: number, low: number, unit: DateUnit): number {
  if (unit === 'us') return high * 4_294_967 + Math.floor((high * 296 + low) / 1000);
  if (unit === 'ns') return high * 4294 + Math.floor((high * 967_296 + low) / 1_000_000);
  return (high * HIGH + low) * MILLIS_PER[unit];
}

const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** The dates of a column as it is stored. Null is absent. */
export function storedDates(values: ArrayLike<unknown>, unit: DateUnit): StoredDates {
  const millis = new Float64Array(values.length);
  if (values instanceof BigInt64Array && isLittleEndian) {
    const low = new Uint32Array(values.buffer, values.byteOffset, values.length * 2);
    const high = new Int32Array(values.buffer, values.byteOffset, values.length * 2);
    for (let row = 0; row < millis.length; row++) {
      const [h, l] = [high[2 * row + 1]!, low[2 * row]!];
      const isEnd = h === 0x7fffffff || h === -0x80000000;
      millis[row] = isEnd ? millisOf(values[row]!, unit) : millisOfHalves(h, l, unit);
    }
    return { millis, present: undefined };
  }
  let present: Uint8Array | undefined;
  for (let row = 0; row < millis.length; row++) {
    const value = values[row];
    if (typeof value === 'number' || typeof value === 'bigint') millis[row] = millisOf(value, unit);
    else (present ??= new Uint8Array(millis.length).fill(1))[row] = 0;
  }
  return { millis, present };
}

/** A date inside a list or a struct; null where no Date holds it. */
export const dateOf = (millis: number): Date | null =>
  Math.abs(millis) <= MOST_MILLIS ? new Date(Math.floor(millis)) : null;

/** A time of day, `12:34:56.789`, with more digits where they are not zero: it is no date, and stays text. */
export function isoTime(value: number | bigint, perMs: PerMs): string {
  const units = BigInt(value);
  const each = BigInt(perMs);
  const rest = ((units % each) + each) % each;
  const digits = rest === 0n ? '' : String(rest).padStart(perMs === 1000 ? 3 : 6, '0');
  const millis = Number((units - rest) / each);
  if (Math.abs(millis) > MOST_MILLIS) return `${millis} ms`;
  return `${new Date(millis).toISOString().slice(11, -1)}${digits}`;
}

import { isObject } from '../../diagnostics/index.js';
import { closureReader, compileSteps, isMap, type PathStep, toMillis } from '../../expression/index.js';

/** Values in an order, by position: numbers and dates in even steps. */
export interface Scale {
  readonly kind: 'number' | 'date';
  /** The first and the last position. */
  readonly first: number;
  readonly last: number;
  /** The value at a position, in the type that the candidates have. */
  valueAt(position: number): unknown;
  /** The number that formulas read at a position. */
  numberAt(position: number): number;
  /** Where a value lies: not a whole number if it is between two positions. */
  positionOf(value: unknown): number;
  /** Positions that candidates have, ascending. */
  readonly seen: readonly number[];
  /** As text: `12.40`, `2026-05-30`. */
  textOf(value: unknown): string;
}

/** What a field may be changed to: a scale, or a few values. */
export type FieldValues =
  | { readonly scale: Scale; readonly choices?: undefined }
  | { readonly scale?: undefined; readonly choices: readonly (boolean | string)[] };

/** How many candidates are looked at for the values of a field, and how many of them a scale remembers. */
const MAX_CANDIDATES = 10_000;
const MAX_SEEN = 24;
const MAX_CHOICES = 8;
/** How far beyond the greatest value in the data numbers are tried. */
const BEYOND = 10;
const MAX_DECIMALS = 4;
const SIGNIFICANT_DIGITS = 4;
const SECOND = 1000;
const DAY = 86_400_000;

/**
 * What a field may be, judged by the values that candidates have: whole numbers if all are, numbers with as many
 * decimals, dates in the same form, true and false, or one of a few texts. Undefined for anything else.
 */
export function fieldValues(
  steps: readonly PathStep[],
  candidates: readonly unknown[],
  now: number,
): FieldValues | undefined {
  const read = compileSteps(steps, closureReader);
  const values: unknown[] = [];
  const stride = Math.max(1, Math.ceil(candidates.length / MAX_CANDIDATES));
  for (let k = 0; k < candidates.length; k += stride) {
    const value = read(candidates[k]);
    if (value !== undefined) values.push(value);
  }
  const numbers = values.filter((value): value is number => Number.isFinite(value));
  if (numbers.length > 0 && numbers.length * 2 > values.length) {
    const scale = numberScale(numbers);
    return scale && { scale };
  }
  if (values.length === 0) return undefined;
  if (values.every((value) => typeof value === 'boolean')) return { choices: [true, false] };
  const dates = dateScale(values, now);
  if (dates) return { scale: dates };
  const texts = new Set(values.filter((value) => typeof value === 'string'));
  const isCategory = texts.size > 0 && texts.size <= MAX_CHOICES && texts.size * 2 <= values.length;
  return isCategory && values.every((value) => typeof value === 'string') ? { choices: [...texts] } : undefined;
}

/** The positions of some of the values, ascending, the least and the greatest among them. */
function someOf(positions: readonly number[]): readonly number[] {
  const sorted = [...new Set(positions)].toSorted((a, b) => a - b);
  if (sorted.length <= MAX_SEEN) return sorted;
  const at = (k: number): number => sorted[Math.round((k * (sorted.length - 1)) / (MAX_SEEN - 1))]!;
  return Array.from({ length: MAX_SEEN }, (_, k) => at(k));
}

/** Numbers in steps of the decimals that they have; of four significant digits if they have more. */
export function numberScale(values: readonly number[]): Scale | undefined {
  const most = values.reduce((greatest, value) => Math.max(greatest, Math.abs(value)), 0);
  const hasNegative = values.some((value) => value < 0);
  const found = values.reduce((decimals, value) => Math.max(decimals, decimalsOf(value)), 0);
  const coarse = Math.max(0, SIGNIFICANT_DIGITS - 1 - Math.floor(Math.log10(most || 1)));
  const decimals = found <= MAX_DECIMALS ? found : Math.max(1, coarse);
  const unit = 10 ** decimals;
  const last = Math.ceil(Math.max(most, 1) * BEYOND * unit);
  if (decimals > 15 || last > Number.MAX_SAFE_INTEGER) return undefined;
  const numberAt = (position: number): number => Number((position / unit).toFixed(decimals)) + 0;
  return {
    kind: 'number',
    first: hasNegative ? -last : 0,
    last,
    valueAt: numberAt,
    numberAt,
    positionOf(value) {
      const near = Math.round(Number(value) * unit);
      return numberAt(near) === value ? near : Number(value) * unit;
    },
    seen: someOf(values.map((value) => Math.round(value * unit))),
    textOf: (value) =>
      typeof value !== 'number' ? String(value) : found <= MAX_DECIMALS ? value.toFixed(found) : String(value),
  };
}

function decimalsOf(value: number): number {
  const [, digits = '', exponent = '0'] = /^-?\d+(?:\.(\d+))?(?:e([-+]\d+))?$/.exec(String(value)) ?? [];
  return Math.max(0, digits.length - Number(exponent));
}

const DATE = /^\d{4}-\d\d-\d\d$/;
const DATE_TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/;

/** Days if all values are dates without a time, seconds otherwise. */
function dateScale(values: readonly unknown[], now: number): Scale | undefined {
  const isText = values.every((value) => typeof value === 'string' && (DATE.test(value) || DATE_TIME.test(value)));
  if (!isText && !values.every((value) => value instanceof Date)) return undefined;
  const isDay = isText && values.every((value) => DATE.test(String(value)));
  const unit = isDay ? DAY : SECOND;
  const times: number[] = [];
  for (const value of values) {
    try {
      times.push(toMillis(value));
    } catch {
      return undefined; // not a date after all
    }
  }
  const least = times.reduce((a, b) => Math.min(a, b), now);
  const most = times.reduce((a, b) => Math.max(a, b), now);
  const span = Math.max(most - least, DAY);
  const textAt = (millis: number): string =>
    isDay ? new Date(millis).toISOString().slice(0, 10) : new Date(millis).toISOString().replace('.000Z', 'Z');
  const [first, last] = [Math.floor((least - span) / unit), Math.ceil((most + span) / unit)];
  const FOUR_DIGIT_YEARS = [-62_135_596_800_000, 253_402_300_799_000];
  if (first * unit < FOUR_DIGIT_YEARS[0]! || last * unit > FOUR_DIGIT_YEARS[1]!) return undefined;
  return {
    kind: 'date',
    first,
    last,
    valueAt: (position) => (isText ? textAt(position * unit) : new Date(position * unit)),
    numberAt: (position) => position * unit,
    positionOf(value) {
      try {
        return toMillis(value) / unit;
      } catch {
        return Number.NaN;
      }
    },
    seen: someOf(times.map((time) => Math.round(time / unit))),
    textOf: (value) => (value instanceof Date ? textAt(value.getTime()) : String(value)),
  };
}

/**
 * A copy of a candidate with another value at a path; what is not on the path is shared.
 *
 * @returns undefined if the path leads through a value that has no fields
 */
export function withField(candidate: unknown, [step, ...rest]: readonly PathStep[], value: unknown): unknown {
  if (!step) return value;
  if (step.kind === 'each') return undefined;
  if (step.kind === 'index') {
    if (!Array.isArray(candidate) || step.index >= candidate.length) return undefined;
    const inner = withField(candidate[step.index], rest, value);
    return inner === undefined ? undefined : candidate.with(step.index, inner);
  }
  const from = candidate ?? {};
  if (!isMap(from)) return undefined;
  const inner = withField(Object.hasOwn(from, step.key) ? from[step.key] : undefined, rest, value);
  if (inner === undefined) return undefined;
  const copy: unknown = Object.create(Reflect.getPrototypeOf(from), Object.getOwnPropertyDescriptors(from));
  const property = { value: inner, enumerable: true, configurable: true, writable: true };
  return isObject(copy) ? Object.defineProperty(copy, step.key, property) : undefined;
}

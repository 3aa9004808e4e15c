import type { Goal, Result, Unit } from '../result.js';
import type { Spread } from '../statistics.js';

/** Three significant digits. */
const digits = (value: number): string =>
  value.toLocaleString('en', { maximumSignificantDigits: value >= 1000 ? 4 : 3, useGrouping: true });

const STEPS: Readonly<
  Record<Exclude<Unit, 'power of N' | 'times'>, readonly (readonly [from: number, unit: string])[]>
> = {
  ns: [
    [1e9, 's'],
    [1e6, 'ms'],
    [1e3, 'µs'],
    [1, 'ns'],
  ],
  bytes: [
    [1e6, 'MB'],
    [1e3, 'kB'],
    [1, 'B'],
  ],
  calls: [[1, 'calls']],
};

/** `24.3 ns`, `1.2 MB`, or an exponent unchanged. */
export function amountText(value: number, unit: Unit): string {
  if (Number.isNaN(value)) return '–'; // the noise was larger than the effect
  if (unit === 'power of N') return value.toFixed(2);
  if (unit === 'times') return `${timesText(value)} ×`;
  const steps = STEPS[unit];
  const [from, name] = steps.find(([least]) => Math.abs(value) >= least) ?? steps.at(-1)!;
  return `${digits(value / from)} ${name}`;
}

export const timesText = (value: number): string => (value >= 10 ? digits(value) : value.toFixed(2));

/** The subject, the number of items, and the note. */
export const subjectText = ({ subject, size, note }: Result): string =>
  [subject, size?.toLocaleString('en')].filter((part) => part !== undefined).join(', ') +
  (note === undefined ? '' : ` (${note})`);

/** `24.3 ns (23.9 – 25.1)`: the median and, if it varies, the quartiles, with their unit if it is another. */
const spreadText = ({ median, low, high }: Spread, text: (value: number) => string): string => {
  if (low === high) return text(median);
  const unitOf = (value: number): string => text(value).split(' ')[1] ?? '';
  const isSame = [low, high].every((value) => unitOf(value) === unitOf(median));
  const ends = [low, high].map((value) => (isSame ? (text(value).split(' ')[0] ?? '') : text(value)));
  return `${text(median)} (${ends.join(' – ')})`;
};

/** The median and the quartiles of an amount. */
export const amountSpread = ({ amount, unit }: Result): string =>
  spreadText(amount, (value) => amountText(value, unit));

/** The same of a ratio. */
export const timesSpread = (times: Spread): string => spreadText(times, timesText);

/** The goal: `≤ 1.5 ×`. */
export function goalText(goal: Goal, { ratio, unit }: Result): string {
  const text = (value: number): string => {
    if (ratio && goal.of !== 'amount') return `${digits(value)} ×`;
    return amountText(value, unit);
  };
  const { atLeast, atMost } = goal;
  if (atLeast !== undefined && atMost !== undefined) return `${text(atLeast)} to ${text(atMost)}`;
  return atLeast === undefined ? `≤ ${text(atMost ?? Number.NaN)}` : `≥ ${text(atLeast)}`;
}

/** The number that the goal bounds. */
export const judgedText = (result: Result): string =>
  result.ratio && result.goal?.of !== 'amount'
    ? `${timesText(result.ratio.times.median)} ×`
    : amountText(result.amount.median, result.unit);

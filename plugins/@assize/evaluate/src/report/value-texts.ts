import type { EvaluationReport } from './report.js';

const count = (n: number): string => n.toLocaleString('en-US');

/** A value of a measure, with three decimals. */
export const valueText = (x: number): string => (Number.isNaN(x) ? '–' : x.toFixed(3).replace(/^-(0\.0+)$/, '$1'));

/** A difference with its sign. */
export function differenceText(x: number): string {
  const text = valueText(Math.abs(x));
  if (Number(text) === 0 || Number.isNaN(x)) return text;
  return x > 0 ? `+${text}` : `−${text}`;
}

/** A value with its interval: `0.561 (0.504 to 0.618)`; the value alone if the interval is unknown. */
export const estimateText = (
  mean: number,
  [low, high]: readonly [number, number],
  show: (x: number) => string = valueText,
): string => (Number.isNaN(low) ? show(mean) : `${show(mean)} (${show(low)} to ${show(high)})`);

/** A p-value with four decimals, or `<0.0001`. */
export const pText = (p: number): string => (p < 0.0001 ? '<0.0001' : p.toFixed(4));

/** The counts of better, worse and equal queries; empty for data without queries. */
export const queriesText = (difference: EvaluationReport['differences'][number]): string =>
  'better' in difference
    ? `${count(difference.better)} better, ${count(difference.worse)} worse, ${count(difference.same)} same`
    : '';

import { formatNumber } from '../parts/format.js';

/** How much more or less a criterion counts with another weight: `counts 1.7 times as much`. */
export function weightChange(from: number | undefined, to: number): string {
  if (to === 0) return 'counts nothing';
  if (from === undefined || from <= 0 || to < 0) return `has the weight ${formatNumber(to)}`;
  const times = to / from;
  return times >= 1
    ? `counts ${formatNumber(Number(times.toPrecision(2)))} times as much`
    : `counts ${Number((100 * times).toPrecision(2))} % as much`;
}

/** The exact weights, for experts. */
export const exactWeights = (from: number | undefined, to: number): string =>
  `weight ${from === undefined ? '' : formatNumber(from)} → ${formatNumber(to)}`;

import { type Random, tQuantile, twoSidedT } from './distributions.js';
import type { Interval } from './intervals.js';

/** A group of observations as sums: the position of each sum that is not 0, and its value. */
export type GroupSums = readonly (readonly [at: number, value: number])[];

/** Adds up the sums of groups. */
export function totalOf(groups: readonly GroupSums[], length: number): Float64Array {
  const total = new Float64Array(length);
  for (const group of groups) for (const [at, value] of group) total[at]! += value;
  return total;
}

/**
 * Percentile intervals of statistics that depend on sums over groups (Efron and Tibshirani 1993, chapter 13). Whole groups
 * are drawn with replacement. Samples for which a statistic is undefined (NaN) do not count. The percentiles are expanded
 * for few groups, whose samples vary too little (Hesterberg 2015, The American Statistician 69, 371–386).
 *
 * @param statistics returns the statistics of the summed groups
 * @returns an interval for each statistic; NaN with fewer than two groups
 */
export function bootstrapIntervals(
  groups: readonly GroupSums[],
  length: number,
  statistics: (total: Float64Array) => readonly number[],
  { samples, random, confidence }: { readonly samples: number; readonly random: Random; readonly confidence: number },
): readonly Interval[] {
  const own = statistics(totalOf(groups, length));
  if (groups.length < 2) return own.map(() => [Number.NaN, Number.NaN]);
  const drawn = own.map((): number[] => []);
  for (let sample = 0; sample < samples; sample++) {
    const resampled = groups.map(() => groups[Math.floor(random() * groups.length)]!);
    for (const [k, value] of statistics(totalOf(resampled, length)).entries())
      if (!Number.isNaN(value)) drawn[k]!.push(value);
  }
  const spread = Math.sqrt(groups.length / (groups.length - 1)) * tQuantile(confidence, groups.length - 1);
  const tail = twoSidedT(spread, Number.POSITIVE_INFINITY) / 2;
  return drawn.map((values) => {
    if (values.length === 0) return [Number.NaN, Number.NaN];
    const sorted = Float64Array.from(values).sort();
    const at = (share: number): number =>
      sorted[Math.min(sorted.length - 1, Math.max(0, Math.round(share * (sorted.length - 1))))]!;
    return [at(tail), at(1 - tail)];
  });
}

import type { Random } from './random.js';
import { tQuantile, twoSidedT } from './student-t.js';

/** An interval that contains what was estimated, with some confidence. */
export type Interval = readonly [low: number, high: number];

/** An estimate with its sampling variance, and the degrees of freedom of that variance. */
export interface Estimate {
  readonly value: number;
  readonly variance: number;
  readonly degrees: number;
}

/** The mean of values, with what an interval needs. Values of one group are not independent of each other. */
export interface MeanEstimate extends Estimate {
  /** By group: its sum, less what the mean predicts for its size. Sums to 0. */
  readonly residuals: Float64Array;
}

/**
 * The mean of values whose groups were drawn independently. The variance is that of a ratio estimator over groups
 * (Cochran 1977, Sampling Techniques, 6.3); without groups it is s²/n. NaN with fewer than two groups.
 *
 * @param groups by value: its group. Without it, each value is its own group.
 */
export function estimateMean(values: readonly number[], groups?: readonly string[]): MeanEstimate {
  const parts = sumsByGroup(values, groups);
  const total = parts.reduce((sum, part) => sum + part.sum, 0);
  const value = total / values.length;
  const residuals = Float64Array.from(parts, ({ sum, count }) => sum - value * count);
  const squares = residuals.reduce((sum, one) => sum + one * one, 0);
  const count = parts.length;
  const variance = count < 2 ? Number.NaN : ((count / (count - 1)) * squares) / values.length ** 2;
  return { value, variance, degrees: count - 1, residuals };
}

/** The sum and the number of the values of each group, in the order in which groups first occur. */
export function sumsByGroup(values: readonly number[], groups?: readonly string[]) {
  if (!groups) return values.map((value) => ({ sum: value, count: 1 }));
  const byGroup = new Map<string, { sum: number; count: number }>();
  for (const [k, value] of values.entries()) {
    const part = byGroup.get(groups[k]!) ?? { sum: 0, count: 0 };
    part.sum += value;
    part.count += 1;
    byGroup.set(groups[k]!, part);
  }
  return [...byGroup.values()];
}

/** Student's interval: the estimate, plus and minus the t quantile times its standard error. */
export function tInterval(
  { value, variance, degrees }: Estimate,
  confidence: number,
  quantile = degrees > 0 ? tQuantile(confidence, degrees) : Number.NaN,
): Interval {
  const half = variance === 0 ? 0 : quantile * Math.sqrt(variance);
  return [value - half, value + half];
}

/** The two-sided p-value of an estimate, by Student's t. 1 if nothing varies, or if too little is known to tell. */
export const pOf = ({ value, variance, degrees }: Estimate): number =>
  variance > 0 && degrees > 0 ? twoSidedT(value / Math.sqrt(variance), degrees) : 1;

/**
 * An interval of an estimate that lies between 0 and 1, such as the mean of nDCG or an AUC. It is the Wilson score interval
 * (Wilson 1927) of as many yes-or-no observations as would have the same variance; their number is reduced for a variance
 * that is itself estimated from few groups (Korn and Graubard 1998, Survey Methodology 24, 193–201). Unlike Student's
 * interval it stays within 0 and 1, and has a width if all observations are equal.
 *
 * @param count how many independent observations there are
 */
export function shareInterval({ value, variance, degrees }: Estimate, count: number, confidence: number): Interval {
  if (!(degrees > 0) || Number.isNaN(variance) || Number.isNaN(value)) return [Number.NaN, Number.NaN];
  const spread = value * (1 - value);
  // The nearer a mean is to one bound, the rarer are values near the other, and the more likely is a sample without any:
  // half of such a value is added to the standard error. No values vary more than as many yes-or-no observations.
  const far = Math.max(value, 1 - value);
  const widened = variance + ((far * (2 * far - 1)) / (2 * count)) ** 2;
  const seen = variance > 0 && spread > 0 ? spread / variance : count;
  const effective = Math.min(seen, Math.max(count, spread / widened));
  const normal = tQuantile(confidence, Number.POSITIVE_INFINITY);
  const adjusted = effective * (normal / tQuantile(confidence, degrees)) ** 2;
  const square = normal * normal;
  const centre = (value + square / (2 * adjusted)) / (1 + square / adjusted);
  const half = (normal / (1 + square / adjusted)) * Math.sqrt(spread / adjusted + square / (4 * adjusted * adjusted));
  return [Math.max(0, Math.min(value, centre - half)), Math.min(1, Math.max(value, centre + half))];
}

/**
 * The factor by which standard errors are multiplied so that the intervals of several estimates from the same groups all
 * hold together: the quantile of the largest |t| among them if every group's residual changes its sign at random (the
 * single-step maximum of Westfall and Young 1993; the wild bootstrap of Wu 1986). Related comparisons need less than
 * Bonferroni's factor, which is the upper limit here; Student's quantile is the lower limit. O(samples × estimates × groups).
 */
export function simultaneousQuantile(
  estimates: readonly MeanEstimate[],
  confidence: number,
  samples: number,
  random: Random,
): number {
  const varied = estimates.filter(({ variance }) => variance > 0);
  const [first] = varied;
  if (!first) return 0;
  const groups = first.residuals.length;
  const one = tQuantile(confidence, first.degrees);
  if (varied.length === 1) return one;
  const squares = varied.map(({ residuals }) => residuals.reduce((sum, own) => sum + own * own, 0));
  const signs = new Float64Array(groups);
  const largest = new Float64Array(samples);
  for (let sample = 0; sample < samples; sample++) {
    for (let g = 0; g < groups; g++) signs[g] = random() < 0.5 ? 1 : -1;
    let most = 0;
    for (const [k, { residuals }] of varied.entries()) {
      let sum = 0;
      for (let g = 0; g < groups; g++) sum += signs[g]! * residuals[g]!;
      const rest = squares[k]! - (sum * sum) / groups;
      most = Math.max(most, Math.abs(sum) * Math.sqrt((groups - 1) / (groups * Math.max(rest, 1e-300))));
    }
    largest[sample] = most;
  }
  return betweenLimits(largest, confidence, first.degrees, varied.length);
}

/** The quantile of the largest of several, not below that of one and not above Bonferroni's. */
export function betweenLimits(largest: Float64Array, confidence: number, degrees: number, count: number): number {
  const found = largest.sort()[Math.min(largest.length - 1, Math.ceil(confidence * (largest.length + 1)) - 1)]!;
  const bonferroni = tQuantile(1 - (1 - confidence) / count, degrees);
  return Math.min(bonferroni, Math.max(tQuantile(confidence, degrees), found));
}

import { type Random, tQuantile, twoSidedT } from './distributions.js';

/** A confidence interval of an estimate. */
export type Interval = readonly [low: number, high: number];

/** An estimate with its sampling variance, and the degrees of freedom of that variance. */
export interface Estimate {
  readonly value: number;
  readonly variance: number;
  readonly degrees: number;
}

/** The mean of values with the inputs of its interval. Values of one group are not independent of each other. */
export interface MeanEstimate extends Estimate {
  /** By group: its sum minus the sum that the mean predicts for its size. Adds up to 0. */
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

/** The two-sided p-value of an estimate, by Student's t. 1 if nothing varies or the variance is unknown. */
export const pOf = ({ value, variance, degrees }: Estimate): number =>
  variance > 0 && degrees > 0 ? twoSidedT(value / Math.sqrt(variance), degrees) : 1;

/**
 * An interval of an estimate that lies between 0 and 1, such as the mean of nDCG or an AUC. It is the Wilson score interval
 * (Wilson 1927) of as many yes-or-no observations as would have the same variance; their number is reduced for a variance
 * that is itself estimated from few groups (Korn and Graubard 1998, Survey Methodology 24, 193–201). Unlike Student's
 * interval it stays within 0 and 1, and has a width if all observations are equal.
 *
 * @param count the number of independent observations
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

/** The quantile of the largest of several, between the quantile of one and Bonferroni's. */
export function betweenLimits(largest: Float64Array, confidence: number, degrees: number, count: number): number {
  const found = largest.sort()[Math.min(largest.length - 1, Math.ceil(confidence * (largest.length + 1)) - 1)]!;
  const bonferroni = tQuantile(1 - (1 - confidence) / count, degrees);
  return Math.min(bonferroni, Math.max(tQuantile(confidence, degrees), found));
}

/** The area under an ROC curve, or the difference of two, with its variance. */
interface AreaEstimate extends Estimate {
  /** The number of groups with a positive, or with a negative, whichever is smaller. */
  readonly count: number;
}

/** The areas of two scores of the same rows, and their difference. */
export interface AucDifference {
  readonly before: number;
  readonly after: number;
  readonly difference: AreaEstimate;
}

/** Rows with labels that are scored before and after. Rows of one group are not independent. */
export interface LabelledRows {
  readonly before: ArrayLike<number>;
  readonly after: ArrayLike<number>;
  readonly positive: readonly boolean[];
  readonly groups: readonly string[];
}

/** The area under the ROC curve with its variance, as `aucDifference` estimates it. O(N log N). */
export function aucEstimate(
  scores: ArrayLike<number>,
  positive: readonly boolean[],
  groups: readonly string[],
): AreaEstimate {
  return areaEstimate([{ placed: placements(scores, positive), positive, groups, share: 1 }]);
}

/**
 * The difference of two areas with its variance (DeLong et al. 1988, Biometrics 44, 837–845; with groups Obuchowski 1997,
 * Biometrics 53, 567–578): S10/m + S01/n over the placements of m positives and n negatives, with the divisors m − 1 and
 * n − 1. With groups, these are the numbers of groups with positives and with negatives, and the covariance of the two
 * within groups is added. The degrees of freedom are Satterthwaite's (1946). O(N log N).
 *
 * Rows of several folds are compared within their fold, and count by its pairs of a positive and a negative; a fold
 * without pairs does not count. Their variance is estimated together, since one fold may have a single positive.
 *
 * @returns NaN without pairs; a variance of NaN with fewer than two groups of a class
 */
export function aucDifference(folds: readonly LabelledRows[]): AucDifference {
  const pairsOf = ({ positive }: LabelledRows): number => {
    const positives = positive.filter(Boolean).length;
    return positives * (positive.length - positives);
  };
  const all = folds.reduce((sum, fold) => sum + pairsOf(fold), 0);
  const placed = folds
    .filter((fold) => pairsOf(fold) > 0)
    .map((fold) => {
      const { positive, groups } = fold;
      const [before, after] = [placements(fold.before, positive), placements(fold.after, positive)];
      const moved = after.map((share, row) => share - before[row]!);
      return { before, after, placed: moved, positive, groups, share: pairsOf(fold) / all };
    });
  const area = (of: 'before' | 'after'): number =>
    placed.length === 0
      ? Number.NaN
      : placed.reduce((sum, fold) => sum + fold.share * meanOfPositives(fold[of], fold.positive), 0);
  return { before: area('before'), after: area('after'), difference: areaEstimate(placed) };
}

function meanOfPositives(placed: Float64Array, positive: readonly boolean[]): number {
  const positives = positive.filter(Boolean).length;
  return placed.reduce((sum, share, row) => sum + (positive[row]! ? share : 0), 0) / positives;
}

/** The placements of one fold, and its share of all pairs. */
interface PlacedFold {
  readonly placed: Float64Array;
  readonly positive: readonly boolean[];
  readonly groups: readonly string[];
  readonly share: number;
}

/** By group: the deviations of its positives, and of its negatives, from the mean. */
interface GroupDeviations {
  up: number;
  down: number;
  positives: number;
  negatives: number;
}

function areaEstimate(folds: readonly PlacedFold[]): AreaEstimate {
  const value = folds.reduce((sum, { placed, positive, share }) => sum + share * meanOfPositives(placed, positive), 0);
  const all = [...deviationsByGroup(folds, value).values()];
  const withPositives = all.filter((one) => one.positives > 0).length;
  const withNegatives = all.filter((one) => one.negatives > 0).length;
  const count = Math.min(withPositives, withNegatives);
  if (count < 2) return { value, variance: Number.NaN, degrees: 0, count };
  const sum = (of: (one: GroupDeviations) => number): number => all.reduce((total, one) => total + of(one), 0);
  const ofPositives = (sum(({ up }) => up * up) * withPositives) / (withPositives - 1);
  const ofNegatives = (sum(({ down }) => down * down) * withNegatives) / (withNegatives - 1);
  const together = (2 * sum(({ up, down }) => up * down) * all.length) / (all.length - 1);
  const variance = Math.max(0, ofPositives + ofNegatives + together);
  const separate = (ofPositives + ofNegatives) ** 2;
  const degrees = separate / (ofPositives ** 2 / (withPositives - 1) + ofNegatives ** 2 / (withNegatives - 1));
  return { value, variance, degrees: separate > 0 ? Math.min(degrees, all.length - 1) : count - 1, count };
}

function deviationsByGroup(folds: readonly PlacedFold[], mean: number): ReadonlyMap<string, GroupDeviations> {
  const byGroup = new Map<string, GroupDeviations>();
  for (const { placed, positive, groups, share } of folds) {
    const positives = positive.filter(Boolean).length;
    const negatives = positive.length - positives;
    for (const [row, group] of groups.entries()) {
      const own = byGroup.get(group) ?? { up: 0, down: 0, positives: 0, negatives: 0 };
      byGroup.set(group, own);
      const off = share * (placed[row]! - mean);
      if (positive[row]) {
        own.up += off / positives;
        own.positives += 1;
      } else {
        own.down += off / negatives;
        own.negatives += 1;
      }
    }
  }
  return byGroup;
}

/** By row: the share of the other class that it is correctly ordered with. Equal scores count half. */
function placements(scores: ArrayLike<number>, positive: readonly boolean[]): Float64Array {
  const order = Array.from(positive.keys()).sort((a, b) => compare(scores[a]!, scores[b]!));
  const positives = positive.filter(Boolean).length;
  const negatives = positive.length - positives;
  const placed = new Float64Array(scores.length);
  let [above, below] = [positives, 0];
  for (let from = 0, to = 0; from < order.length; from = to) {
    while (to < order.length && scores[order[to]!] === scores[order[from]!]) to += 1;
    const tied = order.slice(from, to);
    const up = tied.filter((row) => positive[row]).length;
    const down = tied.length - up;
    for (const row of tied) placed[row] = positive[row] ? (below + down / 2) / negatives : (above - up / 2) / positives;
    above -= up;
    below += down;
  }
  return placed;
}

/** −∞, the score of refused candidates, is equal to itself: their difference is NaN. */
const compare = (a: number, b: number): number => (a < b ? -1 : a > b ? 1 : 0);

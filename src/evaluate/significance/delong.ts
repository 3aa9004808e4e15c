import type { Estimate } from './intervals.js';

/** The area under an ROC curve, or the difference of two, with its variance. */
export interface AreaEstimate extends Estimate {
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

/** The placements of one fold, and the share of all pairs that it has. */
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

/** By row: the share of the other class that it is on the right side of. Equal scores count half. */
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

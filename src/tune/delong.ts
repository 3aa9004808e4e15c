import { twoSidedNormal } from '../evaluate/significance/normal.js';
import type { Interval } from '../evaluate/significance/resampling.js';

/** Two scores of the same rows, with labels; rows of one group are alike. */
export interface ScoredTwice {
  readonly before: Float64Array;
  readonly after: Float64Array;
  readonly positive: readonly boolean[];
  readonly groups: readonly string[];
}

/** The areas under two ROC curves of the same rows, and their difference. */
export interface AucDifference {
  readonly before: number;
  readonly after: number;
  readonly variance: number;
}

/**
 * The difference of two areas with its variance: DeLong et al. (1988), for rows that are alike within groups Obuchowski
 * (1997). Each positive has the share of the negatives below it, each negative that of the positives above it; the
 * variance is that of their sums over groups. O(N log N).
 */
export function aucDifference({ before, after, positive, groups }: ScoredTwice): AucDifference {
  const [placedBefore, placedAfter] = [placements(before, positive), placements(after, positive)];
  const positives = positive.filter(Boolean).length;
  const negatives = positive.length - positives;
  const mean = (placed: Float64Array): number =>
    placed.reduce((sum, share, row) => sum + (positive[row]! ? share : 0), 0) / positives;
  const [areaBefore, areaAfter] = [mean(placedBefore), mean(placedAfter)];
  const byGroup = new Map<string, number>();
  for (const [row, group] of groups.entries()) {
    const off = placedAfter[row]! - placedBefore[row]! - (areaAfter - areaBefore);
    byGroup.set(group, (byGroup.get(group) ?? 0) + off / (positive[row]! ? positives : negatives));
  }
  const count = byGroup.size;
  const squares = [...byGroup.values()].reduce((sum, one) => sum + one * one, 0);
  return { before: areaBefore, after: areaAfter, variance: (squares * count) / Math.max(1, count - 1) };
}

/** By row: the share of the other class that it is on the right side of, equal scores counting half. */
function placements(scores: Float64Array, positive: readonly boolean[]): Float64Array {
  const order = Array.from(scores.keys()).sort((a, b) => scores[a]! - scores[b]!);
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

/** The mean of the folds' differences, those with more pairs counting for more; its 95 % interval and p-value. */
export function pooledDifference(folds: readonly { readonly auc: AucDifference; readonly pairs: number }[]) {
  const all = folds.reduce((sum, { pairs }) => sum + pairs, 0);
  const mean = (of: (auc: AucDifference) => number): number =>
    folds.reduce((sum, { auc, pairs }) => sum + (of(auc) * pairs) / all, 0);
  const [before, after] = [mean((auc) => auc.before), mean((auc) => auc.after)];
  const error = Math.sqrt(folds.reduce((sum, { auc, pairs }) => sum + auc.variance * (pairs / all) ** 2, 0));
  const difference = after - before;
  const interval: Interval = [difference - 1.96 * error, difference + 1.96 * error];
  return { before, after, difference, interval, p: error > 0 ? twoSidedNormal(difference / error) : 1 };
}

import { twoSidedNormal } from '../../evaluate/significance/normal.js';
import type { Interval } from '../../evaluate/significance/resampling.js';

/** The rows of one fold, with labels, scored before and after; rows of one group are alike. */
export interface LabelledFold {
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
export function aucDifference({ before, after, positive, groups }: LabelledFold): AucDifference {
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

/** Two areas, their difference with its 95 % interval, and a two-sided p-value. */
export interface AucGain {
  readonly before: number;
  readonly after: number;
  readonly difference: number;
  readonly interval: Interval;
  readonly p: number;
}

type Areas = AucDifference;

/** The mean over folds; those with more pairs of a positive and a negative count for more, those with none for nothing. */
export function gainOverFolds(folds: readonly LabelledFold[]): Areas {
  const counted = folds.map((fold) => {
    const positives = fold.positive.filter(Boolean).length;
    return { fold, pairs: positives * (fold.positive.length - positives) };
  });
  const all = counted.reduce((sum, { pairs }) => sum + pairs, 0);
  const areas = counted
    .filter(({ pairs }) => pairs > 0)
    .map(({ fold, pairs }) => ({ ...aucDifference(fold), share: pairs / all }));
  const sum = (of: (one: Areas & { readonly share: number }) => number): number =>
    areas.length === 0 ? Number.NaN : areas.reduce((total, one) => total + of(one), 0);
  return {
    before: sum(({ before, share }) => before * share),
    after: sum(({ after, share }) => after * share),
    variance: sum(({ variance, share }) => variance * share * share),
  };
}

/** The mean over divisions of the same rows, which does not become surer by their number. */
export function meanGain(divisions: readonly Areas[]): AucGain {
  const mean = (of: (areas: Areas) => number): number =>
    divisions.reduce((sum, areas) => sum + of(areas), 0) / divisions.length;
  const [before, after] = [mean((areas) => areas.before), mean((areas) => areas.after)];
  const error = Math.sqrt(mean(({ variance }) => variance));
  const difference = after - before;
  const interval: Interval = [difference - NORMAL_95 * error, difference + NORMAL_95 * error];
  return { before, after, difference, interval, p: error > 0 ? twoSidedNormal(difference / error) : 1 };
}

/** What 95 % of a standard normal variable are within. */
const NORMAL_95 = 1.959964;

import { toAssizeError } from '../../diagnostics/index.js';
import { meanOf } from '../../evaluate/mean.js';
import { type ShownVerdict, verdictOf } from '../../evaluate/compare-profiles.js';
import { type AucDifference, aucDifference, type LabelledRows } from '../../evaluate/significance/delong.js';
import { type Estimate, estimateMean, type Interval, pOf, tInterval } from '../../evaluate/significance/intervals.js';

/** What tuning gains on what it has not seen: every unit is measured by a model that was found without its fold. */
export interface HeldOut {
  /** What is kept together in a fold: `query`, `candidate`, or where the folds or groups of the data come from. */
  readonly by: string;
  readonly folds: number;
  /** How often they were made anew. */
  readonly repeats: number;
  /** How many queries, or candidates, were measured. */
  readonly units: number;
  /** The mean of the measure, before and after. */
  readonly before: number;
  readonly after: number;
  readonly difference: number;
  /** The 95 % confidence interval of the gain of what is written, and the p-value, over groups if the data have groups. */
  readonly interval: Interval;
  readonly p: number;
  /** On how many queries it is better, worse, and the same; undefined of AUC. */
  readonly counts?: { readonly better: number; readonly worse: number; readonly same: number };
  /** `better` and `worse` if the interval excludes 0 and p is below 0.05. */
  readonly verdict: ShownVerdict;
}

/** How it was divided. */
export type Division = Pick<HeldOut, 'by' | 'folds' | 'repeats'>;

/** How much the mean of equal values may differ from them. */
const ROUNDING = 1e-12;
const LEVEL = 0.05;

/** What the measure says of queries before and after, with the groups that they belong to. */
export interface MeasuredQueries {
  readonly before: readonly number[];
  readonly after: readonly number[];
  readonly groups: readonly string[];
}

/** The gain over queries: the mean difference, with a variance over groups. */
export function heldOutQueries(division: Division, { before, after, groups }: MeasuredQueries): HeldOut {
  const differences = after.map((value, k) => value - before[k]!);
  const counts = {
    better: differences.filter((one) => one > ROUNDING).length,
    worse: differences.filter((one) => one < -ROUNDING).length,
    same: differences.filter((one) => Math.abs(one) <= ROUNDING).length,
  };
  const compared = compare(estimateMean(differences, groups), division.folds);
  return { ...division, units: differences.length, before: meanOf(before), after: meanOf(after), ...compared, counts };
}

/**
 * The gain over rows with two labels, by division and fold: areas are compared within each fold, since scores of two
 * models are not comparable.
 *
 * @throws AssizeError (ASZ554) if no fold has rows of both labels
 */
export function heldOutRows(division: Division, repeats: readonly (readonly LabelledRows[])[]): HeldOut {
  const gains = repeats.map(aucDifference);
  const mean = (of: (gain: AucDifference) => number): number => meanOf(gains.map(of));
  const [before, after] = [mean((gain) => gain.before), mean((gain) => gain.after)];
  if (Number.isNaN(after)) {
    const message = `no fold by ${division.by} has candidates of both classes`;
    throw toAssizeError([{ code: 'ASZ554', message, hint: 'give more candidates, or fewer folds' }]);
  }
  const units = repeats[0]?.reduce((sum, { positive }) => sum + positive.length, 0) ?? 0;
  // Dividing the same rows again does not add information: the variance is the mean, and not divided by the repeats.
  const estimate = {
    value: after - before,
    variance: mean((gain) => gain.difference.variance),
    degrees: mean((gain) => gain.difference.degrees),
  };
  return { ...division, units, before, after, ...compare(estimate, division.folds) };
}

/**
 * The factor by which the variance of a cross-validated gain exceeds that of independent units. The models of K folds share
 * training data, so the mean gains of two folds are correlated; Nadeau and Bengio (2003, Machine Learning 52, 239–281)
 * estimate this correlation as the share of the data that is tested, 1 / K. The mean over K folds then has 1 + (K − 1) / K
 * times the variance. Their further factor of K / (K − 1) is for a variance between folds; the one here is between units.
 */
export const sharedTraining = (folds: number): number => 1 + (folds - 1) / folds;

function compare(estimate: Estimate, folds: number): Pick<HeldOut, 'difference' | 'interval' | 'p' | 'verdict'> {
  const corrected = { ...estimate, variance: estimate.variance * sharedTraining(folds) };
  const interval = tInterval(corrected, 1 - LEVEL);
  // With G groups, a test of their signs cannot go below 2 / 2^G: fewer groups prove nothing, however similar they are.
  const p = Math.min(1, Math.max(pOf(corrected), 2 ** -corrected.degrees));
  return { difference: estimate.value, interval, p, verdict: verdictOf({ interval }, p) };
}

import { toAssizeError } from '../../diagnostics/index.js';
import { meanOf } from '../../evaluate/mean.js';
import { seededRandom } from '../../evaluate/significance/random.js';
import { bootstrapMean, type Interval, permutationTest } from '../../evaluate/significance/resampling.js';
import { type AucGain, gainOverFolds, type LabelledFold, meanGain } from './delong.js';

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
  /** Where the difference lies with 95 % confidence, and how likely one as large would be by chance. Over whole groups. */
  readonly interval: Interval;
  readonly p: number;
  /** On how many queries it is better, worse, and the same; undefined of AUC. */
  readonly counts?: { readonly better: number; readonly worse: number; readonly same: number };
  /** `better` and `worse` where the interval leaves out 0 and p is below 0.05. */
  readonly verdict: 'better' | 'worse' | 'no difference shown';
}

/** How it was divided. */
export type Division = Pick<HeldOut, 'by' | 'folds' | 'repeats'>;

const SAMPLES = 10_000;
/** What the mean of equal values may differ from them by. */
const ROUNDING = 1e-12;
const LEVEL = 0.05;

type Compared = Pick<HeldOut, 'before' | 'after' | 'difference' | 'interval' | 'p'>;

const verdictOf = ({ interval: [low, high], p }: Compared): HeldOut['verdict'] =>
  !(p < LEVEL) || (low <= 0 && high >= 0) ? 'no difference shown' : low > 0 ? 'better' : 'worse';

/** What the measure says of queries before and after, with the groups that they belong to. */
export interface MeasuredQueries {
  readonly before: readonly number[];
  readonly after: readonly number[];
  readonly groups: readonly string[];
}

/** Queries: a bootstrap over groups, and a permutation test in which a group has one sign. */
export function heldOutQueries(division: Division, { before, after, groups }: MeasuredQueries, seed: number): HeldOut {
  const random = seededRandom(seed);
  const differences = after.map((value, k) => value - before[k]!);
  const compared: Compared = {
    before: meanOf(before),
    after: meanOf(after),
    difference: meanOf(differences),
    interval: bootstrapMean(differences, { samples: SAMPLES, confidence: 1 - LEVEL, random, groups }),
    p: permutationTest(sumsOf(differences, groups), SAMPLES, random),
  };
  const counts = {
    better: differences.filter((one) => one > ROUNDING).length,
    worse: differences.filter((one) => one < -ROUNDING).length,
    same: differences.filter((one) => Math.abs(one) <= ROUNDING).length,
  };
  return { ...division, units: differences.length, ...compared, counts, verdict: verdictOf(compared) };
}

/** By group: the sum of its values. */
function sumsOf(values: readonly number[], groups: readonly string[]): readonly number[] {
  const sums = new Map<string, number>();
  for (const [k, group] of groups.entries()) sums.set(group, (sums.get(group) ?? 0) + values[k]!);
  return [...sums.values()];
}

/**
 * Rows with two labels, by division and fold: areas within each fold, as scores of two models cannot be compared.
 *
 * @throws AssizeError (ASZ554) where no fold has rows of both labels
 */
export function heldOutRows(division: Division, repeats: readonly (readonly LabelledFold[])[]): HeldOut {
  const compared: AucGain = meanGain(repeats.map(gainOverFolds));
  if (Number.isNaN(compared.after)) {
    const message = `no fold by ${division.by} has candidates of both classes`;
    throw toAssizeError([{ code: 'ASZ554', message, hint: 'give more candidates, or fewer folds' }]);
  }
  const units = repeats[0]?.reduce((sum, { positive }) => sum + positive.length, 0) ?? 0;
  return { ...division, units, ...compared, verdict: verdictOf(compared) };
}

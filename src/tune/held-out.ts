import { meanOf } from '../evaluate/mean.js';
import { seededRandom } from '../evaluate/significance/random.js';
import { bootstrapMean, type Interval, permutationTest } from '../evaluate/significance/resampling.js';
import { aucDifference, pooledDifference } from './delong.js';

/** What tuning gains on what it has not seen: every unit is measured by a model that was found without its fold. */
export interface HeldOut {
  /** What folds are made of: `query`, `candidate`, or the name of a grouping. */
  readonly by: string;
  readonly folds: number;
  /** How many queries, or candidates, were measured. */
  readonly units: number;
  /** The mean of the measure, before and after. */
  readonly before: number;
  readonly after: number;
  readonly difference: number;
  /** Where the difference lies with 95 % confidence, and how likely one as large would be by chance. */
  readonly interval: Interval;
  readonly p: number;
  /** On how many queries it is better, worse, and the same; undefined of AUC. */
  readonly counts?: { readonly better: number; readonly worse: number; readonly same: number };
  /** `better` and `worse` where the interval leaves out 0 and p is below 0.05. */
  readonly verdict: 'better' | 'worse' | 'no difference shown';
}

const SAMPLES = 10_000;
const LEVEL = 0.05;

type Compared = Pick<HeldOut, 'before' | 'after' | 'difference' | 'interval' | 'p'>;

const verdictOf = ({ interval: [low, high], p }: Compared): HeldOut['verdict'] =>
  p >= LEVEL || (low <= 0 && high >= 0) ? 'no difference shown' : low > 0 ? 'better' : 'worse';

/** Queries, by what the measure says before and after: bootstrap over groups, and a permutation test. */
export function heldOutQueries(
  by: string,
  folds: number,
  values: { readonly before: readonly number[]; readonly after: readonly number[]; readonly groups: readonly string[] },
  seed: number,
): HeldOut {
  const random = seededRandom(seed);
  const differences = values.after.map((after, k) => after - values.before[k]!);
  const compared: Compared = {
    before: meanOf(values.before),
    after: meanOf(values.after),
    difference: meanOf(differences),
    interval: bootstrapMean(differences, { samples: SAMPLES, confidence: 1 - LEVEL, random, groups: values.groups }),
    p: permutationTest(differences, SAMPLES, random),
  };
  const counts = {
    better: differences.filter((one) => one > 0).length,
    worse: differences.filter((one) => one < 0).length,
    same: differences.filter((one) => one === 0).length,
  };
  return { by, folds, units: differences.length, ...compared, counts, verdict: verdictOf(compared) };
}

/** One fold of rows with two labels, scored before and after. */
export interface LabelledFold {
  readonly before: Float64Array;
  readonly after: Float64Array;
  readonly positive: readonly boolean[];
  readonly groups: readonly string[];
}

/** Rows with two labels: areas within each fold, since the scores of two folds' models cannot be compared. */
export function heldOutRows(by: string, folds: readonly LabelledFold[]): HeldOut {
  const told = folds.flatMap((fold) => {
    const positives = fold.positive.filter(Boolean).length;
    const pairs = positives * (fold.positive.length - positives);
    return pairs > 0 ? [{ auc: aucDifference(fold), pairs }] : [];
  });
  const compared: Compared =
    told.length > 0
      ? pooledDifference(told)
      : { before: Number.NaN, after: Number.NaN, difference: Number.NaN, interval: [Number.NaN, Number.NaN], p: 1 };
  const units = folds.reduce((sum, { positive }) => sum + positive.length, 0);
  return { by, folds: folds.length, units, ...compared, verdict: verdictOf(compared) };
}

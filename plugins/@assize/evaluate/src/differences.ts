import type { Evaluation, ProfileValues } from './evaluate-profiles.js';
import { ignoresUnjudged } from './measures/measures.js';
import { meanOf, seededRandom } from './significance/distributions.js';
import {
  estimateMean,
  type Interval,
  type MeanEstimate,
  simultaneousQuantile,
  tInterval,
} from './significance/intervals.js';
import { holm, pairedT, permutationTest, wilcoxon } from './significance/tests.js';

/** The difference of one profile from the baseline by one measure, over the same queries. */
export interface Difference {
  readonly profile: string;
  readonly baseline: string;
  readonly measure: string;
  /** The mean of its differences from the baseline, query by query: above 0 it is better. */
  readonly mean: number;
  /**
   * The 95 % confidence interval of that mean, by Student's t over queries, or over groups if the queries have groups. If
   * several differences are compared in one call, their intervals hold together: all of them contain the true
   * differences in 95 % of cases.
   */
  readonly interval: Interval;
  /** The number of queries on which the profile is better, worse and the same. */
  readonly better: number;
  readonly worse: number;
  readonly same: number;
  /**
   * Two-sided p-values: of the permutation test, the paired t-test, and Wilcoxon's. NaN if nothing differs. The
   * permutation test changes the sign of whole groups; the other two ignore groups.
   */
  readonly p: { readonly permutation: number; readonly t: number; readonly wilcoxon: number };
  /** The p-value of the permutation test, adjusted by Holm for all comparisons of the call. */
  readonly adjusted: number;
  /**
   * Better or worse if the interval excludes 0 and the adjusted p is below 0.05; `too little judged` if less than a fifth
   * of the measured ranks is judged.
   */
  readonly verdict: Verdict;
  /** The queries with the largest gains and the largest losses. */
  readonly gained: readonly QueryDifference[];
  readonly lost: readonly QueryDifference[];
}

/** The verdict on a difference. */
export type Verdict = ShownVerdict | 'too little judged';

/** A verdict from an interval and a p-value. */
export type ShownVerdict = 'better' | 'worse' | 'no difference shown';

export interface QueryDifference {
  readonly query: string;
  readonly difference: number;
}

/** Samples for the quantile of the largest of several differences. Its standard error is then below 1 %. */
const FAMILY_SAMPLES = 4_000;
const LEVEL = 0.05;
const MOST_QUERIES = 5;

/** The sizes of the samples of a comparison, and their seed. */
export interface Sampling {
  /** The number of samples of the permutation test and the bootstrap. Default: 10,000. */
  readonly samples?: number | undefined;
  /** The same seed gives the same intervals and p-values. Default: 1. */
  readonly seed?: number | undefined;
}

/**
 * The differences of the other profiles of an evaluation from one of them, by each measure. `compareProfiles` checks its
 * options, and calls this.
 *
 * @param baseline one of the profiles of the evaluation
 */
export function differencesFrom(
  evaluation: Evaluation,
  baseline: ProfileValues,
  { samples = 10_000, seed = 1 }: Sampling = {},
): readonly Difference[] {
  const random = seededRandom(seed);
  const others = evaluation.profiles.filter((one) => one !== baseline);
  const raw = others.flatMap((other) =>
    evaluation.measures.map((measure) => differenceOf(evaluation, baseline, other, measure, samples, random)),
  );
  const quantile = simultaneousQuantile(
    raw.map(({ estimate }) => estimate),
    1 - LEVEL,
    Math.min(samples, FAMILY_SAMPLES),
    random,
  );
  const adjusted = holm(raw.map(({ p }) => (Number.isNaN(p.permutation) ? 1 : p.permutation)));
  return raw.map(({ estimate, ...one }, k) => {
    const interval = tInterval(estimate, 1 - LEVEL, quantile);
    const verdict = isTooLittleJudged(evaluation, one) ? 'too little judged' : verdictOf({ interval }, adjusted[k]!);
    return { ...one, interval, adjusted: adjusted[k]!, verdict };
  });
}

/** With a smaller share of judged ranks, a measure depends more on the judgements than on the ranking. */
export const LEAST_JUDGED = 0.2;

/** Whether too few of the measured ranks are judged in one of the two profiles. */
function isTooLittleJudged(
  { profiles }: Evaluation,
  { profile, baseline, measure }: Pick<Difference, 'profile' | 'baseline' | 'measure'>,
): boolean {
  if (ignoresUnjudged(measure)) return false;
  const compared = profiles.filter((one) => one.profile === profile || one.profile === baseline);
  return compared.some(({ judged }) => (meanJudged(judged?.[measure]) ?? 1) < LEAST_JUDGED);
}

/** The mean Judged@k over queries with a nonempty ranking; undefined if there are none. */
export function meanJudged(shares: Float64Array | undefined): number | undefined {
  const known = shares?.filter((one) => !Number.isNaN(one));
  return known && known.length > 0 ? meanOf([...known]) : undefined;
}

function differenceOf(
  { queries, groups }: Evaluation,
  baseline: ProfileValues,
  other: ProfileValues,
  measure: string,
  samples: number,
  random: () => number,
): Omit<Difference, 'interval' | 'adjusted' | 'verdict'> & { readonly estimate: MeanEstimate } {
  const before = baseline.values[measure]!;
  const differences = Array.from(other.values[measure]!, (value, q) => value - before[q]!);
  const estimate = estimateMean(differences, groups);
  const differs = differences.some((one) => one !== 0);
  const moved = queries
    .map((query, q) => ({ query, difference: differences[q]! }))
    .filter(({ difference }) => difference !== 0)
    .toSorted((a, b) => b.difference - a.difference);
  return {
    profile: other.profile,
    baseline: baseline.profile,
    measure,
    mean: estimate.value,
    estimate,
    better: differences.filter((one) => one > 0).length,
    worse: differences.filter((one) => one < 0).length,
    same: differences.filter((one) => one === 0).length,
    p: {
      permutation: differs ? permutationTest(differences, samples, random, groups) : Number.NaN,
      t: pairedT(differences).p,
      wilcoxon: wilcoxon(differences).p,
    },
    gained: moved.filter(({ difference }) => difference > 0).slice(0, MOST_QUERIES),
    lost: moved
      .filter(({ difference }) => difference < 0)
      .toReversed()
      .slice(0, MOST_QUERIES),
  };
}

/** Better or worse if the interval excludes 0 and the adjusted p is below 0.05. An interval of NaN shows nothing. */
export function verdictOf({ interval: [low, high] }: Pick<Difference, 'interval'>, adjusted: number): ShownVerdict {
  if (!(adjusted < LEVEL) || !(low > 0 || high < 0)) return 'no difference shown';
  return low > 0 ? 'better' : 'worse';
}

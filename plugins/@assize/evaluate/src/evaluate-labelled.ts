import type { Pipeline, Ranking } from 'assize';
import { checkOptions } from 'assize/internal';
import { baselineOf, type CompareProfilesOptions } from './compare-profiles.js';
import { type Verdict, verdictOf } from './differences.js';
import { rankQuery } from './evaluate-profiles.js';
import { checkQueries, type JudgedQuery } from './judged-query.js';
import { LABELLED_MEASURES, type LabelledMeasureName, parseLabelledMeasure } from './measures/labelled-measures.js';
import { meanOf, seededRandom } from './significance/distributions.js';
import {
  aucDifference,
  aucEstimate,
  betweenLimits,
  type Estimate,
  type Interval,
  type LabelledRows,
  pOf,
  shareInterval,
  tInterval,
} from './significance/intervals.js';
import { holm } from './significance/tests.js';

export interface EvaluateLabelledOptions {
  /** Some of `AUC`, `AP`, `tau` and `rho`. */
  readonly measures: readonly string[];
  /** The lowest grade of the positive class. Default: 1. */
  readonly relevantFrom?: number | undefined;
  readonly signal?: AbortSignal;
  /** Called with each ranking. */
  readonly onRanking?: (profile: string, query: string, ranking: Ranking<unknown>) => void;
}

/** The result of `evaluateLabelled`. */
export interface LabelledEvaluation {
  readonly measures: readonly LabelledMeasureName[];
  /** The grade of each judged candidate. */
  readonly grades: readonly number[];
  readonly groups: readonly string[] | undefined;
  readonly relevantFrom: number;
  readonly profiles: readonly LabelledProfile[];
}

export interface LabelledProfile {
  readonly profile: string;
  /** The score of each judged candidate; −∞ if it is refused. */
  readonly scores: readonly number[];
  readonly values: Readonly<Record<string, number>>;
}

/** The types of `EvaluateLabelledOptions`. */
export const LABELLED_OPTIONS = {
  measures: 'list',
  relevantFrom: 'anything',
  signal: 'signal',
  onRanking: 'function',
} as const;

/**
 * Scores all candidates with every profile and measures the association of scores and grades over all queries. Candidates
 * of one query are scored together. A refused candidate is below all others; candidates without a grade are ignored.
 *
 * @throws AssizeError if a measure is unknown (ASZ605); also throws the errors of `evaluateProfiles`
 */
export async function evaluateLabelledPipelines<T>(
  profiles: Readonly<Record<string, Pipeline<T>>>,
  queries: Iterable<JudgedQuery<T>>,
  options: EvaluateLabelledOptions,
): Promise<LabelledEvaluation> {
  checkOptions('evaluateLabelled', options, LABELLED_OPTIONS);
  const all = checkQueries(queries);
  const scored: ScoredProfile[] = [];
  for (const [profile, pipeline] of Object.entries(profiles)) {
    const scores: number[] = [];
    for (const query of all) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      const ranking = await rankQuery(pipeline, query, {
        prune: false,
        ...(options.signal && { signal: options.signal }),
      });
      options.onRanking?.(profile, query.id, ranking);
      for (const score of judgedScores(ranking, query)) scores.push(score);
    }
    scored.push({ profile, scores });
  }
  return toLabelledEvaluation(scored, all, options);
}

/** The scores of the judged candidates by one profile. */
type ScoredProfile = Pick<LabelledProfile, 'profile' | 'scores'>;

/** Measures existing scores. */
export function toLabelledEvaluation(
  scored: readonly ScoredProfile[],
  queries: readonly JudgedQuery[],
  { measures: names, relevantFrom = 1 }: EvaluateLabelledOptions,
): LabelledEvaluation {
  const measures = names.map(parseLabelledMeasure);
  const judged = queries.flatMap((query) =>
    query.grades.flatMap((grade, k) => {
      const group = query.candidateGroups?.[k] ?? query.group;
      return grade === undefined ? [] : [{ grade, group }];
    }),
  );
  const grades = judged.map(({ grade }) => grade);
  const grouped = judged.every(({ group }) => group !== undefined);
  return {
    measures,
    grades,
    groups: grouped ? judged.map(({ group }) => group ?? '') : undefined,
    relevantFrom,
    profiles: scored.map(({ profile, scores }) => {
      const values = measures.map(
        (name) => [name, LABELLED_MEASURES[name].of(scores, grades, relevantFrom)()] as const,
      );
      return { profile, scores, values: Object.fromEntries(values) };
    }),
  };
}

/** The scores of the judged candidates of a query; −∞ for refused candidates. */
export function judgedScores(
  { ranked }: Pick<Ranking<unknown>, 'ranked'>,
  { candidates, grades }: JudgedQuery,
): readonly number[] {
  const scores = new Float64Array(candidates.length).fill(Number.NEGATIVE_INFINITY);
  for (const { index, score } of ranked) scores[index] = score;
  return grades.flatMap((grade, k) => (grade === undefined ? [] : [scores[k]!]));
}

/** The difference of one profile from the baseline by one measure, over the same candidates. */
export interface LabelledDifference {
  readonly profile: string;
  readonly baseline: string;
  readonly measure: string;
  /** Its value minus the baseline's. */
  readonly mean: number;
  /** The 95 % confidence interval of the difference; several differences of one call hold together. */
  readonly interval: Interval;
  /** The two-sided p-value of Student's t, the difference divided by its standard error. */
  readonly p: number;
  /** `p`, adjusted by Holm for all comparisons of the call. */
  readonly adjusted: number;
  readonly verdict: Verdict;
}

const SAMPLES = 2_000;
/** With so many positives, the standard error of AP is the jackknife's. */
const MANY_POSITIVES = 50;
const CONFIDENCE = 0.95;
const OPTIONS = { baseline: 'string', samples: { integerFrom: 1 }, seed: { integerFrom: 0 } } as const;

/**
 * Compares profiles with a baseline by measures for data without queries. The standard error of a difference of AUCs
 * is DeLong's. That of the others is estimated by a paired bootstrap over candidates, or by a jackknife over groups.
 * Intervals and p-values are Student's. O(N log N) for one comparison of AUC, else O(samples × N) for AUC and AP, and
 * O(samples × N log N) for tau and rho.
 *
 * @throws AssizeError (ASZ533) if no profile has the baseline's name
 */
export function compareLabelled(
  evaluation: LabelledEvaluation,
  options: CompareProfilesOptions = {},
): readonly LabelledDifference[] {
  checkOptions('compareLabelled', options, OPTIONS);
  const baseline = baselineOf(evaluation.profiles, options.baseline);
  const others = evaluation.profiles.filter((one) => one !== baseline);
  const sampled = new SampledValues(evaluation, options);
  const raw = others.flatMap((other) =>
    evaluation.measures.map((measure, m) => {
      const samples = () => differencesOf(sampled.of(other, m), sampled.of(baseline, m));
      const estimate =
        measure === 'AUC'
          ? aucDifference([rowsOf(evaluation, baseline.scores, other.scores)]).difference
          : sampled.estimate(measure, (values) => differencesOf(values(other, m), values(baseline, m)));
      return { profile: other.profile, measure, estimate, samples };
    }),
  );
  const quantile = raw.length > 1 ? familyQuantile(raw) : undefined;
  const p = raw.map(({ estimate }) => pOf(estimate));
  const adjusted = holm(p);
  return raw.map(({ profile, measure, estimate }, k) => {
    const interval = tInterval(estimate, CONFIDENCE, quantile);
    const verdict = verdictOf({ interval }, adjusted[k]!);
    const mean = estimate.value;
    return { profile, baseline: baseline.profile, measure, mean, interval, p: p[k]!, adjusted: adjusted[k]!, verdict };
  });
}

/** The 95 % confidence interval of each value: by profile, by measure. */
export function labelledIntervals(
  evaluation: LabelledEvaluation,
  options: Pick<CompareProfilesOptions, 'samples' | 'seed'> = {},
): readonly (readonly Interval[])[] {
  const sampled = new SampledValues(evaluation, options);
  return evaluation.profiles.map((profile) =>
    evaluation.measures.map((measure, m) => {
      const { positive, groups } = rowsOf(evaluation, profile.scores, profile.scores);
      if (measure === 'AUC') {
        const area = aucEstimate(profile.scores, positive, groups);
        return shareInterval(area, area.count, CONFIDENCE);
      }
      const estimate = sampled.estimate(measure, (values) => values(profile, m));
      return measure === 'AP'
        ? shareInterval(estimate, estimate.degrees + 1, CONFIDENCE)
        : correlationInterval(estimate);
    }),
  );
}

/** Fisher's interval of a correlation: symmetric in atanh, so that it stays within −1 and 1. */
function correlationInterval({ value, variance, degrees }: Estimate): Interval {
  const error = Math.sqrt(variance) / (1 - value * value);
  const [low, high] = tInterval({ value: Math.atanh(value), variance: error * error, degrees }, CONFIDENCE);
  return [Math.tanh(low), Math.tanh(high)];
}

function rowsOf(
  { grades, groups, relevantFrom }: LabelledEvaluation,
  before: readonly number[],
  after: readonly number[],
): LabelledRows {
  const positive = grades.map((grade) => grade >= relevantFrom);
  return { before, after, positive, groups: groups ?? Array.from(grades.keys(), String) };
}

const differencesOf = (after: Float64Array, before: Float64Array): Float64Array =>
  after.map((value, sample) => value - before[sample]!);

function varianceOf(samples: Float64Array): number {
  const mean = meanOf(samples);
  return samples.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (samples.length - 1);
}

/** The factor of standard errors by which all intervals of the call hold together, from joint bootstrap samples. */
function familyQuantile(raw: readonly { readonly estimate: Estimate; readonly samples: () => Float64Array }[]): number {
  const varied = raw.filter(({ estimate }) => estimate.variance > 0 && estimate.degrees > 0);
  const degrees = Math.min(...varied.map(({ estimate }) => estimate.degrees));
  if (varied.length === 0) return 0;
  const largest = new Float64Array(varied[0]!.samples().length);
  for (const { samples } of varied) {
    const drawn = samples();
    const defined = known(drawn);
    const [mean, error] = [meanOf(defined), Math.sqrt(varianceOf(defined))];
    for (const [sample, one] of drawn.entries())
      if (error > 0 && !Number.isNaN(one)) largest[sample] = Math.max(largest[sample]!, Math.abs(one - mean) / error);
  }
  return betweenLimits(largest, CONFIDENCE, degrees, varied.length);
}

/** Measures of resampled rows, the same rows for all profiles: by profile, by measure, by sample. */
type Resampled = readonly (readonly Float64Array[])[];
type ValuesOf = (profile: LabelledProfile, measure: number) => Float64Array;

/** The measures of resampled rows or groups. Computed when they are first needed. */
class SampledValues {
  /** The rows that are sampled together. */
  readonly #parts: readonly (readonly number[])[];
  readonly #samples: number;
  #bootstrap: Resampled | undefined;
  #jackknife: Resampled | undefined;

  constructor(
    private readonly evaluation: LabelledEvaluation,
    private readonly options: Pick<CompareProfilesOptions, 'samples' | 'seed'>,
  ) {
    const { groups, grades } = evaluation;
    this.#parts = groups ? rowsByGroup(groups) : Array.from(grades.keys(), (row) => [row]);
    this.#samples = options.samples ?? SAMPLES;
  }

  /** The values of bootstrap samples. */
  readonly of: ValuesOf = (profile, measure) => {
    this.#bootstrap ??= this.#measured(this.#drawn());
    return this.#bootstrap[this.#at(profile)]![measure]!;
  };

  /** The values without each group in turn. */
  readonly #without: ValuesOf = (profile, measure) => {
    this.#jackknife ??= this.#measured(this.#eachNotSelected());
    return this.#jackknife[this.#at(profile)]![measure]!;
  };

  /**
   * An estimate with n − 1 degrees of freedom for n independent observations. Over groups its variance is the jackknife's:
   * the bootstrap repeats whole groups, whose rows then tie with themselves, and its standard errors are 4 to 24 % too
   * small for AP. Single rows are bootstrapped, where the jackknife's standard errors are up to 25 % too large; but for AP
   * of 50 positives and more they are closer than the bootstrap's, which are 2 % too small.
   *
   * @param valuesOf computes the estimated quantity from the values of profiles
   */
  estimate(measure: LabelledMeasureName, valuesOf: (of: ValuesOf) => Float64Array): Estimate {
    const { grades, groups, relevantFrom } = this.evaluation;
    // Average precision is a mean over positives; negatives only determine their ranks.
    const isCounted = (row: number): boolean => measure !== 'AP' || grades[row]! >= relevantFrom;
    const count = this.#parts.filter((rows) => rows.some(isCounted)).length;
    const [value] = valuesOf((profile, m) => Float64Array.of(profile.values[this.evaluation.measures[m]!]!));
    const parts = this.#parts.length;
    const isJackknifed = groups !== undefined || (measure === 'AP' && count >= MANY_POSITIVES);
    const variance =
      isJackknifed && parts <= this.#samples
        ? ((parts - 1) ** 2 / parts) * varianceOf(known(valuesOf(this.#without)))
        : (count / (count - 1)) * varianceOf(known(valuesOf(this.of)));
    return { value: value!, variance: count < 2 ? Number.NaN : variance, degrees: count - 1 };
  }

  #at(profile: LabelledProfile): number {
    return this.evaluation.profiles.indexOf(profile);
  }

  /** The number of times each row is in a bootstrap sample of the groups. */
  *#drawn(): Iterable<Uint32Array> {
    const random = seededRandom(this.options.seed ?? 1);
    const counts = new Uint32Array(this.evaluation.grades.length);
    for (let sample = 0; sample < this.#samples; sample++) {
      counts.fill(0);
      for (let drawn = 0; drawn < this.#parts.length; drawn++) {
        for (const row of this.#parts[Math.floor(random() * this.#parts.length)]!) counts[row]! += 1;
      }
      yield counts;
    }
  }

  *#eachNotSelected(): Iterable<Uint32Array> {
    const counts = new Uint32Array(this.evaluation.grades.length).fill(1);
    for (const rows of this.#parts) {
      for (const row of rows) counts[row] = 0;
      yield counts;
      for (const row of rows) counts[row] = 1;
    }
  }

  #measured(samples: Iterable<Uint32Array>): Resampled {
    const { profiles, measures, grades, relevantFrom } = this.evaluation;
    const statistics = profiles.map(({ scores }) =>
      measures.map((measure) => LABELLED_MEASURES[measure].of(scores, grades, relevantFrom)),
    );
    const values = statistics.map((of) => of.map((): number[] => []));
    for (const counts of samples)
      for (const [p, of] of statistics.entries())
        for (const [m, statistic] of of.entries()) values[p]![m]!.push(statistic(counts));
    return values.map((of) => of.map((own) => Float64Array.from(own)));
  }
}

const known = (samples: Float64Array): Float64Array => samples.filter((sample) => !Number.isNaN(sample));

function rowsByGroup(groups: readonly string[]): readonly (readonly number[])[] {
  const rows = new Map<string, number[]>();
  for (const [row, group] of groups.entries()) {
    const others = rows.get(group);
    if (others) others.push(row);
    else rows.set(group, [row]);
  }
  return [...rows.values()];
}

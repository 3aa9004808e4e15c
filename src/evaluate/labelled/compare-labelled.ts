import { checkOptions, integerFrom, type OptionTypes, STRING } from '../../diagnostics/index.js';
import { baselineOf, type CompareProfilesOptions, type Verdict, verdictOf } from '../compare-profiles.js';
import { holm } from '../significance/multiple.js';
import { seededRandom } from '../significance/random.js';
import { type Interval, percentiles } from '../significance/resampling.js';
import type { LabelledEvaluation, LabelledProfile } from './evaluate-labelled.js';
import { LABELLED_MEASURES } from './labelled-measures.js';

/** How one profile differs from the baseline by one measure, over the same candidates. */
export interface LabelledDifference {
  readonly profile: string;
  readonly baseline: string;
  readonly measure: string;
  /** Its value less the baseline's. */
  readonly mean: number;
  /** Where the difference lies with 95 % confidence, by the bootstrap over candidates, or over whole groups. */
  readonly interval: Interval;
  /** Two-sided, by the same bootstrap: how often the difference is on the other side of 0. */
  readonly p: number;
  /** `p`, adjusted by Holm for all that was compared here. */
  readonly adjusted: number;
  readonly verdict: Verdict;
}

const SAMPLES = 2_000;
const LEVEL = 0.05;
const OPTIONS: OptionTypes = { baseline: STRING, samples: integerFrom(1), seed: integerFrom(0) };

/**
 * Whether profiles differ from a baseline by measures of data without queries: the paired bootstrap over candidates, or
 * over whole groups where they have groups. O(samples × N) for AUC and AP, O(samples × N log N) for tau and rho.
 *
 * @throws AssizeError (ASZ533) where there is no profile of the baseline's name
 */
export function compareLabelled(
  evaluation: LabelledEvaluation,
  options: CompareProfilesOptions = {},
): readonly LabelledDifference[] {
  checkOptions('compareLabelled', options, OPTIONS);
  const baseline = baselineOf(evaluation.profiles, options.baseline);
  const others = evaluation.profiles.filter((one) => one !== baseline);
  const sampled = others.length === 0 ? [] : sampledValues(evaluation, options);
  const of = (profile: LabelledProfile, m: number): Float64Array => sampled[evaluation.profiles.indexOf(profile)]![m]!;
  const raw = others.flatMap((other) =>
    evaluation.measures.map((measure, m) => {
      const before = of(baseline, m);
      const differences = ascending(of(other, m).map((value, sample) => value - before[sample]!));
      const mean = other.values.get(measure)! - baseline.values.get(measure)!;
      const interval = percentiles(differences, 1 - LEVEL);
      return { profile: other.profile, baseline: baseline.profile, measure, mean, interval, p: tailOf(differences) };
    }),
  );
  const adjusted = holm(raw.map(({ p }) => p));
  return raw.map((one, k) => ({ ...one, adjusted: adjusted[k]!, verdict: verdictOf(one, adjusted[k]!) }));
}

/** Where the values lie with 95 % confidence, by the same bootstrap: by profile, by measure. */
export const labelledIntervals = (
  evaluation: LabelledEvaluation,
  options: Pick<CompareProfilesOptions, 'samples' | 'seed'> = {},
): readonly (readonly Interval[])[] =>
  sampledValues(evaluation, options).map((measures) =>
    measures.map((values) => percentiles(ascending(values), 1 - LEVEL)),
  );

/** The measures of samples drawn with replacement, the same samples for all: by profile, by measure, by sample. */
function sampledValues(
  { profiles, measures, grades, groups, relevantFrom }: LabelledEvaluation,
  { samples = SAMPLES, seed = 1 }: Pick<CompareProfilesOptions, 'samples' | 'seed'>,
): readonly (readonly Float64Array[])[] {
  const random = seededRandom(seed);
  const parts = groups ? rowsByGroup(groups) : Array.from(grades.keys(), (row) => [row]);
  const statistics = profiles.map(({ scores }) =>
    measures.map((measure) => LABELLED_MEASURES[measure].of(scores, grades, relevantFrom)),
  );
  const values = statistics.map((of) => of.map(() => new Float64Array(samples)));
  const counts = new Uint32Array(grades.length);
  for (let sample = 0; sample < samples; sample++) {
    counts.fill(0);
    for (let drawn = 0; drawn < parts.length; drawn++) {
      for (const row of parts[Math.floor(random() * parts.length)]!) counts[row]! += 1;
    }
    for (const [p, of] of statistics.entries()) {
      for (const [m, statistic] of of.entries()) values[p]![m]![sample] = statistic(counts);
    }
  }
  return values;
}

/** Sorted, without samples for which the measure is not defined. */
const ascending = (values: Float64Array): Float64Array => values.filter((value) => !Number.isNaN(value)).sort();

function rowsByGroup(groups: readonly string[]): readonly (readonly number[])[] {
  const rows = new Map<string, number[]>();
  for (const [row, group] of groups.entries()) {
    const others = rows.get(group);
    if (others) others.push(row);
    else rows.set(group, [row]);
  }
  return [...rows.values()];
}

/** The two-sided p-value of ascending samples of a difference; at least 2 / (samples + 1). */
function tailOf(differences: Float64Array): number {
  const below = differences.filter((value) => value <= 0).length;
  const above = differences.filter((value) => value >= 0).length;
  return Math.min(1, (2 * (Math.min(below, above) + 1)) / (differences.length + 1));
}

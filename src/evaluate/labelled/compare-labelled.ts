import { checkOptions, integerFrom, type OptionTypes, STRING } from '../../diagnostics/index.js';
import { baselineOf, type CompareProfilesOptions, type Verdict, verdictOf } from '../compare-profiles.js';
import { holm } from '../significance/multiple.js';
import { type Random, seededRandom } from '../significance/random.js';
import { type Interval, percentiles } from '../significance/resampling.js';
import type { LabelledEvaluation } from './evaluate-labelled.js';
import { LABELLED_MEASURES, type LabelledMeasureName } from './labelled-measures.js';

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

/** Each sample sorts all candidates again. */
const SAMPLES = 2_000;
const LEVEL = 0.05;
const OPTIONS: OptionTypes = { baseline: STRING, samples: integerFrom(1), seed: integerFrom(0) };

/**
 * Whether profiles differ from a baseline by measures of data without queries: the paired bootstrap over candidates, or
 * over whole groups where they have groups. O(samples × N log N).
 *
 * @throws AssizeError (ASZ533) where there is no profile of the baseline's name
 */
export function compareLabelled(
  evaluation: LabelledEvaluation,
  options: CompareProfilesOptions = {},
): readonly LabelledDifference[] {
  checkOptions('compareLabelled', options, OPTIONS);
  const { samples = SAMPLES, seed = 1 } = options;
  const baseline = baselineOf(evaluation.profiles, options.baseline);
  const others = evaluation.profiles.filter((one) => one !== baseline);
  const raw = others.flatMap((other) =>
    evaluation.measures.map((measure) => {
      const of = (p: typeof baseline, rows: readonly number[]): number =>
        measureRows(evaluation, measure, p.scores, rows);
      const sampled = resample(evaluation, samples, seededRandom(seed), (rows) => of(other, rows) - of(baseline, rows));
      const mean = other.values.get(measure)! - baseline.values.get(measure)!;
      const interval = percentiles(sampled, 1 - LEVEL);
      return { profile: other.profile, baseline: baseline.profile, measure, mean, interval, p: tailOf(sampled) };
    }),
  );
  const adjusted = holm(raw.map(({ p }) => p));
  return raw.map((one, k) => ({ ...one, adjusted: adjusted[k]!, verdict: verdictOf(one, adjusted[k]!) }));
}

/** Where the value of one profile lies with 95 % confidence, by the same bootstrap. */
export function labelledInterval(
  evaluation: LabelledEvaluation,
  profile: number,
  measure: LabelledMeasureName,
  { samples = SAMPLES, seed = 1 }: Pick<CompareProfilesOptions, 'samples' | 'seed'> = {},
): Interval {
  const { scores } = evaluation.profiles[profile]!;
  const of = (rows: readonly number[]): number => measureRows(evaluation, measure, scores, rows);
  return percentiles(resample(evaluation, samples, seededRandom(seed), of), 1 - LEVEL);
}

function measureRows(
  { grades, relevantFrom }: LabelledEvaluation,
  measure: LabelledMeasureName,
  scores: readonly number[],
  rows: readonly number[],
): number {
  const [ofScores, ofGrades] = [rows.map((row) => scores[row]!), rows.map((row) => grades[row]!)];
  return LABELLED_MEASURES[measure].of(ofScores, ofGrades, relevantFrom);
}

/** A statistic of samples drawn with replacement; samples in which it is not defined are left out. */
function resample(
  { grades, groups }: LabelledEvaluation,
  samples: number,
  random: Random,
  statistic: (rows: readonly number[]) => number,
): Float64Array {
  const parts = groups ? rowsByGroup(groups) : Array.from(grades.keys(), (row) => [row]);
  const values: number[] = [];
  for (let sample = 0; sample < samples; sample++) {
    const rows = parts.flatMap(() => parts[Math.floor(random() * parts.length)]!);
    const value = statistic(rows);
    if (!Number.isNaN(value)) values.push(value);
  }
  return Float64Array.from(values).sort();
}

function rowsByGroup(groups: readonly string[]): readonly (readonly number[])[] {
  const rows = new Map<string, number[]>();
  for (const [row, group] of groups.entries()) {
    const others = rows.get(group);
    if (others) others.push(row);
    else rows.set(group, [row]);
  }
  return [...rows.values()];
}

/** The two-sided p-value of ascending samples of a difference; at least 1 / (samples + 1), and 1 where none is. */
function tailOf(ascending: Float64Array): number {
  const below = ascending.filter((value) => value <= 0).length;
  const above = ascending.filter((value) => value >= 0).length;
  return Math.min(1, (2 * (Math.min(below, above) + 1)) / (ascending.length + 1));
}

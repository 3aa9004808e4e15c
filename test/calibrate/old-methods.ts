import type { Evaluation, Interval, LabelledEvaluation } from '@assize/evaluate';
import { permutationTest } from '../../plugins/@assize/evaluate/src/significance/tests.js';
import type { Random } from '../../plugins/@assize/evaluate/src/significance/distributions.js';
import { LABELLED_MEASURES } from '../../plugins/@assize/evaluate/src/measures/labelled-measures.js';
import { holm } from '../../plugins/@assize/evaluate/src/significance/tests.js';
import { bootstrapMean, percentiles } from './bootstrap.js';

/** The printed values of a comparison. */
export interface Printed {
  readonly interval: Interval;
  readonly verdict: string;
}

const verdict = ([low, high]: Interval, p: number): string =>
  p >= 0.05 || (low <= 0 && high >= 0) ? 'no difference shown' : low > 0 ? 'better' : 'worse';

/** The previous method: a percentile bootstrap, and a permutation test that ignores groups. */
export function oldComparison({ profiles, groups }: Evaluation, random: Random, samples: number): readonly Printed[] {
  const [baseline, ...others] = profiles.map(({ values }) => Object.values(values)[0]!);
  const raw = others.map((other) => {
    const differences = Array.from(other, (value, q) => value - baseline![q]!);
    const interval = bootstrapMean(differences, { samples, confidence: 0.95, random, groups });
    return { interval, p: permutationTest(differences, samples, random) };
  });
  const adjusted = holm(raw.map(({ p }) => p));
  return raw.map(({ interval }, k) => ({ interval, verdict: verdict(interval, adjusted[k]!) }));
}

/** The previous method, for rows: percentiles of bootstrap samples, and their share beyond 0. */
export function oldRows(evaluation: LabelledEvaluation, random: Random, samples: number) {
  const { profiles, measures, grades, groups, relevantFrom } = evaluation;
  const names = groups ?? Array.from(grades.keys(), String);
  const rows = [...new Set(names)].map((name) => Array.from(names.keys()).filter((k) => names[k] === name));
  const statistics = profiles.map(({ scores }) => LABELLED_MEASURES[measures[0]!].of(scores, grades, relevantFrom));
  const values = statistics.map(() => new Float64Array(samples));
  const counts = new Uint32Array(grades.length);
  for (let sample = 0; sample < samples; sample++) {
    counts.fill(0);
    for (let k = 0; k < rows.length; k++)
      for (const row of rows[Math.floor(random() * rows.length)]!) counts[row]! += 1;
    for (const [p, of] of statistics.entries()) values[p]![sample] = of(counts);
  }
  const sorted = (own: Float64Array): Float64Array => own.filter((one) => !Number.isNaN(one)).sort();
  const raw = values.slice(1).map((own) => {
    const differences = sorted(own.map((value, sample) => value - values[0]![sample]!));
    const below = differences.filter((one) => one <= 0).length;
    const above = differences.filter((one) => one >= 0).length;
    const p = Math.min(1, (2 * (Math.min(below, above) + 1)) / (differences.length + 1));
    return { interval: percentiles(differences, 0.95), p };
  });
  const adjusted = holm(raw.map(({ p }) => p));
  return {
    comparisons: raw.map(({ interval }, k): Printed => ({ interval, verdict: verdict(interval, adjusted[k]!) })),
    value: percentiles(sorted(values[0]!), 0.95),
  };
}

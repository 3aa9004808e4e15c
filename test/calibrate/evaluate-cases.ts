import { seededRandom } from '../../plugins/@assize/evaluate/src/significance/distributions.js';
import { compareLabelled, compareProfiles, type Interval } from '@assize/evaluate';
import { labelledIntervals } from '../../plugins/@assize/evaluate/src/evaluate-labelled.js';
import { estimateMean, shareInterval } from '../../plugins/@assize/evaluate/src/significance/intervals.js';
import { bootstrapMean } from './bootstrap.js';
import { oldComparison, oldRows, type Printed } from './old-methods.js';
import { drawEvaluation, drawRows, populationOf, type RowWorld, type World } from './worlds.js';

/** Counts over many data sets: how often an interval covered the true value, and how often a verdict was given. */
export interface Counts {
  readonly repetitions: number;
  /** Of the intervals of differences: the number of data sets in which all of them covered. */
  covered: number;
  /** The number of data sets in which an interval was too uncertain to print. */
  unsaid: number;
  better: number;
  worse: number;
  /** Of the interval of the baseline's own value. */
  valueCovered: number;
}

export const none = (repetitions: number): Counts => ({
  repetitions,
  covered: 0,
  unsaid: 0,
  better: 0,
  worse: 0,
  valueCovered: 0,
});

export interface Result {
  readonly before: Counts;
  readonly after: Counts;
  /** Of a calibrated test, if there is one to compare with. */
  readonly reference?: Counts;
}

const covers = ([low, high]: Interval, truth: number): boolean => low <= truth + 1e-12 && truth - 1e-12 <= high;

function count(counts: Counts, printed: readonly Printed[], truths: readonly number[]): void {
  if (printed.some(({ interval }) => Number.isNaN(interval[0]))) counts.unsaid += 1;
  else if (printed.every(({ interval }, k) => covers(interval, truths[k]!))) counts.covered += 1;
  if (printed.some((one) => one.verdict === 'better')) counts.better += 1;
  if (printed.some((one) => one.verdict === 'worse')) counts.worse += 1;
}

/** The old methods take most of the time; so many repetitions show how they compare. */
const OLD_REPETITIONS = 200;

const oldAndNew = (repetitions: number): Result => ({
  before: none(Math.min(repetitions, OLD_REPETITIONS)),
  after: none(repetitions),
});

/** Profiles over queries. */
export function simulateQueries(world: World, repetitions: number, seed: number): Result {
  const population = populationOf(world, 24_000, seed);
  const random = seededRandom(seed + 1);
  const truths = population.means.slice(1).map((mean) => mean - population.means[0]!);
  const result = oldAndNew(repetitions);
  for (let repetition = 0; repetition < repetitions; repetition++) {
    const evaluation = drawEvaluation(population, world.queries, random);
    const values = [...evaluation.profiles[0]!.values['m']!];
    const estimate = estimateMean(values, evaluation.groups);
    const { groups } = evaluation;
    if (covers(shareInterval(estimate, estimate.degrees + 1, 0.95), population.means[0]!))
      result.after.valueCovered += 1;
    count(result.after, compareProfiles(evaluation, { samples: 1000, seed: repetition }), truths);
    if (repetition >= result.before.repetitions) continue;
    const drawn = bootstrapMean(values, { samples: 1000, confidence: 0.95, random, groups });
    if (covers(drawn, population.means[0]!)) result.before.valueCovered += 1;
    count(result.before, oldComparison(evaluation, random, 1000), truths);
  }
  return result;
}

/** Profiles over rows with labels. */
export function simulateRows(world: RowWorld, repetitions: number, seed: number): Result {
  const random = seededRandom(seed);
  const large = drawRows(
    { ...world, positives: 20_000, negatives: 20_000 * (world.negatives / world.positives) },
    random,
  );
  const [own = Number.NaN, ...others] = large.profiles.map(({ values }) => values[large.measures[0]!]!);
  const truths = others.map((value) => (world.gain === 0 ? 0 : value - own));
  const result = oldAndNew(repetitions);
  for (let repetition = 0; repetition < repetitions; repetition++) {
    const evaluation = drawRows(world, random);
    // A jackknife needs as many samples as there are rows.
    const samples = Math.max(400, evaluation.grades.length);
    count(result.after, compareLabelled(evaluation, { samples, seed: repetition }), truths);
    const first = { ...evaluation, profiles: evaluation.profiles.slice(0, 1) };
    if (covers(labelledIntervals(first, { samples })[0]![0]!, own)) result.after.valueCovered += 1;
    if (repetition >= result.before.repetitions) continue;
    const before = oldRows(evaluation, random, 400);
    count(result.before, before.comparisons, truths);
    if (covers(before.value, own)) result.before.valueCovered += 1;
  }
  return result;
}

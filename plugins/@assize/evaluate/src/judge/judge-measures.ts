import { formatNumber } from 'assize/internal';
import { bootstrapIntervals, type GroupSums, totalOf } from '../significance/bootstrap.js';
import { seededRandom } from '../significance/distributions.js';
import { estimateMean, type Interval, shareInterval } from '../significance/intervals.js';
import { type AlphaScale, cohenKappa, type KappaWeights, krippendorffAlpha } from '../measures/agreement-measures.js';
import type { JudgeAspect, JudgeMeasure } from './judge-report.js';
import type { TextUnit } from './judged-units.js';
import { coincidences, contingencies, type RatedUnit, type RatingTables } from './rating-tables.js';

const CONFIDENCE = 0.95;

/** The settings of bootstrap intervals. */
export interface Sampling {
  readonly samples: number;
  readonly seed: number;
}

/** A value of one unit, and the group of the unit. */
export interface GroupedValue {
  readonly group: string;
  readonly value: number;
}

type Named = Pick<JudgeMeasure, 'aspect' | 'name'>;

/** The share of pairs of answers to one question that differ. It does not depend on how often the question was asked. */
export function differing(group: string, answers: readonly number[]): readonly GroupedValue[] {
  const pairs = (answers.length * (answers.length - 1)) / 2;
  if (pairs === 0) return [];
  const unequal = answers.reduce(
    (sum, one, k) => sum + answers.slice(k + 1).filter((other) => other !== one).length,
    0,
  );
  return [{ group, value: unequal / pairs }];
}

/** A measure that the data does not determine. */
export const absentMeasure = (named: Named, absent: string, count = 0): JudgeMeasure => ({ ...named, count, absent });

/**
 * The mean of values between two bounds, with Wilson's interval.
 *
 * @param absent the reason if there are no values
 */
export function meanMeasure(
  named: Named,
  values: readonly GroupedValue[],
  absent: string,
  [low, high]: readonly [number, number] = [0, 1],
): JudgeMeasure {
  if (values.length === 0) return absentMeasure(named, absent);
  const groups = values.map(({ group }) => group);
  const shares = values.map(({ value }) => (value - low) / (high - low));
  const estimate = estimateMean(shares, groups);
  const interval = shareInterval(estimate, new Set(groups).size, CONFIDENCE);
  const scaled = (share: number): number => low + share * (high - low);
  const bounds = withInterval([scaled(interval[0]), scaled(interval[1])]);
  return { ...named, value: scaled(estimate.value), ...bounds, count: values.length };
}

const withInterval = (interval: Interval): { readonly interval?: Interval } =>
  Number.isNaN(interval[0]) ? {} : { interval };

/** Spearman's correlation of two values, within strata; the ranks are those within the stratum. */
export function correlationMeasure(
  named: Named,
  points: readonly { readonly group: string; readonly stratum: number; readonly x: number; readonly y: number }[],
  absent: string,
  sampling: Sampling,
): JudgeMeasure {
  const groups = new Map<string, [number, number, number]>();
  for (const stratum of new Set(points.map((point) => point.stratum))) {
    const own = points.filter((point) => point.stratum === stratum);
    const [xs, ys] = [centredRanks(own.map(({ x }) => x)), centredRanks(own.map(({ y }) => y))];
    for (const [k, { group }] of own.entries()) {
      const sums = groups.get(group) ?? [0, 0, 0];
      groups.set(group, sums);
      sums[0] += xs[k]! * ys[k]!;
      sums[1] += xs[k]! ** 2;
      sums[2] += ys[k]! ** 2;
    }
  }
  const correlation = ([xy = 0, xx = 0, yy = 0]: ArrayLike<number> & Iterable<number>): readonly number[] => [
    xx > 0 && yy > 0 ? xy / Math.sqrt(xx * yy) : Number.NaN,
  ];
  const sums = [...groups.values()].map((own): GroupSums => [...own.entries()]);
  return tableMeasures([named], sums, 3, correlation, points.length, absent, sampling)[0]!;
}

/** Ranks from 1, minus their mean. Equal values share the mean of their ranks. */
function centredRanks(values: readonly number[]): readonly number[] {
  const order = [...values.keys()].sort((a, b) => values[a]! - values[b]!);
  const ranks = values.map(() => 0);
  for (let from = 0, to = 0; from < order.length; from = to) {
    while (to < order.length && values[order[to]!] === values[order[from]!]) to += 1;
    for (const at of order.slice(from, to)) ranks[at] = (from + to - 1) / 2;
  }
  return ranks.map((rank) => rank - (values.length - 1) / 2);
}

const KAPPAS: readonly (readonly [name: string, weights: KappaWeights])[] = [
  ['kappa', 'none'],
  ['kappa, linear weights', 'linear'],
  ['kappa, quadratic weights', 'quadratic'],
];
const ALPHAS: readonly (readonly [name: string, scale: AlphaScale])[] = [
  ['alpha, nominal', 'nominal'],
  ['alpha, ordinal', 'ordinal'],
  ['alpha, interval', 'interval'],
];

/** The names of Cohen's kappas and Krippendorff's alphas. */
export const agreementNames: readonly string[] = [...KAPPAS, ...ALPHAS].map(([name]) => name);

/** Krippendorff's alphas of all ratings of each unit. */
export function alphaMeasures(
  aspect: JudgeAspect,
  units: readonly RatedUnit[],
  absent: string,
  sampling: Sampling,
  scales: readonly AlphaScale[] = ['nominal', 'ordinal', 'interval'],
): readonly JudgeMeasure[] {
  const own = ALPHAS.filter(([, scale]) => scales.includes(scale));
  const statistics =
    ({ grades }: RatingTables) =>
    (total: Float64Array) =>
      own.map(([, scale]) => krippendorffAlpha(total, grades, scale));
  return ratingMeasures(aspect, own, coincidences(units), statistics, absent, sampling);
}

/** Cohen's kappas of the first two ratings of each unit. */
export function kappaMeasures(
  aspect: JudgeAspect,
  units: readonly RatedUnit[],
  absent: string,
  sampling: Sampling,
): readonly JudgeMeasure[] {
  const statistics =
    ({ grades }: RatingTables) =>
    (total: Float64Array) =>
      KAPPAS.map(([, weights]) => cohenKappa(total, grades, weights));
  return ratingMeasures(aspect, KAPPAS, contingencies(units), statistics, absent, sampling);
}

function ratingMeasures(
  aspect: JudgeAspect,
  names: readonly (readonly [string, unknown])[],
  tables: RatingTables,
  statistics: (tables: RatingTables) => (total: Float64Array) => readonly number[],
  absent: string,
  sampling: Sampling,
): readonly JudgeMeasure[] {
  const named = names.map(([name]) => ({ aspect, name }));
  const { groups, grades, units } = tables;
  return tableMeasures(named, groups, grades.length ** 2, statistics(tables), units, absent, sampling);
}

/** Statistics of sums over groups, with bootstrap intervals. */
function tableMeasures(
  named: readonly Named[],
  groups: readonly GroupSums[],
  length: number,
  statistics: (total: Float64Array) => readonly number[],
  count: number,
  absent: string,
  { samples, seed }: Sampling,
): readonly JudgeMeasure[] {
  const values = statistics(totalOf(groups, length));
  const settings = { samples, random: seededRandom(seed), confidence: CONFIDENCE };
  const intervals = bootstrapIntervals(groups, length, statistics, settings);
  return named.map((one, k) => {
    const value = values[k]!;
    if (Number.isNaN(value)) return absentMeasure(one, absent, count);
    return { ...one, value, ...withInterval(intervals[k]!), count };
  });
}

export const NO_GRADES = 'no candidate has a human grade';

/** Why kappa and alpha of human grades and those of a judge from 0 to `most` are unknown; undefined if they are not. */
export function gradeProblem(people: readonly number[], most: number): string | undefined {
  const [low, high] = [Math.min(...people), Math.max(...people)];
  if (low === high) return `all human grades are equal (${formatNumber(low)}), so chance explains any agreement`;
  const other = people.find((grade) => !Number.isInteger(grade) || grade < 0 || grade > most);
  if (other === undefined) return undefined;
  return `a human grade is ${formatNumber(other)}, and the judge's are whole numbers from 0 to ${most}: use one scale`;
}

/** The agreement of people with each other, by Krippendorff's alpha: the most that a judge can be expected to reach. */
export function peopleMeasures(units: readonly TextUnit[], sampling: Sampling): readonly JudgeMeasure[] {
  const rated = units.map(({ group, people }) => ({ group, ratings: people }));
  const counts = rated.map(({ ratings }) => ratings.filter((one) => one !== undefined).length);
  const most = Math.max(0, ...counts);
  if (most < 2) {
    const why = most === 0 ? NO_GRADES : 'each candidate has the grade of one person: add others by --rater';
    return [absentMeasure({ aspect: 'people', name: 'alpha' }, why)];
  }
  return alphaMeasures('people', rated, 'all human grades are equal', sampling);
}

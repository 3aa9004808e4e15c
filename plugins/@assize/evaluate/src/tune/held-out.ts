import { type Problem, type Ranking, toAssizeError } from 'assize';
import { rankByModel } from 'assize/internal';
import { type ShownVerdict, verdictOf } from '../differences.js';
import { curveAt } from '../curves.js';
import { judgedRanking } from '../evaluate-profiles.js';
import { meanOf } from '../significance/distributions.js';
import { type Estimate, estimateMean, type Interval, pOf, tInterval } from '../significance/intervals.js';
import type { LabelledMeasureName } from '../measures/labelled-measures.js';
import type { Fold } from './model/choose-setting.js';
import type { Model } from './model/weighing.js';
import { type GradedRows, isCorrelation, isMeasurable, labelledGain } from './labelled-gain.js';
import type { DividedUnits, Search } from './prepare-search.js';
import { queriesOfRows } from './ranked-queries.js';

/** The gain on held-out data. Every unit is measured with a model that was fitted without its fold. */
export interface HeldOut {
  /** The unit that is not split between folds: `query`, `candidate`, or the path of the folds or groups. */
  readonly by: string;
  readonly folds: number;
  /** How often the division was repeated. */
  readonly repeats: number;
  /** The number of measured queries or candidates. */
  readonly units: number;
  /** The number of groups that these units belong to; undefined if units are independent. */
  readonly groups?: number;
  /** The mean of the measure, before and after. */
  readonly before: number;
  readonly after: number;
  readonly difference: number;
  /** The 95 % confidence interval of the gain and its p-value, over groups if the data has groups. */
  readonly interval: Interval;
  readonly p: number;
  /** The parts of the variance of the interval. */
  readonly variance: GainVariance;
  /** The number of better, worse and equal queries; undefined without queries. */
  readonly counts?: { readonly better: number; readonly worse: number; readonly same: number };
  /** `better` and `worse` if the interval excludes 0 and p is below 0.05. */
  readonly verdict: ShownVerdict;
}

/** The parts of the variance of a held-out gain. */
export interface GainVariance {
  /** The mean, over the divisions, of the variance of the gain between units. */
  readonly within: number;
  /** The variance of the gain between divisions; NaN if there is only one division. */
  readonly between: number;
  /** The variance of the mean gain if units were independent. It is too small, since folds share training data. */
  readonly independent: number;
  /** The degrees of freedom of `within` and `independent`. */
  readonly degrees: number;
}

type Division = Pick<HeldOut, 'by' | 'folds' | 'repeats'>;

/** The rounding error of a mean of equal values. */
const ROUNDING = 1e-12;
const LEVEL = 0.05;

/** The gain by one division of the units into folds. */
interface DivisionGain {
  readonly before: number;
  readonly after: number;
  readonly estimate: Estimate;
}

/** The measure of each query, in the order of the queries; and, by division, with models fitted without its fold. */
interface MeasuredQueries {
  readonly before: readonly number[];
  readonly after: readonly (readonly number[])[];
  readonly groups: readonly string[];
}

/** The gain over queries: the mean difference, with a variance over groups. */
function heldOutQueries(division: Division, { before, after, groups }: MeasuredQueries): HeldOut {
  const gains = after.map((values) => values.map((value, k) => value - before[k]!));
  const averages = before.map((_, k) => meanOf(gains.map((gain) => gain[k]!)));
  const counts = {
    better: averages.filter((one) => one > ROUNDING).length,
    worse: averages.filter((one) => one < -ROUNDING).length,
    same: averages.filter((one) => Math.abs(one) <= ROUNDING).length,
  };
  const divisions = after.map((values, k) => ({
    before: meanOf(before),
    after: meanOf(values),
    estimate: estimateMean(gains[k]!, groups),
  }));
  const independent = estimateMean(averages, groups).variance;
  const units = { units: before.length, ...groupsOf(groups) };
  return { ...division, ...units, ...together(divisions, division.folds, independent), counts };
}

/**
 * The gain over rows, by division and fold.
 *
 * @throws AssizeError (ASZ554) if no fold has rows of both labels or, for a correlation, of two grades
 */
function heldOutRows(
  division: Division,
  repeats: readonly (readonly GradedRows[])[],
  measure: LabelledMeasureName,
  relevantFrom: number,
): HeldOut {
  const divisions = repeats
    .map((folds) => labelledGain(measure, relevantFrom, folds))
    .filter(({ after }) => !Number.isNaN(after))
    .map(({ before, after, difference }) => ({ before, after, estimate: difference }));
  if (divisions.length === 0) {
    const what = isCorrelation(measure) ? 'with different grades' : 'of both classes';
    const message = `no fold by ${division.by} has candidates ${what}`;
    throw toAssizeError([{ code: 'ASZ554', message, hint: 'give more candidates, or use fewer folds' }]);
  }
  const groups = repeats[0]?.flatMap((rows) => rows.groups) ?? [];
  // Dividing the same rows again does not add information: the mean variance is not divided by the repeats.
  const independent = meanOf(divisions.map(({ estimate }) => estimate.variance));
  const units = { units: groups.length, ...groupsOf(groups) };
  return { ...division, ...units, ...together(divisions, division.folds, independent) };
}

/** The number of groups, if some of them have several units. */
function groupsOf(groups: readonly string[]): Pick<HeldOut, 'groups'> {
  const { size } = new Set(groups);
  return size < groups.length ? { groups: size } : {};
}

/** The mean gain over all divisions, with its interval and verdict. */
function together(
  divisions: readonly DivisionGain[],
  folds: number,
  independent: number,
): Pick<HeldOut, 'before' | 'after' | 'difference' | 'interval' | 'p' | 'variance' | 'verdict'> {
  const mean = (of: (division: DivisionGain) => number): number => meanOf(divisions.map(of));
  const [before, after] = [mean((one) => one.before), mean((one) => one.after)];
  const within = mean(({ estimate }) => estimate.variance);
  const degrees = mean(({ estimate }) => estimate.degrees);
  const gains = divisions.map(({ estimate }) => estimate.value);
  const value = meanOf(gains);
  const between = gains.reduce((sum, gain) => sum + (gain - value) ** 2, 0) / (gains.length - 1);
  const estimate =
    gains.length > 1
      ? combinedDivisions({ value, variance: within, degrees }, between, gains.length)
      : { value, variance: within * sharedTraining(folds), degrees };
  const interval = tInterval(estimate, 1 - LEVEL);
  // With G groups, a test of their signs cannot go below 2 / 2^G: so few groups never show a gain, however similar they are.
  const p = Math.min(1, Math.max(pOf(estimate), 2 ** -degrees));
  const verdict = verdictOf({ interval }, p);
  return {
    before,
    after,
    difference: value,
    interval,
    p,
    variance: { within, between, independent, degrees },
    verdict,
  };
}

/**
 * The mean of a gain over several divisions into folds, by Rubin's rules (1987): the variance within divisions, plus
 * 1 + 1 / m of the variance between m divisions, with the degrees of freedom of Barnard and Rubin (1999, Biometrika 86,
 * 948–955). The variance within divisions is too small, because folds share training data: two queries that agree by
 * chance raise each other's gain. What was learnt by chance also changes with the division, so the variance between
 * divisions makes up for it. In simulations, this needs narrower intervals than a constant factor if the gain is real.
 *
 * @param estimate the mean gain, with the mean variance and degrees of freedom within divisions
 */
export function combinedDivisions({ value, variance, degrees }: Estimate, between: number, count: number): Estimate {
  const added = (1 + 1 / count) * between;
  const total = variance + added;
  if (!(added > 0) || !(degrees > 0)) return { value, variance: total, degrees };
  const share = added / total;
  const fromDivisions = (count - 1) / (share * share);
  const fromUnits = ((degrees + 1) / (degrees + 3)) * degrees * (1 - share);
  return { value, variance: total, degrees: 1 / (1 / fromDivisions + 1 / fromUnits) };
}

/**
 * The factor by which the variance of a gain from a single division into K folds exceeds that of independent units. The
 * models of K folds share training data, so the mean gains of two folds are correlated; Nadeau and Bengio (2003, Machine
 * Learning 52, 239–281) estimate this correlation as the share of the data that is tested, 1 / K. The mean over K folds
 * then has 1 + (K − 1) / K times the variance. Their further factor of K / (K − 1) is for a variance between folds; the
 * one here is between units.
 */
const sharedTraining = (folds: number): number => 1 + (folds - 1) / folds;

/** Below this number of units the division into folds is repeated. */
const FEW = 500;
const FEW_REPEATS = 5;

/** A fitted model and its search, which is another one if params were tuned. */
export interface Found<T> {
  readonly model: Model;
  readonly search: Search<T>;
}

/**
 * Cross-validates: fits a model without each fold and measures it on that fold. The profile and the model are measured by
 * the pipeline itself, with rules, cases, curves and ties. When the time is spent, it measures only as many folds as it
 * needs for a result, and a division that is not measured completely counts only if it is the first.
 */
export async function measureHeldOut<T>(
  search: Search<T>,
  units: DividedUnits,
  find: (train: Int32Array) => Promise<Found<T>>,
  { repeats, seed }: { readonly repeats: number | undefined; readonly seed: number },
): Promise<HeldOut> {
  const { judge, effort } = search;
  const times = units.isRandom ? (repeats ?? (units.groups.length < FEW ? FEW_REPEATS : 1)) : 1;
  const divisions: FoldMeasure[][] = [];
  const isEnough = (): boolean =>
    effort.isSpent && divisions.flat().some(({ rows }) => !rows || isMeasurable(judge.name, rows));
  let folds: readonly Fold[] = [];
  for (let repeat = 0; repeat < times && !isEnough(); repeat++) {
    folds = units.foldsOf(seed + repeat);
    const measured: FoldMeasure[] = [];
    divisions.push(measured);
    for (const { train, test } of folds) {
      effort.report(
        `measuring on held-out data, by ${units.by}`,
        repeat * folds.length + measured.length,
        folds.length * times,
      );
      if (isEnough()) break;
      // oxlint-disable-next-line no-await-in-loop -- sequential: CPU-bound
      measured.push(measuredFold(search, units, await find(train), test));
    }
  }
  effort.report(`measuring on held-out data, by ${units.by}`, 1, 1);
  const used = divisions.filter((measured, k) => k === 0 || measured.length === folds.length);
  const division = { by: units.by, folds: used[0]!.length, repeats: used.length };
  return judge.labelled
    ? heldOutRows(
        division,
        used.map((measured) => measured.flatMap(({ rows }) => rows ?? [])),
        judge.labelled,
        search.relevantFrom,
      )
    : heldOutQueries(division, measuredQueries(search, units, used));
}

/** The measure of a fold by a model that was fitted without it: by query, or without queries the scores of its rows. */
interface FoldMeasure {
  readonly queries: ReadonlyMap<number, number>;
  readonly rows: GradedRows | undefined;
}

function measuredFold<T>(search: Search<T>, units: DividedUnits, found: Found<T>, test: Int32Array): FoldMeasure {
  if (search.judge.pooled) return { queries: new Map(), rows: labelledFold(search, units, found, test) };
  const tested = Array.from(queriesOfRows(search.ranked, units.rowsOf(test)));
  const values = tested.map((q) => valueOfQuery(found.search, rankedByModel(found.search, found.model, q), q));
  return { queries: new Map(tested.map((q, k) => [q, values[k]!])), rows: undefined };
}

function measuredQueries<T>(
  search: Search<T>,
  { rowGroups }: DividedUnits,
  divisions: readonly (readonly FoldMeasure[])[],
): MeasuredQueries {
  const after = divisions.map((folds) => new Map(folds.flatMap(({ queries }) => [...queries])));
  const queries = [...after[0]!.keys()].sort((a, b) => a - b);
  const { rankings, starts } = search.ranked;
  return {
    before: queries.map((q) => valueOfQuery(search, rankings[q]!, q)),
    after: after.map((values) => queries.map((q) => values.get(q)!)),
    groups: queries.map((q) => rowGroups[starts[q]!]!),
  };
}

/** The measure over some rows as the pipeline ranks them by the profile (without a model), or by a model. */
export function measureByPipeline<T>(search: Search<T>, model: Model | undefined, rows: Int32Array): number {
  const { ranked, judge } = search;
  const queries = Array.from(queriesOfRows(ranked, rows));
  const rankingOf = (q: number): Ranking<T> => (model ? rankedByModel(search, model, q) : ranked.rankings[q]!);
  if (!judge.pooled) return meanOf(queries.map((q) => valueOfQuery(search, rankingOf(q), q)));
  const totals = new Float64Array(ranked.grades.length);
  for (const q of queries) totals.set(scoresOfRows(search, rankingOf(q), q), ranked.starts[q]);
  return judge.over(rows)(totals);
}

function valueOfQuery<T>({ ranked, judge }: Search<T>, ranking: Ranking<T>, q: number): number {
  return judge.ofQuery?.of(judgedRanking(ranking, ranked.queries[q]!)) ?? Number.NaN;
}

function labelledFold<T>(
  base: Search<T>,
  units: DividedUnits,
  { model, search }: Found<T>,
  test: Int32Array,
): GradedRows {
  const { ranked, relevantFrom } = search;
  const rows = units.rowsOf(test);
  const after = new Float64Array(ranked.grades.length);
  const before = new Float64Array(ranked.grades.length);
  for (const q of queriesOfRows(ranked, rows)) {
    before.set(scoresOfRows(base, base.ranked.rankings[q]!, q), ranked.starts[q]);
    after.set(scoresOfRows(search, rankedByModel(search, model, q), q), ranked.starts[q]);
  }
  return {
    before: Float64Array.from(rows, (row) => before[row]!),
    after: Float64Array.from(rows, (row) => after[row]!),
    positive: Array.from(rows, (row) => ranked.grades[row]! >= relevantFrom),
    grades: Array.from(rows, (row) => ranked.grades[row]!),
    groups: Array.from(test, (unit) => units.groups[unit]!),
  };
}

/** By row of the query: its score in a ranking; −∞ if it is refused there, since a model changes what a rule refuses. */
function scoresOfRows<T>({ ranked }: Search<T>, { matrix }: Ranking<T>, q: number): Float64Array {
  const { index } = ranked.rankings[q]!.matrix;
  const scoreAt = new Map(Array.from(matrix.index, (at, row) => [at, matrix.totals[row]!]));
  return Float64Array.from(index, (at) => scoreAt.get(at) ?? Number.NEGATIVE_INFINITY);
}

/** The ranking of a query by the profile with the model applied. */
function rankedByModel<T>({ ranked, tuned, weighing, inputs }: Search<T>, model: Model, q: number): Ranking<T> {
  const curves = model.flatMap(({ points }, k) => {
    if (!points) return [];
    const through = (x: number): number => (Number.isNaN(x) ? x : curveAt(points, x));
    const own = (resolved: Float64Array, rows: Int32Array | undefined): Float64Array => {
      if (!inputs[k]) return resolved.map(through);
      // The entry is already a curve: map its input. Rows outside the ranking have no input.
      const [from, to] = [ranked.starts[q]!, ranked.starts[q + 1]!];
      const rescored = new Float64Array(resolved.length).fill(Number.NaN);
      for (let row = from; row < to; row++)
        rescored[rows?.[row - from] ?? row - from] = through(weighing.columns[k]![row]!);
      return rescored;
    };
    return [[tuned.entries[k]!.id, own] as const];
  });
  const weights = Object.fromEntries(model.map(({ weight }, k) => [tuned.entries[k]!.id, weight]));
  return rankByModel(ranked.rankings[q]!, { weights, case: tuned.case, scores: new Map(curves) });
}

/**
 * Warns if two kinds of folds disagree: different verdicts, or gains with disjoint intervals. The model has then partly
 * learned to recognize the folds or groups.
 */
export function foldWarning([first, ...others]: readonly HeldOut[]): readonly Problem[] {
  if (!first) return [];
  return others
    .filter((other) => other.verdict !== first.verdict || isApart(first.interval, other.interval))
    .map(({ by, verdict, difference }) => ({
      code: 'ASZ735',
      message: `by ${first.by} the verdict is ${first.verdict} (${signed(first.difference)}), by ${by} ${verdict} (${signed(difference)})`,
      hint: `the weights may recognise the ${by} instead of quality: evaluate them on data from another source`,
    }));
}

const isApart = (a: Interval, b: Interval): boolean => a[1] < b[0] || b[1] < a[0];

const signed = (x: number): string => `${x < 0 ? '−' : '+'}${Math.abs(x).toFixed(3)}`;

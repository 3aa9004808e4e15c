import { type Problem, toAssizeError } from '../diagnostics/index.js';
import { type ShownVerdict, verdictOf } from '../evaluate/compare-profiles.js';
import { curveAt } from '../evaluate/curves.js';
import { judgedRanking } from '../evaluate/evaluate-profiles.js';
import { meanOf } from '../evaluate/significance/distributions.js';
import {
  type AucDifference,
  aucDifference,
  type Estimate,
  estimateMean,
  type Interval,
  type LabelledRows,
  pOf,
  tInterval,
} from '../evaluate/significance/intervals.js';
import { rankByModel, type Ranking } from '../ranking/index.js';
import type { Model } from './model/weighing.js';
import type { DividedUnits, Search } from './prepare-search.js';
import { queriesOfRows } from './ranked-queries.js';

/** The gain on held-out data. Every unit is measured with a model that was fitted without its fold. */
export interface HeldOut {
  /** What is not split between folds: `query`, `candidate`, or the path of the folds or groups. */
  readonly by: string;
  readonly folds: number;
  /** How often the division was repeated. */
  readonly repeats: number;
  /** The number of measured queries or candidates. */
  readonly units: number;
  /** The mean of the measure, before and after. */
  readonly before: number;
  readonly after: number;
  readonly difference: number;
  /** The 95 % confidence interval of the gain and its p-value, over groups if the data has groups. */
  readonly interval: Interval;
  readonly p: number;
  /** The number of better, worse and equal queries; undefined for AUC. */
  readonly counts?: { readonly better: number; readonly worse: number; readonly same: number };
  /** `better` and `worse` if the interval excludes 0 and p is below 0.05. */
  readonly verdict: ShownVerdict;
}

type Division = Pick<HeldOut, 'by' | 'folds' | 'repeats'>;

/** The rounding error of a mean of equal values. */
const ROUNDING = 1e-12;
const LEVEL = 0.05;

/** The measure of each query before and after, and its group. */
interface MeasuredQueries {
  readonly before: readonly number[];
  readonly after: readonly number[];
  readonly groups: readonly string[];
}

/** The gain over queries: the mean difference, with a variance over groups. */
function heldOutQueries(division: Division, { before, after, groups }: MeasuredQueries): HeldOut {
  const differences = after.map((value, k) => value - before[k]!);
  const counts = {
    better: differences.filter((one) => one > ROUNDING).length,
    worse: differences.filter((one) => one < -ROUNDING).length,
    same: differences.filter((one) => Math.abs(one) <= ROUNDING).length,
  };
  const compared = compare(estimateMean(differences, groups), division.folds);
  return { ...division, units: differences.length, before: meanOf(before), after: meanOf(after), ...compared, counts };
}

/**
 * The gain over rows with two labels, by division and fold: areas are compared within each fold, since scores of two
 * models are not comparable.
 *
 * @throws AssizeError (ASZ554) if no fold has rows of both labels
 */
function heldOutRows(division: Division, repeats: readonly (readonly LabelledRows[])[]): HeldOut {
  const gains = repeats.map(aucDifference);
  const mean = (of: (gain: AucDifference) => number): number => meanOf(gains.map(of));
  const [before, after] = [mean((gain) => gain.before), mean((gain) => gain.after)];
  if (Number.isNaN(after)) {
    const message = `no fold by ${division.by} has candidates of both classes`;
    throw toAssizeError([{ code: 'ASZ554', message, hint: 'give more candidates, or fewer folds' }]);
  }
  const units = repeats[0]?.reduce((sum, { positive }) => sum + positive.length, 0) ?? 0;
  // Dividing the same rows again does not add information: the variance is the mean, and not divided by the repeats.
  const estimate = {
    value: after - before,
    variance: mean((gain) => gain.difference.variance),
    degrees: mean((gain) => gain.difference.degrees),
  };
  return { ...division, units, before, after, ...compare(estimate, division.folds) };
}

/**
 * The factor by which the variance of a cross-validated gain exceeds that of independent units. The models of K folds share
 * training data, so the mean gains of two folds are correlated; Nadeau and Bengio (2003, Machine Learning 52, 239–281)
 * estimate this correlation as the share of the data that is tested, 1 / K. The mean over K folds then has 1 + (K − 1) / K
 * times the variance. Their further factor of K / (K − 1) is for a variance between folds; the one here is between units.
 */
export const sharedTraining = (folds: number): number => 1 + (folds - 1) / folds;

function compare(estimate: Estimate, folds: number): Pick<HeldOut, 'difference' | 'interval' | 'p' | 'verdict'> {
  const corrected = { ...estimate, variance: estimate.variance * sharedTraining(folds) };
  const interval = tInterval(corrected, 1 - LEVEL);
  // With G groups, a test of their signs cannot go below 2 / 2^G: fewer groups prove nothing, however similar they are.
  const p = Math.min(1, Math.max(pOf(corrected), 2 ** -corrected.degrees));
  return { difference: estimate.value, interval, p, verdict: verdictOf({ interval }, p) };
}

/** Below this number of units the division into folds is repeated. */
const FEW = 500;
const FEW_REPEATS = 5;

/** A fitted model and its search, which is another one if params were tuned. */
export interface Found<T> {
  readonly model: Model;
  readonly search: Search<T>;
}

type FindModel<T> = (train: Int32Array) => Promise<Found<T>>;

/**
 * Cross-validates: fits a model without each fold and measures it on that fold. The profile and the model are measured by
 * the pipeline itself, with rules, cases, curves and ties. When the time is spent, it measures only as many folds as it
 * needs for a result.
 */
export async function measureHeldOut<T>(
  search: Search<T>,
  units: DividedUnits,
  find: FindModel<T>,
  { repeats, seed }: { readonly repeats: number | undefined; readonly seed: number },
): Promise<HeldOut> {
  const { judge, effort } = search;
  const queries = new QueryMeans<T>(search, units);
  const labelled: LabelledRows[][] = [];
  const times = units.isRandom ? (repeats ?? (units.groups.length < FEW ? FEW_REPEATS : 1)) : 1;
  let [done, most] = [0, 0];
  const isEnough = (): boolean => effort.isSpent && (judge.pooled ? labelled.flat().some(hasBothClasses) : done > 0);
  for (let repeat = 0; repeat < times && !isEnough(); repeat++) {
    const folds = units.foldsOf(seed + repeat);
    most = Math.max(most, folds.length);
    labelled.push([]);
    for (const { train, test } of folds) {
      effort.report(`measuring on what is kept back, by ${units.by}`, done, folds.length * times);
      if (isEnough()) break;
      // oxlint-disable-next-line no-await-in-loop -- sequential: CPU-bound
      const found = await find(train);
      if (judge.pooled) labelled[repeat]!.push(labelledFold(search, units, found, test));
      else queries.add(found, units.rowsOf(test));
      done += 1;
    }
  }
  effort.report(`measuring on what is kept back, by ${units.by}`, 1, 1);
  const division = { by: units.by, folds: Math.min(most, done), repeats: labelled.length };
  return judge.pooled ? heldOutRows(division, labelled) : heldOutQueries(division, queries.measured());
}

/** The measure of queries before and after; a mean over models if the division is repeated. */
class QueryMeans<T> {
  readonly #before = new Map<number, number>();
  readonly #after = new Map<number, number[]>();
  readonly #groups = new Map<number, string>();

  constructor(
    private readonly search: Search<T>,
    private readonly units: DividedUnits,
  ) {}

  add({ model, search }: Found<T>, rows: Int32Array): void {
    const { starts } = search.ranked;
    for (const q of queriesOfRows(search.ranked, rows)) {
      if (!this.#before.has(q)) this.#before.set(q, valueOfQuery(this.search, this.search.ranked.rankings[q]!, q));
      const after = valueOfQuery(search, rankedByModel(search, model, q), q);
      this.#after.set(q, [...(this.#after.get(q) ?? []), after]);
      this.#groups.set(q, this.units.rowGroups[starts[q]!]!);
    }
  }

  measured() {
    const queries = [...this.#before.keys()];
    return {
      before: queries.map((q) => this.#before.get(q)!),
      after: queries.map((q) => meanOf(this.#after.get(q)!)),
      groups: queries.map((q) => this.#groups.get(q)!),
    };
  }
}

const hasBothClasses = ({ positive }: LabelledRows): boolean => positive.includes(true) && positive.includes(false);

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
): LabelledRows {
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
      hint: `what was found may recognise the ${by}, and not what is good: measure on what comes from elsewhere`,
    }));
}

const isApart = (a: Interval, b: Interval): boolean => a[1] < b[0] || b[1] < a[0];

const signed = (x: number): string => `${x < 0 ? '−' : '+'}${Math.abs(x).toFixed(3)}`;

import { judgedRanking } from '../../evaluate/evaluate-profiles.js';
import type { LabelledRows } from '../../evaluate/significance/delong.js';
import { curveAt } from '../../evaluate/curves/curve.js';
import { meanOf } from '../../evaluate/mean.js';
import { rankByModel, type Ranking } from '../../ranking/index.js';
import { type HeldOut, heldOutQueries, heldOutRows } from './held-out.js';
import type { Model } from '../model/model.js';
import type { Search } from '../prepare/prepare-search.js';
import { queriesOfRows } from '../queries/ranked-queries.js';
import type { DividedUnits } from '../prepare/units.js';

/** Of fewer units, one division into folds says little: they are divided several times. */
const FEW = 500;
const FEW_REPEATS = 5;

/** A model, and the search that it is of: another one where params were found too. */
export interface Found<T> {
  readonly model: Model;
  readonly search: Search<T>;
}

/** Finds a model from some units. */
export type FindModel<T> = (train: Int32Array) => Promise<Found<T>>;

/**
 * Finds a model without each fold in turn, and measures it on that fold: both the profile and the model by the whole
 * arithmetic of the pipeline, with rules, cases, curves and ties. Once the effort is spent, it measures only as many
 * folds as it needs for a result.
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
      // oxlint-disable-next-line no-await-in-loop -- one after another: it is arithmetic
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

/** The measure of queries before and after: the mean if a query is measured by several models. */
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

/** The ranking of a query by the profile as it would be written with the model. */
function rankedByModel<T>({ ranked, tuned, weighing, inputs }: Search<T>, model: Model, q: number): Ranking<T> {
  const curves = model.flatMap(({ points }, k) => {
    if (!points) return [];
    const through = (x: number): number => (Number.isNaN(x) ? x : curveAt(points, x));
    const own = (resolved: Float64Array, rows: Int32Array | undefined): Float64Array => {
      if (!inputs[k]) return resolved.map(through);
      // An entry that is a curve already: its own input is read again. Rows outside the ranking have none.
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

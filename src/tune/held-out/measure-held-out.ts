import { judgedRanking } from '../../evaluate/evaluate-profiles.js';
import type { Ranking } from '../../ranking/index.js';
import type { LabelledFold } from './delong.js';
import { type HeldOut, heldOutQueries, heldOutRows } from './held-out.js';
import { type Model, weighedBy } from '../model/model.js';
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
 * Finds a model without each fold in turn, and measures it on that fold. Weights are measured by `reweigh`, rules and
 * ties included; curves, and weights of a case, which no call can say, on the columns. Once the effort is spent, no more
 * folds are measured than are needed to say anything.
 */
export async function measureHeldOut<T>(
  search: Search<T>,
  units: DividedUnits,
  find: FindModel<T>,
  { repeats, seed }: { readonly repeats: number | undefined; readonly seed: number },
): Promise<HeldOut> {
  const { judge, effort } = search;
  const queries = new QueryMeans<T>(search, units);
  const labelled: LabelledFold[][] = [];
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
  return judge.pooled ? heldOutRows(division, labelled) : heldOutQueries(division, queries.measured(), seed);
}

/** The measure of queries before and after, the mean where one is measured by several models. */
class QueryMeans<T> {
  readonly #before = new Map<number, number>();
  readonly #after = new Map<number, number[]>();
  readonly #groups = new Map<number, string>();
  readonly #valueOf: (ranking: Ranking<T>, q: number) => number;

  constructor(
    private readonly search: Search<T>,
    private readonly units: DividedUnits,
  ) {
    const { ranked, judge } = search;
    this.#valueOf = (ranking, q) => judge.ofQuery?.of(judgedRanking(ranking, ranked.queries[q]!)) ?? Number.NaN;
  }

  add({ model, search }: Found<T>, rows: Int32Array): void {
    const { ranked, weighing, judge } = search;
    const weights = weightsOfCall(search, model);
    const totals = new Float64Array(weighing.rows);
    if (!weights) weighing.totals(weighedBy(model, weighing.columns, rows), rows, totals);
    for (const q of queriesOfRows(ranked, rows)) {
      const ranking = ranked.rankings[q]!;
      const own = rows.filter((row) => row >= ranked.starts[q]! && row < ranked.starts[q + 1]!);
      const after = weights ? this.#valueOf(ranking.reweigh({ weights }), q) : judge.over(own)(totals);
      if (!this.#before.has(q)) this.#before.set(q, this.#valueOf(this.search.ranked.rankings[q]!, q));
      this.#after.set(q, [...(this.#after.get(q) ?? []), after]);
      this.#groups.set(q, this.units.rowGroups[own[0]!]!);
    }
  }

  measured() {
    const queries = [...this.#before.keys()];
    const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;
    return {
      before: queries.map((q) => this.#before.get(q)!),
      after: queries.map((q) => mean(this.#after.get(q)!)),
      groups: queries.map((q) => this.#groups.get(q)!),
    };
  }
}

const hasBothClasses = ({ positive }: LabelledFold): boolean => positive.includes(true) && positive.includes(false);

function labelledFold<T>(
  base: Search<T>,
  units: DividedUnits,
  { model, search }: Found<T>,
  test: Int32Array,
): LabelledFold {
  const { ranked, weighing, relevantFrom } = search;
  const rows = units.rowsOf(test);
  const weights = weightsOfCall(search, model);
  const after = new Float64Array(weighing.rows);
  const before = new Float64Array(weighing.rows);
  if (!weights) weighing.totals(weighedBy(model, weighing.columns, rows), rows, after);
  for (const q of queriesOfRows(ranked, rows)) {
    before.set(base.ranked.rankings[q]!.matrix.totals, ranked.starts[q]);
    if (weights) after.set(ranked.rankings[q]!.reweigh({ weights }).matrix.totals, ranked.starts[q]);
  }
  return {
    before: Float64Array.from(rows, (row) => before[row]!),
    after: Float64Array.from(rows, (row) => after[row]!),
    positive: Array.from(rows, (row) => ranked.grades[row]! >= relevantFrom),
    groups: Array.from(test, (unit) => units.groups[unit]!),
  };
}

/** The model as weights of a call; undefined where a call cannot say it. */
function weightsOfCall<T>({ tuned, ranked }: Search<T>, model: Model): Readonly<Record<string, number>> | undefined {
  const hasCases = (ranked.rankings[0]?.caseWeights.size ?? 0) > 0;
  if (hasCases || model.some(({ points }) => points)) return undefined;
  return Object.fromEntries(model.map(({ weight }, k) => [tuned.entries[k]!.id, weight]));
}

import { parseMeasure } from '../evaluate/measures/parse-measure.js';
import type { Ranking } from '../ranking/index.js';
import type { Effort } from './effort.js';
import type { Fitter } from './fitter.js';
import { foldsOf } from './folds.js';
import { type HeldOut, heldOutQueries, heldOutRows, type LabelledFold } from './held-out.js';
import { type Model, weighedBy } from './model.js';
import { queriesOfRows, type RankedQueries } from './ranked-queries.js';
import type { GroupedUnits } from './units.js';
import type { Tuned, Weighing } from './weighing.js';
import type { Yardstick } from './yardstick.js';

interface Work<T> {
  readonly ranked: RankedQueries<T>;
  readonly judge: Yardstick;
  readonly units: GroupedUnits;
  readonly tuned: Tuned;
  readonly before: Model;
  readonly find: (train: Int32Array) => Promise<Model>;
  readonly effort: Effort;
  readonly folds: number;
  readonly seed: number;
  readonly fitter: Fitter;
  readonly weighing: Weighing;
  readonly relevantFrom: number;
}

/**
 * Finds a model without each fold in turn, and measures it on that fold. Weights are measured by `reweigh`, rules and
 * ties included; curves, and weights of a case, which no call can say, on the columns.
 */
export async function measureHeldOut<T>(work: Work<T>): Promise<HeldOut> {
  const { units, effort, find, judge } = work;
  const folds = foldsOf(units.groups, work.folds, work.seed);
  const queries: QueryFold = { before: [], after: [], groups: [] };
  const labelled: LabelledFold[] = [];
  let done = 0;
  for (const { train, test } of folds) {
    effort.report('measuring on what is kept back', done, folds.length);
    if (effort.isSpent && done > 0) break;
    // oxlint-disable-next-line no-await-in-loop -- one after another: it is arithmetic
    const model = await find(train);
    const rows = units.rowsOf(test);
    if (judge.pooled) labelled.push(labelledFold(work, model, rows, test));
    else queryFold(work, model, rows, queries);
    done += 1;
  }
  effort.report('measuring on what is kept back', folds.length, folds.length);
  return judge.pooled ? heldOutRows(units.by, labelled) : heldOutQueries(units.by, done, queries, work.seed);
}

interface QueryFold {
  readonly before: number[];
  readonly after: number[];
  readonly groups: string[];
}

function queryFold<T>(work: Work<T>, model: Model, rows: Int32Array, into: QueryFold): void {
  const { ranked, judge, units, relevantFrom } = work;
  const measure = parseMeasure(judge.name, relevantFrom);
  const valueOf = (ranking: Ranking<T>, q: number): number =>
    measure.of({
      grades: ranking.ranked.map(({ index }) => ranked.queries[q]!.grades[index]),
      judgements: ranked.judgements[q]!,
    });
  const totals = new Float64Array(work.weighing.rows);
  const weights = weightsOfCall(work, model);
  if (!weights) work.weighing.totals(weighedBy(model, work.weighing.columns, rows), rows, totals);
  for (const q of queriesOfRows(ranked, rows)) {
    const ranking = ranked.rankings[q]!;
    const own = rows.filter((row) => row >= ranked.starts[q]! && row < ranked.starts[q + 1]!);
    into.before.push(valueOf(ranking, q));
    into.after.push(weights ? valueOf(ranking.reweigh({ weights }), q) : judge.of(totals, own));
    into.groups.push(units.rowGroups[own[0]!]!);
  }
}

function labelledFold<T>(work: Work<T>, model: Model, rows: Int32Array, test: Int32Array): LabelledFold {
  const { ranked, weighing, relevantFrom, units } = work;
  const weights = weightsOfCall(work, model);
  const after = new Float64Array(weighing.rows);
  const before = new Float64Array(weighing.rows);
  if (!weights) weighing.totals(weighedBy(model, weighing.columns, rows), rows, after);
  for (const q of queriesOfRows(ranked, rows)) {
    before.set(ranked.rankings[q]!.matrix.totals, ranked.starts[q]);
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
function weightsOfCall<T>({ tuned, ranked }: Work<T>, model: Model): Readonly<Record<string, number>> | undefined {
  const hasCases = (ranked.rankings[0]?.caseWeights.size ?? 0) > 0;
  if (hasCases || model.some(({ points }) => points)) return undefined;
  return Object.fromEntries(model.map(({ weight }, k) => [tuned.entries[k]!.id, weight]));
}

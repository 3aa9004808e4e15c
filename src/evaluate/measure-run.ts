import type { Judgements } from './judgements.js';
import type { JudgedRanking } from './judged-ranking.js';
import { meanOf } from './mean.js';
import type { AskedMeasure } from './measures/parse-measure.js';

/** The values of some measures. */
export interface Measured {
  /** The queries that count: judged and, unless all are wanted, ranked. */
  readonly queries: readonly string[];
  /** By measure, by query in their order. */
  readonly values: ReadonlyMap<string, Float64Array>;
  /** By measure: the mean over the queries. */
  readonly means: ReadonlyMap<string, number>;
}

/** How a ranked list of ids meets the judgements of its query. */
export const judge = (ids: readonly string[], grades: ReadonlyMap<string, number>): JudgedRanking => ({
  grades: ids.map((id) => grades.get(id)),
  judgements: [...grades.values()],
});

/**
 * Measures a run, query by query. A query without judgements counts nowhere.
 *
 * @param run ids by query, best first
 * @param allJudged whether a judged query that was not ranked counts, with 0; trec_eval's -c
 */
export function measureRun(
  run: ReadonlyMap<string, readonly string[]>,
  judgements: Judgements,
  measures: readonly AskedMeasure[],
  allJudged = false,
): Measured {
  const queries = [...judgements.keys()].filter((query) => allJudged || run.has(query));
  const judged = queries.map((query) => judge(run.get(query) ?? [], judgements.get(query)!));
  const values = new Map(measures.map(({ name, of }) => [name, Float64Array.from(judged, of)]));
  return { queries, values, means: new Map(Array.from(values, ([name, all]) => [name, meanOf(all)])) };
}

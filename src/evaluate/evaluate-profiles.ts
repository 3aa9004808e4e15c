import { ABORT_SIGNAL, ANYTHING, checkOptions, FUNCTION, LIST, type OptionTypes } from '../diagnostics/index.js';
import type { Pipeline, Ranking } from '../index.js';
import { checkQueries } from './check-queries.js';
import type { JudgedQuery } from './judged-query.js';
import type { JudgedRanking } from './judged-ranking.js';
import { meanOf } from './mean.js';
import { type AskedMeasure, parseMeasure } from './measures/parse-measure.js';

export interface EvaluateOptions {
  /** Such as `nDCG@10`, `RR`, `P@5`: the names of `MEASURES`, each with a cut or without. */
  readonly measures: readonly string[];
  /** The least grade that is relevant, for measures that know two classes only. 1 when not given. */
  readonly relevantFrom?: number;
  readonly abort?: AbortSignal;
  /** Called when a query has been ranked by all profiles. */
  readonly progress?: (done: number, of: number) => void;
}

/** What the measures say of one profile. */
export interface ProfileValues {
  readonly profile: string;
  /** By measure, by query in their order. */
  readonly values: ReadonlyMap<string, Float64Array>;
  /** By measure: the mean over the queries. */
  readonly means: ReadonlyMap<string, number>;
}

/** What was measured. */
export interface Evaluation {
  /** As the table of measures has them: `nDCG@10`. */
  readonly measures: readonly string[];
  /** The ids of the queries. */
  readonly queries: readonly string[];
  /** By query: its group, where the queries have one. */
  readonly groups: readonly string[] | undefined;
  readonly profiles: readonly ProfileValues[];
}

/**
 * Ranks every query by every profile and measures the rankings. Each query is ranked for itself, so that scorers which
 * compare candidates see those of one query only. No memory is updated. A refused candidate is not found.
 *
 * @param profiles pipelines by the names that they shall have
 * @throws AssizeError where a measure is not known (ASZ605) or the judgements of a query are malformed (ASZ606), and what
 *   `rank` throws
 */
export async function evaluateProfiles<T>(
  profiles: Readonly<Record<string, Pipeline<T>>>,
  queries: Iterable<JudgedQuery<T>>,
  options: EvaluateOptions,
): Promise<Evaluation> {
  checkOptions('evaluateProfiles', options, OPTIONS);
  const measures = options.measures.map((name) => parseMeasure(name, options.relevantFrom));
  const all = checkQueries(queries);
  const entries = Object.entries(profiles);
  const measured = entries.map(() => measures.map(() => new Float64Array(all.length)));
  for (const [q, query] of all.entries()) {
    for (const [p, [, pipeline]] of entries.entries()) {
      // oxlint-disable-next-line no-await-in-loop -- a query at a time: more at once would only wait for one another
      const judged = await judgedRanking(pipeline, query, options.abort);
      for (const [m, { of }] of measures.entries()) measured[p]![m]![q] = of(judged);
    }
    options.progress?.(q + 1, all.length);
  }
  return {
    measures: measures.map(({ name }) => name),
    queries: all.map(({ id }) => id),
    groups: all.some(({ group }) => group !== undefined) ? all.map(({ group, id }) => group ?? id) : undefined,
    profiles: entries.map(([profile], p) => profileValues(profile, measures, measured[p]!)),
  };
}

const OPTIONS: OptionTypes = {
  measures: LIST,
  relevantFrom: ANYTHING,
  abort: ABORT_SIGNAL,
  progress: FUNCTION,
};

async function judgedRanking<T>(
  pipeline: Pipeline<T>,
  query: JudgedQuery<T>,
  abort: AbortSignal | undefined,
): Promise<JudgedRanking> {
  const { candidates, context, grades, missing = [] } = query;
  const ranking: Ranking<T> = await pipeline.rank(candidates, context, { learn: false, ...(abort && { abort }) });
  const judgements = grades.filter((grade) => grade !== undefined);
  return { grades: ranking.ranked.map(({ index }) => grades[index]), judgements: [...judgements, ...missing] };
}

function profileValues(
  profile: string,
  measures: readonly AskedMeasure[],
  measured: readonly Float64Array[],
): ProfileValues {
  const values = new Map(measures.map(({ name }, m) => [name, measured[m]!]));
  return { profile, values, means: new Map(Array.from(values, ([name, one]) => [name, meanOf(one)])) };
}

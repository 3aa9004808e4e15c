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
  /** Called with each ranking, as to write it to a file. */
  readonly onRanking?: (profile: string, query: string, ranking: Ranking<unknown>) => void;
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
  checkOptions('evaluateProfiles', options, EVALUATE_OPTIONS);
  const measures = options.measures.map((name) => parseMeasure(name, options.relevantFrom));
  const all = checkQueries(queries);
  const entries = Object.entries(profiles);
  const measured = entries.map(() => measures.map(() => new Float64Array(all.length)));
  for (const [q, query] of all.entries()) {
    for (const [p, [profile, pipeline]] of entries.entries()) {
      // oxlint-disable-next-line no-await-in-loop -- a query at a time: more at once would only wait for one another
      const ranking = await rankQuery(pipeline, query, options);
      options.onRanking?.(profile, query.id, ranking);
      const judged = judgedRanking(ranking, query);
      for (const [m, { of }] of measures.entries()) measured[p]![m]![q] = of(judged);
    }
    options.progress?.(q + 1, all.length);
  }
  return toEvaluation(
    entries.map(([profile]) => profile),
    all,
    measures,
    measured,
  );
}

/** @param measured by profile, by measure, by query */
export const toEvaluation = (
  profiles: readonly string[],
  queries: readonly JudgedQuery[],
  measures: readonly AskedMeasure[],
  measured: readonly (readonly Float64Array[])[],
): Evaluation => ({
  measures: measures.map(({ name }) => name),
  queries: queries.map(({ id }) => id),
  groups: queries.some(({ group }) => group !== undefined) ? queries.map(({ group, id }) => group ?? id) : undefined,
  profiles: profiles.map((profile, p) => profileValues(profile, measures, measured[p]!)),
});

/** The types of `EvaluateOptions`. */
export const EVALUATE_OPTIONS: OptionTypes = {
  measures: LIST,
  relevantFrom: ANYTHING,
  abort: ABORT_SIGNAL,
  progress: FUNCTION,
  onRanking: FUNCTION,
};

/** Ranks the candidates of one query, without teaching any memory. */
export const rankQuery = <T>(
  pipeline: Pipeline<T>,
  { candidates, context }: JudgedQuery<T>,
  { abort, prune = true }: { readonly abort?: AbortSignal; readonly prune?: boolean } = {},
): Promise<Ranking<T>> => pipeline.rank(candidates, context, { learn: false, prune, ...(abort && { abort }) });

/** A query's ranking as measures read it. */
export function judgedRanking(
  { ranked }: Pick<Ranking<unknown>, 'ranked'>,
  { grades, missing = [] }: Pick<JudgedQuery, 'grades' | 'missing'>,
): JudgedRanking {
  const judgements = grades.filter((grade) => grade !== undefined);
  return { grades: ranked.map(({ index }) => grades[index]), judgements: [...judgements, ...missing] };
}

function profileValues(
  profile: string,
  measures: readonly AskedMeasure[],
  measured: readonly Float64Array[],
): ProfileValues {
  const values = new Map(measures.map(({ name }, m) => [name, measured[m]!]));
  return { profile, values, means: new Map(Array.from(values, ([name, one]) => [name, meanOf(one)])) };
}

import type { Pipeline, Progress, Ranking } from 'assize';
import { checkOptions } from 'assize/internal';
import { checkQueries, type JudgedQuery } from './judged-query.js';
import { doTiesDecide, type JudgedRanking, judgedShare } from './measures/ranking-measures.js';
import { meanOf, seededRandom } from './significance/distributions.js';
import { type AskedMeasure, parseMeasure } from './measures/measures.js';

export interface EvaluateOptions {
  /** Such as `nDCG@10`, `RR`, `P@5`: the names of `MEASURES`, each with a cut or without. */
  readonly measures: readonly string[];
  /** The lowest relevant grade, for binary measures. Default: 1. */
  readonly relevantFrom?: number;
  readonly signal?: AbortSignal;
  /** Called when a query has been ranked by all profiles. */
  readonly progress?: Progress;
  /** Called with each ranking, for example to write it to a file. */
  readonly onRanking?: (profile: string, query: string, ranking: Ranking<unknown>) => void;
  /**
   * How ties are measured: by the mean over all orders of the tied candidates (`expected`, the default), or by one order
   * that a seed draws (see `drawnOrder`), so that other tools measure the same order.
   */
  readonly ties?: 'expected' | DrawnTies | undefined;
}

/** Measures one order of tied candidates, drawn by a seed. */
export interface DrawnTies {
  readonly seed: number;
}

/** The values of the measures for one profile. */
export interface ProfileValues {
  readonly profile: string;
  /** By measure, then by query, in the order of the queries. */
  readonly values: Readonly<Record<string, Float64Array>>;
  /** By measure: the mean over the queries. */
  readonly means: Readonly<Record<string, number>>;
  /**
   * By measure, then by query: the share of judged candidates within the cut of the measure (Judged@k). NaN if nothing is
   * ranked. A measure without a cut reads all ranks.
   */
  readonly judged?: Readonly<Record<string, Float64Array>>;
  /** By measure: the number of queries in which tied candidates within the cut have different grades. */
  readonly tied?: Readonly<Record<string, number>>;
}

/** The result of `evaluateProfiles`. */
export interface Evaluation {
  /** Normalized names: `nDCG@10`. */
  readonly measures: readonly string[];
  /** The ids of the queries. */
  readonly queries: readonly string[];
  /** The group of each query; undefined if the queries have no groups. */
  readonly groups: readonly string[] | undefined;
  readonly profiles: readonly ProfileValues[];
}

/**
 * Ranks every query with every profile and measures the rankings. Each query is ranked separately, so scorers that
 * compare candidates see the candidates of one query only. Memories are not updated. A refused candidate counts as not
 * retrieved.
 *
 * @param profiles the pipelines by name
 * @throws AssizeError if a measure is unknown (ASZ605) or the judgements of a query are malformed (ASZ606); also throws
 *   the errors of `rank`
 */
export async function evaluatePipelines<T>(
  profiles: Readonly<Record<string, Pipeline<T>>>,
  queries: Iterable<JudgedQuery<T>>,
  options: EvaluateOptions,
): Promise<Evaluation> {
  checkOptions('evaluateProfiles', options, EVALUATE_OPTIONS);
  const measures = options.measures.map((name) => parseMeasure(name, options.relevantFrom));
  const all = checkQueries(queries);
  const entries = Object.entries(profiles);
  const measured = entries.map(() => all.map((): JudgedRanking => NOTHING_RANKED));
  for (const [q, query] of all.entries()) {
    for (const [p, [profile, pipeline]] of entries.entries()) {
      // oxlint-disable-next-line no-await-in-loop -- a query at a time: more at once would only wait for one another
      const ranking = await rankQuery(pipeline, query, options);
      options.onRanking?.(profile, query.id, ranking);
      measured[p]![q] = judgedRanking(ranking, query, options.ties);
    }
    options.progress?.({ task: 'ranking', unit: 'queries', done: q + 1, total: all.length });
  }
  return toEvaluation(
    entries.map(([profile]) => profile),
    all,
    measures,
    measured,
  );
}

const NOTHING_RANKED: JudgedRanking = { grades: [], judgements: [] };

/** @param measured by profile, by query */
export const toEvaluation = (
  profiles: readonly string[],
  queries: readonly JudgedQuery[],
  measures: readonly AskedMeasure[],
  measured: readonly (readonly JudgedRanking[])[],
): Evaluation => ({
  measures: measures.map(({ name }) => name),
  queries: queries.map(({ id }) => id),
  groups: queries.some(({ group }) => group !== undefined) ? queries.map(({ group, id }) => group ?? id) : undefined,
  profiles: profiles.map((profile, p) => profileValues(profile, measures, measured[p]!)),
});

/** The types of `EvaluateOptions`. */
export const EVALUATE_OPTIONS = {
  measures: 'list',
  relevantFrom: 'anything',
  signal: 'signal',
  progress: 'function',
  onRanking: 'function',
  ties: 'anything',
} as const;

/** Ranks the candidates of one query without updating memories. */
export const rankQuery = <T>(
  pipeline: Pipeline<T>,
  { candidates, context }: JudgedQuery<T>,
  { signal, prune = true }: { readonly signal?: AbortSignal; readonly prune?: boolean } = {},
): Promise<Ranking<T>> => pipeline.rank(candidates, context, { updateMemory: false, prune, ...(signal && { signal }) });

/** Converts a ranking to the input of the measures. */
export function judgedRanking(
  ranking: Pick<Ranking<unknown>, 'ranked' | 'tieSizes'>,
  { id, grades, missing = [] }: Pick<JudgedQuery, 'id' | 'grades' | 'missing'>,
  ties: EvaluateOptions['ties'] = 'expected',
): JudgedRanking {
  const isExpected = ties === 'expected';
  const rows = isExpected ? ranking.ranked : drawnOrder(ranking, ties.seed, id);
  const hasTies = isExpected && ranking.tieSizes.length < rows.length;
  const judgements = grades.filter((grade) => grade !== undefined);
  return {
    grades: rows.map(({ index }) => grades[index]),
    judgements: [...judgements, ...missing],
    ...(hasTies && { ties: ranking.tieSizes }),
  };
}

/**
 * The rows of a ranking, best first. Rows that only their input position orders are shuffled by a seed. The shuffled order
 * of the same candidates is equal in all rankings of a query, so it does not create differences between profiles.
 */
export function drawnOrder<T extends { readonly index: number }>(
  { ranked, tieSizes }: { readonly ranked: readonly T[]; readonly tieSizes: ArrayLike<number> },
  seed: number,
  query: string,
): readonly T[] {
  const last = ranked.reduce((most, { index }) => Math.max(most, index), -1);
  const random = seededRandom(hashOf(`${seed} ${query}`));
  const priorities = Float64Array.from({ length: last + 1 }, random);
  const groups = Array.from(tieSizes).flatMap((size, group) => Array.from({ length: size }, () => group));
  return Array.from(ranked.entries())
    .toSorted(([a, one], [b, other]) => groups[a]! - groups[b]! || priorities[one.index]! - priorities[other.index]!)
    .map(([, row]) => row);
}

/** FNV-1a of 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let k = 0; k < text.length; k++) hash = Math.imul(hash ^ text.charCodeAt(k), 0x01000193);
  return hash >>> 0;
}

function profileValues(
  profile: string,
  measures: readonly AskedMeasure[],
  rankings: readonly JudgedRanking[],
): ProfileValues {
  const byMeasure = <V>(of: (measure: AskedMeasure) => V): Readonly<Record<string, V>> =>
    Object.fromEntries(measures.map((measure) => [measure.name, of(measure)]));
  const values = byMeasure(({ of }) => Float64Array.from(rankings, of));
  return {
    profile,
    values,
    means: Object.fromEntries(Object.entries(values).map(([name, one]) => [name, meanOf(one)])),
    judged: byMeasure(({ cut }) => Float64Array.from(rankings, (ranking) => judgedShare(ranking, cut))),
    tied: byMeasure(({ cut }) => rankings.filter((ranking) => doTiesDecide(ranking, cut)).length),
  };
}

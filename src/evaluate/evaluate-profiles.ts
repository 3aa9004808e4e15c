import { ABORT_SIGNAL, ANYTHING, checkOptions, FUNCTION, LIST, type OptionTypes } from '../diagnostics/index.js';
import type { Pipeline, Ranking } from '../index.js';
import { checkQueries, type JudgedQuery } from './judged-query.js';
import { doTiesDecide, type JudgedRanking, judgedShare } from './measures/ranking-measures.js';
import { meanOf, seededRandom } from './significance/distributions.js';
import { type AskedMeasure, parseMeasure } from './measures/measures.js';

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
  /**
   * What a value is where candidates are tied: the mean over all their orders (`expected`, when not given), or the value of
   * the one order that a seed draws, as `drawnOrder` gives it, for a file that others measure too.
   */
  readonly ties?: 'expected' | DrawnTies | undefined;
}

/** One order of the tied, by a seed. */
export interface DrawnTies {
  readonly seed: number;
}

/** What the measures say of one profile. */
export interface ProfileValues {
  readonly profile: string;
  /** By measure, by query in their order. */
  readonly values: ReadonlyMap<string, Float64Array>;
  /** By measure: the mean over the queries. */
  readonly means: ReadonlyMap<string, number>;
  /**
   * By measure, by query: the share of the ranks that it reads which are judged (Judged@k), NaN where nothing is ranked. All
   * ranks of a measure without a cut.
   */
  readonly judged?: ReadonlyMap<string, Float64Array>;
  /** By measure: in how many queries tied candidates of different grades are within its cut, so that their order decides. */
  readonly tied?: ReadonlyMap<string, number>;
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
  const measured = entries.map(() => all.map((): JudgedRanking => NOTHING_RANKED));
  for (const [q, query] of all.entries()) {
    for (const [p, [profile, pipeline]] of entries.entries()) {
      // oxlint-disable-next-line no-await-in-loop -- a query at a time: more at once would only wait for one another
      const ranking = await rankQuery(pipeline, query, options);
      options.onRanking?.(profile, query.id, ranking);
      measured[p]![q] = judgedRanking(ranking, query, options.ties);
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
export const EVALUATE_OPTIONS: OptionTypes = {
  measures: LIST,
  relevantFrom: ANYTHING,
  abort: ABORT_SIGNAL,
  progress: FUNCTION,
  onRanking: FUNCTION,
  ties: ANYTHING,
};

/** Ranks the candidates of one query, without teaching any memory. */
export const rankQuery = <T>(
  pipeline: Pipeline<T>,
  { candidates, context }: JudgedQuery<T>,
  { abort, prune = true }: { readonly abort?: AbortSignal; readonly prune?: boolean } = {},
): Promise<Ranking<T>> => pipeline.rank(candidates, context, { learn: false, prune, ...(abort && { abort }) });

/** A query's ranking as measures read it. */
export function judgedRanking(
  ranking: Pick<Ranking<unknown>, 'ranked' | 'tieSizes'>,
  { id, grades, missing = [] }: Pick<JudgedQuery, 'id' | 'grades' | 'missing'>,
  ties: EvaluateOptions['ties'] = 'expected',
): JudgedRanking {
  const isExpected = ties === 'expected';
  const rows = isExpected ? ranking.ranked : drawnOrder(ranking, ties.seed, id);
  const judgements = grades.filter((grade) => grade !== undefined);
  return {
    grades: rows.map(({ index }) => grades[index]),
    judgements: [...judgements, ...missing],
    ...(isExpected && { ties: ranking.tieSizes }),
  };
}

/**
 * The rows of a ranking, best first, those that only their position in the input orders in an order that a seed draws. It
 * is the same order of the same candidates in every ranking of a query, so that it does not tell two profiles apart.
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
  const byMeasure = <V>(of: (measure: AskedMeasure) => V): ReadonlyMap<string, V> =>
    new Map(measures.map((measure) => [measure.name, of(measure)]));
  const values = byMeasure(({ of }) => Float64Array.from(rankings, of));
  return {
    profile,
    values,
    means: new Map(Array.from(values, ([name, one]) => [name, meanOf(one)])),
    judged: byMeasure(({ cut }) => Float64Array.from(rankings, (ranking) => judgedShare(ranking, cut))),
    tied: byMeasure(({ cut }) => rankings.filter((ranking) => doTiesDecide(ranking, cut)).length),
  };
}

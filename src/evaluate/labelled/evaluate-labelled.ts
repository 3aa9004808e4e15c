import { ABORT_SIGNAL, ANYTHING, checkOptions, FUNCTION, LIST, type OptionTypes } from '../../diagnostics/index.js';
import type { Pipeline, Ranking } from '../../index.js';
import { checkQueries } from '../check-queries.js';
import { rankQuery } from '../evaluate-profiles.js';
import type { JudgedQuery } from '../judged-query.js';
import { LABELLED_MEASURES, type LabelledMeasureName, parseLabelledMeasure } from './labelled-measures.js';

export interface EvaluateLabelledOptions {
  /** Some of `AUC`, `AP`, `tau` and `rho`. */
  readonly measures: readonly string[];
  /** The least grade of the positive class. 1 when not given. */
  readonly relevantFrom?: number | undefined;
  readonly abort?: AbortSignal;
  /** Called with each ranking. */
  readonly onRanking?: (profile: string, query: string, ranking: Ranking<unknown>) => void;
}

/** What measures of scores and labels say of profiles. */
export interface LabelledEvaluation {
  readonly measures: readonly LabelledMeasureName[];
  /** By judged candidate. */
  readonly grades: readonly number[];
  readonly groups: readonly string[] | undefined;
  readonly relevantFrom: number;
  readonly profiles: readonly LabelledProfile[];
}

export interface LabelledProfile {
  readonly profile: string;
  /** By judged candidate: its score; −∞ where it is refused. */
  readonly scores: readonly number[];
  readonly values: ReadonlyMap<string, number>;
}

/** The types of `EvaluateLabelledOptions`. */
export const LABELLED_OPTIONS: OptionTypes = {
  measures: LIST,
  relevantFrom: ANYTHING,
  abort: ABORT_SIGNAL,
  onRanking: FUNCTION,
};

/**
 * Scores all candidates by every profile, and measures how scores and grades go together, whatever query the candidates
 * are of. Those of one query are scored together. A refused candidate stands below all others; one that was not judged
 * does not count.
 *
 * @throws AssizeError where a measure is not known (ASZ605), and as `evaluateProfiles` does
 */
export async function evaluateLabelled<T>(
  profiles: Readonly<Record<string, Pipeline<T>>>,
  queries: Iterable<JudgedQuery<T>>,
  options: EvaluateLabelledOptions,
): Promise<LabelledEvaluation> {
  checkOptions('evaluateLabelled', options, LABELLED_OPTIONS);
  const all = checkQueries(queries);
  const scored: ScoredProfile[] = [];
  for (const [profile, pipeline] of Object.entries(profiles)) {
    const scores: number[] = [];
    for (const query of all) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      const ranking = await rankQuery(pipeline, query, {
        prune: false,
        ...(options.abort && { abort: options.abort }),
      });
      options.onRanking?.(profile, query.id, ranking);
      for (const score of judgedScores(ranking, query)) scores.push(score);
    }
    scored.push({ profile, scores });
  }
  return toLabelledEvaluation(scored, all, options);
}

/** What a profile gave each judged candidate. */
export type ScoredProfile = Pick<LabelledProfile, 'profile' | 'scores'>;

/** Measures scores that are there. */
export function toLabelledEvaluation(
  scored: readonly ScoredProfile[],
  queries: readonly JudgedQuery[],
  { measures: names, relevantFrom = 1 }: EvaluateLabelledOptions,
): LabelledEvaluation {
  const measures = names.map(parseLabelledMeasure);
  const judged = queries.flatMap((query) =>
    query.grades.flatMap((grade, k) => {
      const group = query.candidateGroups?.[k] ?? query.group;
      return grade === undefined ? [] : [{ grade, group }];
    }),
  );
  const grades = judged.map(({ grade }) => grade);
  const grouped = judged.every(({ group }) => group !== undefined);
  return {
    measures,
    grades,
    groups: grouped ? judged.map(({ group }) => group ?? '') : undefined,
    relevantFrom,
    profiles: scored.map(({ profile, scores }) => {
      const values = measures.map(
        (name) => [name, LABELLED_MEASURES[name].of(scores, grades, relevantFrom)()] as const,
      );
      return { profile, scores, values: new Map(values) };
    }),
  };
}

/** The scores of the judged candidates of a query; −∞ of one that is refused. */
export function judgedScores(
  { ranked }: Pick<Ranking<unknown>, 'ranked'>,
  { candidates, grades }: JudgedQuery,
): readonly number[] {
  const scores = new Float64Array(candidates.length).fill(Number.NEGATIVE_INFINITY);
  for (const { index, score } of ranked) scores[index] = score;
  return grades.flatMap((grade, k) => (grade === undefined ? [] : [scores[k]!]));
}

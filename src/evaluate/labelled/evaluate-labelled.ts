import { ABORT_SIGNAL, ANYTHING, checkOptions, LIST, type OptionTypes } from '../../diagnostics/index.js';
import type { Pipeline } from '../../index.js';
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

const OPTIONS: OptionTypes = { measures: LIST, relevantFrom: ANYTHING, abort: ABORT_SIGNAL };

/**
 * Scores all candidates by every profile, and measures how scores and grades go together, whatever query the candidates
 * are of. Those of one query are scored together. A refused candidate stands below all others; one that nobody judged
 * does not count.
 *
 * @throws AssizeError where a measure is not known (ASZ605), and as `evaluateProfiles` does
 */
export async function evaluateLabelled<T>(
  profiles: Readonly<Record<string, Pipeline<T>>>,
  queries: Iterable<JudgedQuery<T>>,
  options: EvaluateLabelledOptions,
): Promise<LabelledEvaluation> {
  checkOptions('evaluateLabelled', options, OPTIONS);
  const { relevantFrom = 1, abort } = options;
  const measures = options.measures.map(parseLabelledMeasure);
  const all = checkQueries(queries);
  const judged = all.flatMap((query) =>
    query.grades.flatMap((grade, k) => {
      const group = query.candidateGroups?.[k] ?? query.group;
      return grade === undefined || grade < 0 ? [] : [{ grade, group }];
    }),
  );
  const grades = judged.map(({ grade }) => grade);
  const evaluated: LabelledProfile[] = [];
  for (const [profile, pipeline] of Object.entries(profiles)) {
    const scores: number[] = [];
    // oxlint-disable-next-line no-await-in-loop -- one after another
    for (const query of all) scores.push(...(await judgedScores(pipeline, query, abort)));
    const values = measures.map((name) => [name, LABELLED_MEASURES[name].of(scores, grades, relevantFrom)] as const);
    evaluated.push({ profile, scores, values: new Map(values) });
  }
  const grouped = judged.every(({ group }) => group !== undefined);
  return {
    measures,
    grades,
    groups: grouped ? judged.map(({ group }) => group ?? '') : undefined,
    relevantFrom,
    profiles: evaluated,
  };
}

async function judgedScores<T>(
  pipeline: Pipeline<T>,
  query: JudgedQuery<T>,
  abort: AbortSignal | undefined,
): Promise<readonly number[]> {
  const ranking = await rankQuery(pipeline, query, { prune: false, ...(abort && { abort }) });
  const scores = new Float64Array(query.candidates.length).fill(Number.NEGATIVE_INFINITY);
  for (const { index, score } of ranking.ranked) scores[index] = score;
  return query.grades.flatMap((grade, k) => (grade === undefined || grade < 0 ? [] : [scores[k]!]));
}

import type { Pipeline, ProfileOrPipeline } from 'assize';
import { openPipeline } from 'assize/internal';
import { ablateLabelledPipeline, ablatePipeline, type Ablation } from './ablation.js';
import {
  type EvaluateLabelledOptions,
  evaluateLabelledPipelines,
  type LabelledEvaluation,
} from './evaluate-labelled.js';
import { type EvaluateOptions, evaluatePipelines, type Evaluation } from './evaluate-profiles.js';
import type { JudgeReport } from './judge/judge-report.js';
import type { MeasureJudgesOptions } from './judge/measure-judges.js';
import type { JudgedQuery } from './judged-query.js';

/** Profiles or pipelines by name. */
export type NamedProfiles<T> = Readonly<Record<string, ProfileOrPipeline<T>>>;

interface Samples {
  readonly samples?: number | undefined;
}

/** Loads the profiles that are not pipelines yet. */
async function openPipelines<T>(profiles: NamedProfiles<T>): Promise<Readonly<Record<string, Pipeline<T>>>> {
  const open = async ([name, profile]: [string, ProfileOrPipeline<T>]) =>
    [name, await openPipeline<T>(profile)] as const;
  return Object.fromEntries(await Promise.all(Object.entries(profiles).map(open)));
}

/**
 * Ranks every query with every profile and measures the rankings. Each query is ranked separately, so scorers that
 * compare candidates see the candidates of one query only. Memories are not updated. A refused candidate counts as not
 * retrieved.
 *
 * @throws AssizeError if a measure is unknown (ASZ605) or the judgements of a query are malformed (ASZ606); also throws
 *   the errors of `createPipeline` and `rank`
 */
export const evaluateProfiles = async <T>(
  profiles: NamedProfiles<T>,
  queries: Iterable<JudgedQuery<T>>,
  options: EvaluateOptions,
): Promise<Evaluation> => evaluatePipelines(await openPipelines(profiles), queries, options);

/**
 * Scores all candidates with every profile and measures the association of scores and grades over all queries. Candidates
 * of one query are scored together. A refused candidate is below all others; candidates without a grade are ignored.
 *
 * @throws AssizeError as `evaluateProfiles` does
 */
export const evaluateLabelled = async <T>(
  profiles: NamedProfiles<T>,
  queries: Iterable<JudgedQuery<T>>,
  options: EvaluateLabelledOptions,
): Promise<LabelledEvaluation> => evaluateLabelledPipelines(await openPipelines(profiles), queries, options);

/**
 * Removes each scorer, veto and rule of a profile in turn, and all cases of its weights together, and measures the loss.
 * Scores are computed once and reweighted. p-values are adjusted for all parts and measures together.
 *
 * @throws AssizeError as `evaluateProfiles` does
 */
export const ablateProfile = async <T>(
  profile: ProfileOrPipeline<T>,
  queries: Iterable<JudgedQuery<T>>,
  options: Omit<EvaluateOptions, 'onRanking'> & Samples,
): Promise<Ablation> => ablatePipeline(await openPipeline<T>(profile), queries, options);

/**
 * Removes each part of a profile in turn, as `ablateProfile` does, for data without queries.
 *
 * @throws AssizeError as `evaluateLabelled` does
 */
export const ablateLabelled = async <T>(
  profile: ProfileOrPipeline<T>,
  queries: Iterable<JudgedQuery<T>>,
  options: EvaluateLabelledOptions & Samples,
): Promise<Pick<Ablation, 'parts' | 'fixed'>> =>
  ablateLabelledPipeline(await openPipeline<T>(profile), queries, options);

/**
 * Measures the judges of a profile, its entries with `RubricScorer` or `PairwiseRubricScorer`: repeatability, bias by order
 * and length, agreement with human grades, and cost. Caches, budgets and other entries of the profile are not used.
 *
 * ```ts
 * const { judges } = await measureJudges('judged.yaml', queries, { repeats: 3 });
 * ```
 *
 * @param queries candidates with their human grades. Without grades, only the agreement is unknown
 * @throws AssizeError if the profile has no judge (ASZ556) or reads the grade of a further person (ASZ540); also throws the
 *   errors of `createPipeline`. If a model does not answer, that is reported, and nothing is thrown
 */
export async function measureJudges<T extends object>(
  profile: ProfileOrPipeline<T>,
  queries: Iterable<JudgedQuery<T>>,
  options: MeasureJudgesOptions = {},
): Promise<JudgeReport> {
  // Loaded late, because it needs the SDK and its schemas, which nothing else here loads.
  const judges = await import('./judge/measure-judges.js');
  return judges.measureJudges(profile, queries, options);
}

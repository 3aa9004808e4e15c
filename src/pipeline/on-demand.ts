import type { PipelineOptions, ProfileOrPipeline } from './create-pipeline.js';
import type { Pipeline } from './pipeline.js';
import type { ProfileSource } from '../profile/index.js';
import type { RankingDiff, RankingDiffOptions } from '../ranking/index.js';
import type { Context } from '../sdk/index.js';

// A program starts without the engine: the first call loads it. Modules of the core import create-pipeline.ts itself.
const engine = () => import('./create-pipeline.js');

/**
 * Loads a profile and compiles it. The first call loads the engine.
 *
 * @param profile a preset's name, a path (it has a slash, or ends in .yaml, .yml or .json), the profile itself, or the
 *   text of one: `{ yaml, name }`
 * @throws AssizeError with every problem of the profile, each with its file, line and column
 */
export async function createPipelineOnDemand<T = unknown>(
  profile: ProfileSource,
  options: PipelineOptions = {},
): Promise<Pipeline<T>> {
  const { createPipeline } = await engine();
  return createPipeline<T>(profile, options);
}

/**
 * Ranks the same candidates by two profiles with the same `now`, and compares the rankings: the candidates whose rank,
 * selection or refusal differs, and the scorers and rules that moved them. Does not update memories.
 *
 * ```ts
 * const diff = await diffProfiles('knowledgepulse', './team.yaml', traces);
 * console.log(diffText(diff));
 * ```
 *
 * @param options the options of `createPipeline`, for both profiles, and `most`, the maximum number of moves to list
 * @throws AssizeError as `createPipeline` and `rank` do
 */
export async function diffProfilesOnDemand<T extends object>(
  before: ProfileOrPipeline<T>,
  after: ProfileOrPipeline<T>,
  candidates: readonly T[],
  context: Context = {},
  options: PipelineOptions & RankingDiffOptions = {},
): Promise<RankingDiff> {
  const { diffProfiles } = await engine();
  return diffProfiles<T>(before, after, candidates, context, options);
}

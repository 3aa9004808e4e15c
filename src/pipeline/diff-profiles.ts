import { openPipeline, type PipelineOptions } from './create-pipeline.js';
import type { Context } from '../sdk/index.js';
import { diffRankings, type RankingDiff, type RankingDiffOptions } from '../ranking/index.js';
import type { ProfileOrPipeline } from './open-profile.js';

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
export async function diffProfiles<T extends object>(
  before: ProfileOrPipeline<T>,
  after: ProfileOrPipeline<T>,
  candidates: readonly T[],
  context: Context = {},
  { most, ...options }: PipelineOptions & RankingDiffOptions = {},
): Promise<RankingDiff> {
  const [first, second] = await Promise.all([openPipeline<T>(before, options), openPipeline<T>(after, options)]);
  const one = await first.rank(candidates, context, { updateMemory: false });
  const other = await second.rank(candidates, { ...context, now: one.now }, { updateMemory: false });
  return diffRankings(one, other, most === undefined ? {} : { most });
}

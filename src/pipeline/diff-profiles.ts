import { createPipeline, type PipelineOptions } from './create-pipeline.js';
import type { Context } from '../sdk/index.js';
import { diffRankings, type RankingDiff, type RankingDiffOptions } from '../ranking/index.js';
import { Pipeline } from './pipeline.js';
import type { ProfileSource } from '../profile/index.js';

/** A profile, or a compiled one. */
export type ProfileOrPipeline<T> = ProfileSource | Pipeline<T>;

/**
 * Ranks the same candidates by two profiles at the same time, and compares: the candidates whose rank, selection or
 * refusal differs, and the scorers and rules that moved them. No memory is updated.
 *
 * ```ts
 * const diff = await diffProfiles(traces, 'knowledgepulse', './team.yaml');
 * console.log(diffText(diff));
 * ```
 *
 * @param options those of `createPipeline`, for both profiles, and `most`, the number of moves to list
 * @throws AssizeError as `createPipeline` and `rank` do
 */
export async function diffProfiles<T extends object>(
  candidates: readonly T[],
  before: ProfileOrPipeline<T>,
  after: ProfileOrPipeline<T>,
  context: Context = {},
  { most, ...options }: PipelineOptions & RankingDiffOptions = {},
): Promise<RankingDiff> {
  const open = (profile: ProfileOrPipeline<T>): Promise<Pipeline<T>> | Pipeline<T> =>
    profile instanceof Pipeline ? profile : createPipeline<T>(profile, options);
  const [first, second] = await Promise.all([open(before), open(after)]);
  const one = await first.rank(candidates, context, { updateMemory: false });
  const other = await second.rank(candidates, { ...context, now: one.now }, { updateMemory: false });
  return diffRankings(one, other, most === undefined ? {} : { most });
}

import type { Context } from '../contract/index.js';
import { NEVER } from '../engine/limits.js';
import type { Plan } from '../engine/plan.js';
import type { CallBudget } from '../engine/stages/select/types.js';
import { chunksOf } from './chunks.js';
import { rankChunks, streamRequest } from './rank-chunks.js';
import { openStreamRun } from './stream-run.js';
import type { TopRanking } from './top-ranking.js';

/** What the ranking of a stream may be told besides its candidates and its context. */
export interface RankStreamOptions {
  /**
   * How many of the selected are wanted: all where not said. The profile selects as it does, which `counts` tells; of
   * one whose `select` has no `top` this is what bounds the memory.
   */
  readonly top?: number | undefined;
  /** As for `rank`. */
  readonly budget?: CallBudget | undefined;
  /** Stops the run: the promise rejects with its reason. */
  readonly abort?: AbortSignal | undefined;
}

/** Ranks candidates that come one by one. */
export async function rankStream<T>(
  plan: Plan,
  source: AsyncIterable<T> | Iterable<T>,
  context: Context,
  { top, budget, abort = NEVER }: RankStreamOptions,
): Promise<TopRanking<T>> {
  const what = streamRequest(plan, top, budget);
  return rankChunks<T>(await openStreamRun(plan, context, abort), chunksOf(source, abort), what);
}

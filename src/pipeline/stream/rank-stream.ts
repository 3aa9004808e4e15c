import type { Context } from '../../contract/index.js';
import type { CallBudget } from '../../stages/budget.js';
import { NEVER } from '../../stages/limits.js';
import { chunks } from '../chunks.js';
import type { Plan } from '../compile/plan.js';
import { rankParts, wanted } from './rank-parts.js';
import { openRun } from './stream-run.js';
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
  const what = wanted(plan, top, budget);
  return rankParts<T>(await openRun(plan, context, abort), chunks(source, abort), what);
}

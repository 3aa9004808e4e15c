import type { Context } from '../../contract/index.js';
import type { CallBudget } from '../../stages/budget.js';
import { NEVER } from '../../stages/prepare.js';
import { chunks } from '../chunks.js';
import type { Plan } from '../compile.js';
import { budgetOf } from '../run.js';
import { UnseenPaths } from '../warnings/absent-paths.js';
import { boundOf } from './bound.js';
import { censusOf, joined, NOBODY } from './census.js';
import { rankHeld } from './hold.js';
import { type HeldRow, Sieve } from './sieve.js';
import { judgePart, openRun, telling } from './stream-run.js';
import { topOfStream } from './top-of-stream.js';
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

/** A row with its candidate. */
interface HeldCandidate extends HeldRow {
  readonly candidate: unknown;
}

/** Ranks candidates that come one by one, and holds only those that may be selected. */
export async function rankStream<T>(
  plan: Plan,
  source: AsyncIterable<T> | Iterable<T>,
  context: Context,
  { top, budget: own, abort = NEVER }: RankStreamOptions,
): Promise<TopRanking<T>> {
  const sieve = new Sieve<HeldCandidate>(plan, boundOf(plan.profile, top));
  const budget = budgetOf(plan, own);
  const run = await openRun(plan, context, abort);
  const unseen = new UnseenPaths(plan.profile);
  let census = NOBODY;
  const held = await telling(run, [], 0, async () => {
    for await (const candidates of chunks(source, abort)) {
      const offset = census.given;
      const judged = await judgePart(run, candidates, offset);
      unseen.look(candidates);
      sieve.take(judged, offset, (row, position) => ({ ...row, candidate: candidates[position] }));
      census = joined(census, censusOf(plan, judged, offset));
    }
    const candidates = sieve.list().map(({ candidate }) => candidate);
    return rankHeld(run, candidates, budget);
  });
  const places = sieve.list().map(({ index }) => index);
  return topOfStream<T>(plan, { census, held, places, absent: unseen.warnings(), top });
}

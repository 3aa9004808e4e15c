import type { Budget, CallBudget } from '../../stages/budget.js';
import type { Plan } from '../compile/plan.js';
import { budgetOf } from '../run.js';
import { boundOf } from './bound.js';
import { Gathering } from './gathering.js';
import { rankHeld } from './hold.js';
import type { HeldRow } from './sieve.js';
import { type StreamRun, told } from './stream-run.js';
import { topOfStream } from './top-of-stream.js';
import type { TopRanking } from './top-ranking.js';

/** What is wanted of a stream, looked at before any of it is read. */
export interface Wanted {
  /** How many rows are held. */
  readonly count: number;
  /** How many of the selected are asked for; all where not said. */
  readonly top: number | undefined;
  readonly budget: Budget | undefined;
}

/** @throws AssizeError where the profile, or the call, does not bound what is held */
export const wanted = (plan: Plan, top: number | undefined, budget: CallBudget | undefined): Wanted => ({
  count: boundOf(plan.profile, top),
  top,
  budget: budgetOf(plan, budget),
});

/** A row with its candidate. */
interface HeldCandidate<T> extends HeldRow {
  readonly candidate: T;
}

/** Ranks candidates that come part by part, and holds only those that may be selected. */
export async function rankParts<T>(
  run: StreamRun,
  parts: AsyncIterable<readonly T[]>,
  what: Wanted,
  notices: readonly string[] = [],
): Promise<TopRanking<T>> {
  const gathering = new Gathering<HeldCandidate<T>>(run, what.count);
  for await (const candidates of parts) {
    run.abort.throwIfAborted();
    // Written out: what is spread is compared at a tenth of the speed.
    await gathering.take(candidates, ({ total, index, keys }, position) => {
      return { total, index, keys, candidate: candidates[position]! };
    });
  }
  const candidates = gathering.sieve.list().map(({ candidate }) => candidate);
  return rankGathered(run, gathering, candidates, what, notices);
}

/**
 * Ranks what was gathered.
 *
 * @param candidates those that are held, in the order of the stream
 */
export async function rankGathered<T, R extends HeldRow>(
  run: StreamRun,
  { sieve, census, unseen }: Gathering<R>,
  candidates: readonly T[],
  { budget, top }: Wanted,
  notices: readonly string[] = [],
): Promise<TopRanking<T>> {
  const held = await told(run, () => rankHeld(run, candidates, budget));
  const places = sieve.list().map(({ index }) => index);
  return topOfStream<T>(run.plan, { census, held, places, absent: unseen.warnings(), top, notices });
}

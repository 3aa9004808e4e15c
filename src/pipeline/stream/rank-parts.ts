import { budgetOf } from '../run.js';
import type { Budget, CallBudget } from '../../stages/budget.js';
import type { Plan } from '../compile.js';
import { UnseenPaths } from '../warnings/absent-paths.js';
import { boundOf } from './bound.js';
import { censusOf, joined, NOBODY } from './census.js';
import { rankHeld } from './hold.js';
import { type HeldRow, Sieve } from './sieve.js';
import { judgePart, type StreamRun, telling } from './stream-run.js';
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
interface HeldCandidate extends HeldRow {
  readonly candidate: unknown;
}

/** Ranks candidates that come part by part, and holds only those that may be selected. */
export async function rankParts<T>(
  run: StreamRun,
  parts: AsyncIterable<readonly T[]>,
  { count, top, budget }: Wanted,
  notices: readonly string[] = [],
): Promise<TopRanking<T>> {
  const { plan } = run;
  const sieve = new Sieve<HeldCandidate>(plan, count);
  const unseen = new UnseenPaths(plan.profile);
  let census = NOBODY;
  return telling(run, [], 0, async () => {
    for await (const candidates of parts) {
      run.abort.throwIfAborted();
      const offset = census.given;
      const judged = await judgePart(run, candidates, offset);
      unseen.look(candidates);
      sieve.take(judged, offset, (row, position) => ({ ...row, candidate: candidates[position] }));
      census = joined(census, censusOf(plan, judged, offset));
    }
    const rows = sieve.list();
    const candidates = rows.map(({ candidate }) => candidate);
    const places = rows.map(({ index }) => index);
    const held = await rankHeld(run, candidates, budget);
    return topOfStream<T>(plan, { census, held, places, absent: unseen.warnings(), top, notices });
  });
}

import type { Plan } from '../engine/plan.js';
import { budgetOf } from '../engine/start-run.js';
import type { Budget, CallBudget } from '../engine/stages/select/types.js';
import { Collector } from './collector.js';
import { retainedLimit } from './memory-bound.js';
import { rankRetained } from './rank-retained.js';
import { completePart, type StreamRun } from './stream-run.js';
import type { RetainedRow } from './top-k-collector.js';
import { topOfStream } from './top-of-stream.js';
import type { TopRanking } from './top-ranking.js';

/** What is wanted of a stream, looked at before any of it is read. */
export interface StreamRequest {
  /** How many rows are held. */
  readonly count: number;
  /** How many of the selected are asked for; all where not said. */
  readonly top: number | undefined;
  readonly budget: Budget | undefined;
}

/** @throws AssizeError where the profile, or the call, does not bound what is held */
export const streamRequest = (plan: Plan, top: number | undefined, budget: CallBudget | undefined): StreamRequest => ({
  count: retainedLimit(plan.profile, top),
  top,
  budget: budgetOf(plan, budget),
});

/** A row with its candidate. */
interface RetainedCandidate<T> extends RetainedRow {
  readonly candidate: T;
}

/** Ranks candidates that come part by part, and holds only those that may be selected. */
export async function rankChunks<T>(
  run: StreamRun,
  parts: AsyncIterable<readonly T[]>,
  what: StreamRequest,
  notices: readonly string[] = [],
): Promise<TopRanking<T>> {
  const gathering = new Collector<RetainedCandidate<T>>(run, what.count);
  for await (const candidates of parts) {
    run.abort.throwIfAborted();
    // Written out: what is spread is compared at a tenth of the speed.
    await gathering.collect(candidates, ({ total, index, keys }, position) => {
      return { total, index, keys, candidate: candidates[position]! };
    });
  }
  const candidates = gathering.topK.retained().map(({ candidate }) => candidate);
  return rankCollected(run, gathering, candidates, what, notices);
}

/**
 * Ranks what was gathered.
 *
 * @param candidates those that are held, in the order of the stream
 */
export async function rankCollected<T, R extends RetainedRow>(
  run: StreamRun,
  { topK, aggregates, unseen }: Collector<R>,
  candidates: readonly T[],
  { budget, top }: StreamRequest,
  notices: readonly string[] = [],
): Promise<TopRanking<T>> {
  const retained = await completePart(run, () => rankRetained(run, candidates, budget));
  const positions = topK.retained().map(({ index }) => index);
  return topOfStream<T>(run.plan, { aggregates, retained, positions, absentPaths: unseen.warnings(), top, notices });
}

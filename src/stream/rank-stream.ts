import type { Context } from '../contract/index.js';
import {
  type Budget,
  budgetOf,
  type CallBudget,
  chain,
  evaluatePart,
  Failures,
  finish,
  type MaybeAsync,
  NEVER,
  overridePlan,
  type Plan,
  type PlanOverrides,
  type RunResult,
  startPart,
} from '../engine/index.js';
import type { UnseenPaths } from '../ranking/index.js';
import type { Aggregates } from './aggregates.js';
import { chunksOf } from './chunks.js';
import { Collector } from './collector.js';
import { checkBounded, retainedCount } from './memory-bound.js';
import { completePart, openStreamRun, type StreamRun } from './stream-run.js';
import type { RetainedRow, TopKCollector } from './top-k-collector.js';
import { topOfStream } from './top-of-stream.js';
import type { TopRanking } from './top-ranking.js';

/** The options of `rankStream`: weights and limits as for `rank`. A `top`, here or in the profile, bounds the memory. */
export interface RankStreamOptions extends PlanOverrides {
  /** As for `rank`. */
  readonly budget?: CallBudget | undefined;
  /** Stops the run: the promise rejects with its reason. */
  readonly abort?: AbortSignal | undefined;
}

/** Ranks candidates that arrive one by one, in memory for the retained rows and one chunk. */
export async function rankStream<T>(
  compiled: Plan,
  source: AsyncIterable<T> | Iterable<T>,
  context: Context,
  { budget: callBudget, abort = NEVER, ...overrides }: RankStreamOptions,
): Promise<TopRanking<T>> {
  const plan = overridePlan(compiled, overrides);
  checkBounded(plan.profile);
  const budget = budgetOf(plan, callBudget);
  return rankChunks<T>(await openStreamRun(plan, context, abort), chunksOf(source, abort), budget);
}

interface RetainedCandidate<T> extends RetainedRow {
  readonly candidate: T;
}

/** Ranks candidates that arrive in chunks. */
export async function rankChunks<T>(
  run: StreamRun,
  chunks: AsyncIterable<readonly T[]>,
  budget: Budget | undefined,
  notices: readonly string[] = [],
): Promise<TopRanking<T>> {
  const collector = new Collector<RetainedCandidate<T>>(run, retainedCount(run.plan));
  for await (const candidates of chunks) {
    run.abort.throwIfAborted();
    // Written out: the heap compares objects of spread syntax at a tenth of the speed.
    await collector.collect(candidates, ({ total, index, keys }, position) => {
      return { total, index, keys, candidate: candidates[position]! };
    });
  }
  const candidates = collector.topK.retained().map(({ candidate }) => candidate);
  return rankCollected(run, collector, candidates, budget, notices);
}

/** What was collected of a stream. */
export interface CollectedStream<R extends RetainedRow> {
  readonly topK: Pick<TopKCollector<R>, 'retained'>;
  readonly aggregates: Aggregates;
  readonly unseen: Pick<UnseenPaths, 'warnings'>;
}

/**
 * Ranks the retained rows of a collector.
 *
 * @param candidates those of the retained rows, in the order of the stream
 */
export async function rankCollected<T, R extends RetainedRow>(
  run: StreamRun,
  { topK, aggregates, unseen }: CollectedStream<R>,
  candidates: readonly T[],
  budget: Budget | undefined,
  notices: readonly string[] = [],
): Promise<TopRanking<T>> {
  const retained = await completePart(run, () => rankRetained(run, candidates, budget));
  const positions = topK.retained().map(({ index }) => index);
  return topOfStream<T>(run.plan, { aggregates, retained, positions, absentPaths: unseen.warnings(), notices });
}

/**
 * Ranks the retained candidates again, as a set of their own. Their scores are those of the stream, because every entry
 * scores a candidate alone.
 */
function rankRetained(
  run: StreamRun,
  candidates: readonly unknown[],
  budget: Budget | undefined,
): MaybeAsync<RunResult> {
  const part = startPart(run, candidates, new Failures()); // repeated failures are dropped: the stream has counted them
  part.budget = budget;
  return chain(evaluatePart(part), () => {
    part.failures = run.failures;
    return finish(part);
  });
}

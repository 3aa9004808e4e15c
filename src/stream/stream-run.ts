import type { Context } from '../contract/index.js';
import {
  begin,
  checkCandidates,
  checkDatesOf,
  evaluatePart,
  type Evaluation,
  Failures,
  isTask,
  type MaybeAsync,
  NO_SIGNALS,
  type Plan,
  runAsync,
  type RunContext,
  type ScoresOfCandidates,
  RunFailed,
  startPart,
  startRun,
  toRunError,
  traceOf,
} from '../engine/index.js';

/** One run over candidates that arrive in chunks: all see the same time, context and signals. */
export interface StreamRun {
  /** With its limits computed. */
  readonly plan: Plan;
  readonly start: RunContext;
  readonly abort: AbortSignal;
  readonly failures: Failures;
  /** What expensive scorers gave the candidates that are still held: those that are retained are ranked once more. */
  readonly scores?: ScoresOfCandidates | undefined;
}

/** Opens a run: checks the context, and computes the limits and the signals. */
export async function openStreamRun(
  compiled: Plan,
  context: Context,
  abort: AbortSignal,
  failures = new Failures(),
): Promise<StreamRun> {
  const nothing = { candidates: undefined, budget: undefined, overrides: {}, prune: false, knownSignals: NO_SIGNALS };
  const first = startRun(compiled, { ...nothing, context, abort }, [], traceOf(compiled));
  first.failures = failures;
  const run = { plan: first.plan, start: first.context, abort, failures, scores: new WeakMap() };
  await completePart(run, () => begin(first));
  return run;
}

/**
 * Evaluates a chunk.
 *
 * @param offset how many candidates come before it
 * @throws AssizeError that names a candidate by its position in the stream
 */
export function evaluateChunk(run: StreamRun, candidates: readonly unknown[], offset: number): Promise<Evaluation> {
  checkCandidates(candidates, offset);
  checkDatesOf(run.plan.profile, candidates);
  return completePart(run, () => evaluatePart(startPart(run, candidates, run.failures)), candidates, offset);
}

/** Runs a part of a run's work; a failure becomes an AssizeError with the position of its candidate in the stream. */
export async function completePart<R>(
  { plan }: StreamRun,
  work: () => MaybeAsync<R>,
  candidates: readonly unknown[] = [],
  offset = 0,
): Promise<R> {
  try {
    const pending = work();
    return isTask(pending) ? await runAsync(pending) : pending;
  } catch (error) {
    throw error instanceof RunFailed ? toRunError(plan.profile, error, candidates, offset) : error;
  }
}

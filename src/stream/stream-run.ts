import type { Context } from '../contract/index.js';
import { checkCandidates } from '../engine/check-candidates.js';
import { evaluateCandidates } from '../engine/evaluate.js';
import { Failures } from '../engine/failures.js';
import type { Plan } from '../engine/plan.js';
import { type PrepareInput, type RunContext, RunFailed } from '../engine/run-context.js';
import { runFailure } from '../engine/run-failure.js';
import type { Evaluation } from '../engine/run-result.js';
import { readSignals } from '../engine/stages/signals/signals.js';
import { emptyContext, NO_SIGNALS, startContext } from '../engine/start-run.js';
import { isTask, type MaybeAsync, runAsync } from '../engine/task.js';

/** One run over candidates that come part by part: all of them see one time, one context and the same signals. */
export interface StreamRun {
  readonly plan: Plan;
  readonly start: RunContext;
  readonly abort: AbortSignal;
  readonly failures: Failures;
}

/** Opens a run: looks at the context, and computes the signals. */
export async function openStreamRun(
  plan: Plan,
  given: Context,
  abort: AbortSignal,
  failures = new Failures(),
): Promise<StreamRun> {
  const start = startContext(plan.profile, given, plan.clock);
  const run = { plan, start, abort, failures };
  await completePart(run, () =>
    readSignals(plan.signals, plan.phases, plan.current, start, abort, failures, NO_SIGNALS),
  );
  return run;
}

/** What a part is judged with. Reasons are made when they are read, and so each part keeps its own. */
export function prepareInputIn({ start, abort }: StreamRun, candidates: readonly unknown[]): PrepareInput {
  const context = emptyContext(start.now, start.context);
  context.signals = start.signals;
  return { candidates, context, abort, updates: [] };
}

/**
 * Judges a part.
 *
 * @param offset how many candidates came before it
 * @throws AssizeError that names the candidate by its place in the whole
 */
export function evaluateChunk(run: StreamRun, candidates: readonly unknown[], offset: number): Promise<Evaluation> {
  checkCandidates(candidates, offset);
  return completePart(
    run,
    () => evaluateCandidates(run.plan, prepareInputIn(run, candidates), run.failures),
    candidates,
    offset,
  );
}

/** Does a part of a run's work: where it fails, its user is told of it. */
export async function completePart<R>(
  { plan }: StreamRun,
  work: () => MaybeAsync<R>,
  candidates: readonly unknown[] = [],
  offset = 0,
): Promise<R> {
  try {
    const soon = work();
    return isTask(soon) ? await runAsync(soon) : soon;
  } catch (error) {
    throw error instanceof RunFailed ? runFailure(plan.profile, error, candidates, offset) : error;
  }
}

import type { Context } from '../../contract/index.js';
import { checkCandidates } from '../../stages/check-candidates.js';
import { Failures } from '../../stages/failures.js';
import { type Batch, RunFailed, type RunState } from '../../stages/plan.js';
import { readSignals } from '../../stages/signals.js';
import { inTime, isSteps, type Soon } from '../../stages/wait.js';
import type { Plan } from '../compile/plan.js';
import { judge } from '../judge.js';
import type { Judgement } from '../outcome.js';
import { runFailure } from '../run-failure.js';
import { emptyState, noSignals, startState } from '../state.js';

/** One run over candidates that come part by part: all of them see one time, one context and the same signals. */
export interface StreamRun {
  readonly plan: Plan;
  readonly start: RunState;
  readonly abort: AbortSignal;
  readonly failures: Failures;
}

/** Opens a run: looks at the context, and computes the signals. */
export async function openRun(
  plan: Plan,
  given: Context,
  abort: AbortSignal,
  failures = new Failures(),
): Promise<StreamRun> {
  const start = startState(plan.profile, given, plan.clock);
  const run = { plan, start, abort, failures };
  await told(run, () => readSignals(plan.signals, plan.phases, plan.cell, start, abort, failures, noSignals));
  return run;
}

/** What a part is judged with. Reasons are made when they are read, and so each part keeps its own. */
export function batchIn({ start, abort }: StreamRun, candidates: readonly unknown[]): Batch {
  const state = emptyState(start.now, start.context);
  state.signals = start.signals;
  return { candidates, state, abort, learnt: [] };
}

/**
 * Judges a part.
 *
 * @param offset how many candidates came before it
 * @throws AssizeError that names the candidate by its place in the whole
 */
export function judgePart(run: StreamRun, candidates: readonly unknown[], offset: number): Promise<Judgement> {
  checkCandidates(candidates, offset);
  return told(run, () => judge(run.plan, batchIn(run, candidates), run.failures), candidates, offset);
}

/** Does a part of a run's work: where it fails, its user is told of it. */
export async function told<R>(
  { plan }: StreamRun,
  work: () => Soon<R>,
  candidates: readonly unknown[] = [],
  offset = 0,
): Promise<R> {
  try {
    const soon = work();
    return isSteps(soon) ? await inTime(soon) : soon;
  } catch (error) {
    throw error instanceof RunFailed ? runFailure(plan.profile, error, candidates, offset) : error;
  }
}

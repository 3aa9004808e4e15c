import { type Budget, RunState } from '../engine/index.js';
import { emptyContext, NO_SIGNALS } from '../engine/entries.js';
import type { StreamRun } from '../stream/stream-run.js';

/** The state of a run over candidates that are one set: they are evaluated, ranked and selected together. */
export function setState(
  { plan, start, abort, failures }: StreamRun,
  candidates: readonly object[],
  budget: Budget | undefined,
): RunState {
  const { now, context, signals } = start;
  const state = new RunState(plan, {
    context: emptyContext(now, context, signals),
    given: candidates,
    abort,
    knownSignals: NO_SIGNALS,
    callBudget: undefined,
    secondPhase: plan.secondPhase,
    failures,
    updates: [],
  });
  state.setCandidates(candidates);
  state.budget = budget;
  return state;
}

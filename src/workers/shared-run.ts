import type { Context, Signals } from '../contract/index.js';
import type { RunCall } from '../engine/call/call.js';
import { type CountedFailure, Failures } from '../engine/failures.js';
import { NEVER } from '../engine/tasks.js';
import { overridePlan, type PlanOverrides } from '../engine/call/override-plan.js';
import type { Plan } from '../engine/plan.js';
import { copyContext, emptyContext } from '../engine/entries.js';
import type { CallBudget } from '../engine/stages/select/select-plan.js';
import type { StreamRun } from '../stream/stream-run.js';

/** What all who share a run must know of it, besides the profile. Plain data, where the context and the signals are. */
export interface SharedRun {
  /** The call's weights, and the limits of the run as numbers. */
  readonly overrides: PlanOverrides;
  /** The time, context and signals of the run: the same for all, and each signal computed once. */
  readonly now: number;
  readonly context: Context;
  readonly signals: Signals;
  /** What failed before any candidate: a signal that is skipped. */
  readonly failures: readonly CountedFailure[];
}

/** What others must know of an open run. */
export function sharedRunOf({ plan, start, failures }: StreamRun, weights: PlanOverrides['weights']): SharedRun {
  const { now, context, signals } = start;
  const { top, minScore: min_score, offset } = plan.select;
  return { overrides: { weights, top, min_score, offset }, now, context, signals, failures: failures.entries };
}

/** Opens the same run by the same profile elsewhere. */
export function openSharedRun(
  compiled: Plan,
  { overrides, now, context, signals, failures: known }: SharedRun,
  abort: AbortSignal = NEVER,
): StreamRun {
  const start = emptyContext(now, copyContext(context));
  start.signals = Object.freeze(Object.assign(Object.create(null), signals) as Signals);
  const failures = new Failures();
  failures.addAll(known);
  return { plan: overridePlan(compiled, overrides), start, abort, failures };
}

/** The call that ranks candidates as one set, with the time, the context and the signals of a run that is open. */
export function wholeCall(
  { signals: entries }: Plan,
  { overrides, now, context, signals, failures }: SharedRun,
  candidates: readonly object[],
  budget: CallBudget | undefined,
  abort: AbortSignal = NEVER,
): RunCall {
  return {
    method: 'rank',
    candidates,
    context: { ...context, now },
    abort,
    learn: true,
    budget,
    overrides,
    prune: true,
    knownSignals: Object.fromEntries(entries.map(({ id }) => [id, signals[id]])),
    knownFailures: failures,
  };
}

import type { Context, Signals } from '../../sdk/index.js';
import {
  type RunCall,
  overridePlan,
  type PlanOverrides,
  copyContext,
  emptyContext,
  type CountedFailure,
  Failures,
  type Plan,
  type CallBudget,
  NEVER,
} from '../../engine/index.js';
import type { StreamRun } from '../../pipeline/index.js';

/** The state of a run that threads or machines share, besides the profile. Plain data if the context and signals are. */
export interface SharedRun {
  /** The call's weights, and the limits of the run as numbers. */
  readonly overrides: PlanOverrides;
  /** The time, context and signals of the run. Each signal is computed once. */
  readonly now: number;
  readonly context: Context;
  readonly signals: Signals;
  /** Failures before any candidate, such as a skipped signal. */
  readonly failures: readonly CountedFailure[];
}

/** Exports the shared state of an open run. */
export function sharedRunOf({ plan, start, failures }: StreamRun, weights: PlanOverrides['weights']): SharedRun {
  const { now, context, signals } = start;
  const { top, minScore, offset } = plan.select;
  return { overrides: { weights, top, minScore, offset }, now, context, signals, failures: failures.entries };
}

/** Opens the same run elsewhere, with the same profile. */
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

/** The call that ranks candidates as one set, with the time, context and signals of an open run. */
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
    updateMemory: true,
    budget,
    overrides,
    prune: true,
    knownSignals: Object.fromEntries(entries.map(({ id }) => [id, signals[id]])),
    knownFailures: failures,
  };
}

import {
  type CallResult,
  type CompiledProfile,
  executeCall,
  mergeOverrides,
  NEVER,
  type PlanOverrides,
  run,
  runAsync,
  type RunCall,
  type RunResult,
} from '../engine/index.js';
import { type Change, changedEntryIds } from '../profile/index.js';
import { Ranking } from './ranking.js';

/** The ranking of a call. Its `whatIf` runs the call again with a changed profile. */
export const createRanking = <T>(compiled: CompiledProfile, call: RunCall, done: CallResult<RunResult>): Ranking<T> =>
  new Ranking<T>(done.plan, done.result, (change, overrides) =>
    rerunWithChange(compiled, call, done, change, mergeOverrides(call.overrides, overrides)),
  );

/**
 * Runs a call again with a changed profile: the same candidates, the same time, the memories that it began with. Weights
 * that the call said are changes of the profile, too, which the change then changes.
 */
async function rerunWithChange<T>(
  compiled: CompiledProfile,
  { candidates, budget, prune }: RunCall,
  { result, memories }: CallResult<RunResult>,
  change: Change,
  { weights, ...overrides }: PlanOverrides,
): Promise<Ranking<T>> {
  const { plan } = compiled;
  const changed = (weights ? compiled.applyChange({ weights }) : compiled).applyChange(change);
  const ids = changedEntryIds(change);
  changed.plan.units.memories.adopt(plan.units.memories, memories, ids);
  const { now, context, signals } = result.context;
  // Signals before the first changed one are known; those after it may have read it.
  const inOrder = plan.signals.map(({ id }) => id);
  const first = inOrder.findIndex((id) => ids.has(id));
  const unchanged = first < 0 ? inOrder : inOrder.slice(0, first);
  const knownSignals = Object.fromEntries(unchanged.filter((id) => id in signals).map((id) => [id, signals[id]]));
  const again: RunCall = {
    candidates,
    context: { ...context, now },
    abort: NEVER,
    learn: false,
    budget,
    overrides,
    prune,
    knownSignals,
  };
  return createRanking(changed, again, await runAsync(executeCall(changed.plan, again, run)));
}

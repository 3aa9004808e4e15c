import {
  type CallResult,
  type CompiledProfile,
  executeCall,
  NEVER,
  run,
  runAsync,
  type RunCall,
  type RunResult,
} from '../engine/index.js';
import { type Change, changedEntryIds } from '../profile/index.js';
import { Ranking } from './ranking.js';

/** The ranking of a call. Its `whatIf` runs the call again with a changed profile. */
export const createRanking = <T>(compiled: CompiledProfile, call: RunCall, done: CallResult<RunResult>): Ranking<T> =>
  new Ranking<T>(compiled.plan, done.result, (change) => rerunWithChange(compiled, call, done, change));

/** Runs a call again with a changed profile: the same candidates, the same time, the memories that it began with. */
async function rerunWithChange<T>(
  { plan, applyChange }: CompiledProfile,
  { candidates, budget, prune }: RunCall,
  { result, memories }: CallResult<RunResult>,
  change: Change,
): Promise<Ranking<T>> {
  const changed = applyChange(change);
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
    prune,
    knownSignals,
  };
  return createRanking(changed, again, await runAsync(executeCall(changed.plan, again, run)));
}

import { type CallResult, executeCall, type RunCall } from '../engine/call.js';
import type { CompiledProfile } from '../engine/compiled-profile.js';
import { NEVER } from '../engine/limits.js';
import { run } from '../engine/run.js';
import type { RunResult } from '../engine/run-state.js';
import { runAsync } from '../engine/task.js';
import { type Change, changedEntryIds } from '../profile/merge/apply-change.js';
import { Ranking } from './ranking.js';

/** The ranking that a call came to. It can say what would have been, had the profile been otherwise. */
export const createRanking = <T>(
  edition: CompiledProfile,
  call: RunCall,
  answered: CallResult<RunResult>,
): Ranking<T> =>
  new Ranking<T>(edition.plan, answered.result, (change) => rerunWithChange(edition, call, answered, change));

/** The run once more with a change: of the same candidates, at the same time, with the memories that it saw. */
async function rerunWithChange<T>(
  { plan, applyChange }: CompiledProfile,
  { candidates, budget, prune }: RunCall,
  { result, memories }: CallResult<RunResult>,
  change: Change,
): Promise<Ranking<T>> {
  const other = applyChange(change);
  const ids = changedEntryIds(change);
  other.plan.units.memories.adopt(plan.units.memories, memories, ids);
  const { now, context, signals } = result.context;
  // One that comes after a changed signal may have read it.
  const inOrder = plan.signals.map(({ id }) => id);
  const changed = inOrder.findIndex((id) => ids.has(id));
  const same = changed < 0 ? inOrder : inOrder.slice(0, changed);
  const knownSignals = Object.fromEntries(same.filter((id) => id in signals).map((id) => [id, signals[id]]));
  const again: RunCall = {
    candidates,
    context: { ...context, now },
    abort: NEVER,
    learn: false,
    budget,
    prune,
    knownSignals,
  };
  return createRanking(other, again, await runAsync(executeCall(other.plan, again, run)));
}

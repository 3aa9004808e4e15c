import {
  type CallResult,
  type CompiledProfile,
  executeCall,
  mergeOverrides,
  NEVER,
  type Plan,
  type PlanOverrides,
  reusingPlan,
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
 * that the call said are changes of the profile, too, which the change then changes. What the change does not concern is
 * not found out again.
 */
async function rerunWithChange<T>(
  before: CompiledProfile,
  call: RunCall,
  { plan, result, memories }: CallResult<RunResult>,
  change: Change,
  { weights, ...overrides }: PlanOverrides,
): Promise<Ranking<T>> {
  const changed = (weights ? before.applyChange({ weights }) : before).applyChange(change);
  const ids = changedEntryIds(change);
  changed.plan.units.memories.store.leaveFiles();
  changed.plan.units.memories.adopt(before.plan.units.memories, memories, ids);
  const again: RunCall = {
    ...call,
    overrides,
    ...knownBefore(plan, result, ids),
    abort: NEVER,
    learn: false,
    method: 'whatIf',
  };
  const compiled = { ...changed, plan: reusingPlan(changed.plan, { plan, result }, ids) };
  return createRanking(compiled, again, await runAsync(executeCall(compiled.plan, again, run)));
}

/** What stands before the vetoes: the time, the signals before the first that changes, and the candidates. */
function knownBefore(plan: Plan, { context: then, candidates, failures }: RunResult, changed: ReadonlySet<string>) {
  const signals = plan.signals.map(({ id }) => id);
  const first = signals.findIndex((id) => changed.has(id));
  const known = first < 0 ? signals : signals.slice(0, first);
  const areMade = first < 0 && !plan.strategies.some(({ id }) => changed.has(id));
  return {
    context: { ...then.context, now: then.now },
    knownSignals: Object.fromEntries(known.map((id) => [id, then.signals[id]])),
    knownCandidates: areMade ? candidates : undefined,
    knownFailures: failures.entries.filter(
      ({ failure: { entry, stage } }) =>
        (stage === 'signals' && known.includes(entry)) || (stage === 'generate' && areMade),
    ),
  };
}

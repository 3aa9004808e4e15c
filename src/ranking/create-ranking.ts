import { toAssizeError } from '../base/index.js';
import {
  type CallResult,
  executeCall,
  type RunCall,
  reusingPlan,
  type StandIns,
  mergeOverrides,
  type PlanOverrides,
  surelyWaits,
  type CompiledProfile,
  type Plan,
  type RunResult,
  run,
  NEVER,
  runAsync,
  runSync,
} from '../engine/index.js';
import { readersOf, type Change, changedEntryIds } from '../profile/index.js';
import { type FieldRun, Ranking, type Reruns } from './ranking.js';

/** The ranking of a call, which can run the call again. */
export function createRanking<T>(compiled: CompiledProfile, call: RunCall, done: CallResult<RunResult>): Ranking<T> {
  const { overrides: own } = call;
  const reruns: Reruns<T> = {
    whatIf: (change, overrides) => rerunWithChange(compiled, call, done, change, mergeOverrides(own, overrides)),
    withField: (field, index, overrides) =>
      withField<T>(compiled, call, done, { field, index, overrides: mergeOverrides(own, overrides) }),
  };
  return new Ranking<T>(done.plan, done.result, reruns, undefined, done.warnings);
}

/** A profile and a call that repeat a finished call: same candidates, same time, and the memories as before that call. */
interface Rerun {
  readonly compiled: CompiledProfile;
  readonly call: RunCall;
}

/** Weights of the call are applied to the profile first, so that `change` can override them. */
function prepareRerun(
  before: CompiledProfile,
  call: RunCall,
  { plan, result, memories }: CallResult<RunResult>,
  change: Change,
  { weights, ...overrides }: PlanOverrides,
  standIns?: StandIns,
): Rerun {
  const changed = (weights ? before.applyChange({ weights }) : before).applyChange(change);
  const ids = changedEntryIds(change);
  changed.plan.units.memories.store.leaveFiles();
  changed.plan.units.memories.adopt(before.plan.units.memories, memories, ids);
  const again: RunCall = {
    ...call,
    overrides,
    ...knownBefore(plan, result, ids),
    abort: NEVER,
    updateMemory: false,
    method: 'whatIf',
  };
  return {
    compiled: { ...changed, plan: reusingPlan(changed.plan, { plan, result }, ids, standIns) },
    call: again,
  };
}

/** Runs a call again with a changed profile. Reuses everything that the change does not affect. */
async function rerunWithChange<T>(
  before: CompiledProfile,
  call: RunCall,
  done: CallResult<RunResult>,
  change: Change,
  overrides: PlanOverrides,
): Promise<Ranking<T>> {
  const again = prepareRerun(before, call, done, change, overrides);
  return createRanking(again.compiled, again.call, await runAsync(executeCall(again.compiled.plan, again.call, run)));
}

/** The unchanged profile. An empty change is otherwise refused as a mistake. */
const NO_CHANGE: Change = { params: {} };

/** A field of one candidate, and the overrides of the call. */
interface ChangedField {
  readonly field: string;
  readonly index: number;
  readonly overrides: PlanOverrides;
}

/**
 * Returns a function that runs a call again with one field of one candidate changed. Entries that do not read the field
 * are not prepared again. If an asynchronous entry reads the field, returns a text that says so.
 */
function withField<T>(
  before: CompiledProfile,
  call: RunCall,
  done: CallResult<RunResult>,
  { field, index, overrides }: ChangedField,
): FieldRun<T> | string {
  const { profile } = done.plan;
  const readers = new Set(readersOf(profile, field));
  const entries = [...profile.vetoes, ...profile.measures, ...profile.scorers];
  const waiting = entries.find(({ id, use }) => readers.has(id) && surelyWaits(use));
  if (waiting) return `${waiting.id} is asynchronous and would have to be called again`;
  const originals = new WeakMap<object, unknown>();
  const mayRead = (entry: string): boolean => readers.has(entry);
  const again = prepareRerun(before, call, done, NO_CHANGE, overrides, { originals, mayRead });
  const candidates: readonly unknown[] = Array.from(done.result.candidates);
  return (changed) => {
    if (typeof changed === 'object' && changed !== null) originals.set(changed, candidates[index]);
    const trial: RunCall = { ...again.call, candidates: candidates.with(index, changed), knownCandidates: undefined };
    const waits = ({ entry }: { readonly entry: string }): Error =>
      toAssizeError([{ code: 'ASZ516', message: `${entry} is asynchronous and would have to be called again` }]);
    return createRanking(again.compiled, trial, runSync(executeCall(again.compiled.plan, trial, run), waits));
  };
}

/** The reusable state before the vetoes: the time, the signals before the first changed one, and the candidates. */
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

import type { RunMessage, TracedCall } from '../../contract/index.js';
import { describeValue, toAssizeError } from '../../diagnostics/index.js';
import { checkCandidates, checkDatesOf } from '../candidates/check.js';
import type { MemoryUpdates } from '../entries/compiled-unit.js';
import type { Plan } from '../plan.js';
import { RunFailed } from '../failures/run-errors.js';
import { toRunError } from './run-failure.js';
import type { RunState } from '../run-state.js';
import { noteCounts, traceOf } from './follow-run.js';
import type { RunTrace } from '../trace/run-trace.js';
import { traceTask } from '../trace/trace-task.js';
import { type RunInput, startRun } from './start-run.js';
import { chain, isTask, type MaybeAsync, type Task } from '../tasks/task.js';

/** One call of a pipeline. */
export interface RunCall extends RunInput {
  /** The method that was called, for those who follow the run. */
  readonly method: TracedCall;
  /** Whether the profile's memories are updated by it. */
  readonly learn: boolean;
}

/** The result of a call. */
export interface CallResult<R> {
  readonly result: R;
  /** The plan of the run: the profile's, with the overrides of the call. */
  readonly plan: Plan;
  /** The memories by slot, as the run saw them. */
  readonly memories: ReadonlyMap<number, unknown>;
}

/**
 * Runs a call: checks the candidates, reads the memories, does the work, and updates the memories where it succeeded.
 * An abort stops it until the first memory is replaced; from then on the call succeeds. So after an abort no memory has
 * changed, and none will.
 *
 * @param work what is done with the run: `run`, or a part of it
 * @throws AssizeError naming the entry that failed
 */
export function executeCall<R>(
  plan: Plan,
  call: RunCall,
  work: (run: RunState) => MaybeAsync<R>,
): MaybeAsync<CallResult<R>> {
  const trace = traceOf(plan);
  if (!trace) return execute(plan, call, work);
  const message: RunMessage = { profile: plan.profile.name, call: call.method };
  const counted = (run: RunState): MaybeAsync<R> =>
    chain(work(run), (result) => {
      noteCounts(message, run);
      return result;
    });
  return traceTask(plan.tracer, 'run', message, () => execute(plan, call, counted, trace));
}

function execute<R>(
  plan: Plan,
  call: RunCall,
  work: (run: RunState) => MaybeAsync<R>,
  trace?: RunTrace,
): MaybeAsync<CallResult<R>> {
  const { store } = plan.units.memories;
  try {
    checkInput(plan, call.candidates);
    const pending = chain(store.refresh(call.learn), () => {
      const updates: MemoryUpdates = [];
      const memories = store.snapshot;
      const run = startRun(plan, call, updates, trace);
      return chain(work(run), (result): MaybeAsync<CallResult<R>> => {
        const done: CallResult<R> = { result, plan: run.plan, memories };
        if (!call.learn || updates.length === 0) return done;
        call.abort.throwIfAborted(); // an aborted run updates nothing
        return chain(store.update(updates, call.abort), () => done);
      });
    });
    return isTask(pending) ? withRunErrors(plan, call, pending) : pending;
  } catch (error) {
    throw wrapRunError(plan, call, error);
  }
}

function* withRunErrors<R>(plan: Plan, call: RunCall, task: Task<R>): Task<R> {
  try {
    return yield* task;
  } catch (error) {
    throw wrapRunError(plan, call, error);
  }
}

const wrapRunError = ({ profile }: Plan, { candidates }: RunCall, error: unknown): unknown =>
  error instanceof RunFailed ? toRunError(profile, error, candidates) : error;

/** The candidates are a list of objects. An `undefined` from upstream must not look like an empty list. */
function checkInput({ strategies, profile, fusedPass, signals }: Plan, candidates: unknown): void {
  if (Array.isArray(candidates)) {
    checkDatesOf(profile, candidates);
    if (!fusedPass || signals.length > 0) return checkCandidates(candidates);
    return; // The fused loop checks each candidate: a pass of its own would cost as much as a scorer.
  }
  if (candidates === undefined && strategies.length > 0) return;
  const message =
    candidates === undefined
      ? `no candidates were given, and profile ${profile.name} has no strategies to make any`
      : `the candidates are ${describeValue(candidates)}; expected a list of objects`;
  throw toAssizeError([{ code: 'ASZ502', message }]);
}

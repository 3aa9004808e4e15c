import { describeValue } from '../diagnostics/describe-value.js';
import { toAssizeError } from '../diagnostics/to-assize-error.js';
import { checkCandidates } from './check-candidates.js';
import type { Plan } from './plan.js';
import type { RunInput } from './run.js';
import { type MemoryUpdates, RunFailed } from './run-context.js';
import { runFailure } from './run-failure.js';
import { chain, isTask, type MaybeAsync, type Task } from './task.js';

/** One call of a pipeline. */
export interface RunCall extends RunInput {
  /** Whether the profile's memories learn from it. */
  readonly learn: boolean;
}

/** What a call came to. */
export interface CallResult<R> {
  readonly result: R;
  /** The memories by slot, as the run saw them. */
  readonly memories: ReadonlyMap<number, unknown>;
}

/** Work with candidates that puts what units learnt where it is told to. */
export type CallWork<R> = (plan: Plan, call: RunCall, learnt: MemoryUpdates) => MaybeAsync<R>;

/**
 * A run with what surrounds it: what was given is looked at, the memories are up to date, and learn where it succeeds.
 *
 * @throws AssizeError naming the entry that failed
 */
export function executeCall<R>(plan: Plan, call: RunCall, work: CallWork<R>): MaybeAsync<CallResult<R>> {
  const { memories } = plan.units.memories;
  const learnt: MemoryUpdates = [];
  const learn = (): MaybeAsync<void> => {
    if (!call.learn || learnt.length === 0) return undefined;
    call.abort.throwIfAborted(); // what is stopped learns nothing; what is being written is no longer stopped
    return memories.update(learnt);
  };
  try {
    checkInput(plan, call.candidates);
    const soon = chain(memories.refresh(call.learn), () => {
      const seen = memories.snapshot;
      return chain(work(plan, call, learnt), (result) =>
        chain(learn(), (): CallResult<R> => ({ result, memories: seen })),
      );
    });
    return isTask(soon) ? wrapTaskErrors(plan, call, soon) : soon;
  } catch (error) {
    throw wrapRunError(plan, call, error);
  }
}

function* wrapTaskErrors<R>(plan: Plan, call: RunCall, steps: Task<R>): Task<R> {
  try {
    return yield* steps;
  } catch (error) {
    throw wrapRunError(plan, call, error);
  }
}

const wrapRunError = ({ profile }: Plan, { candidates }: RunCall, error: unknown): unknown =>
  error instanceof RunFailed ? runFailure(profile, error, candidates) : error;

/** What was given is a list, and one of objects. An `undefined` from upstream must not look like an empty list. */
function checkInput({ strategies, profile, fusedPass, signals }: Plan, candidates: unknown): void {
  // Where nothing comes before the one loop, that looks at them: a pass of its own costs as much as a scorer.
  if (Array.isArray(candidates)) return fusedPass && signals.length === 0 ? undefined : checkCandidates(candidates);
  if (candidates === undefined && strategies.length > 0) return;
  const message =
    candidates === undefined
      ? `no candidates were given, and profile ${profile.name} has no strategies to make any`
      : `the candidates are ${describeValue(candidates)}; expected a list of objects`;
  throw toAssizeError([{ code: 'ASZ502', message }]);
}

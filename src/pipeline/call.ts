import { failure } from '../document/failure.js';
import { describeValue } from '../expression/describe.js';
import { type Learnt, RunFailed } from '../stages/plan.js';
import { isSteps, type Soon, type Steps } from '../stages/wait.js';
import { checkCandidates } from './check-candidates.js';
import type { Plan } from './compile/plan.js';
import { runFailure } from './run-failure.js';
import type { RunInput } from './run.js';

/** One call of a pipeline. */
export interface Call extends RunInput {
  /** Whether the profile's memories learn from it. */
  readonly learn: boolean;
}

/** What a call came to. */
export interface Answer<R> {
  readonly outcome: R;
  /** The memories by slot, as the run saw them. */
  readonly memories: ReadonlyMap<number, unknown>;
}

/** Work with candidates that puts what units learnt where it is told to. */
export type Work<R> = (plan: Plan, call: Call, learnt: Learnt) => Soon<R>;

/**
 * A run with what surrounds it: what was given is looked at, the memories are up to date, and learn where it succeeds.
 *
 * @throws AssizeError naming the entry that failed
 */
export function* answer<R>(plan: Plan, call: Call, work: Work<R>): Steps<Answer<R>> {
  const { candidates, abort, learn } = call;
  const { memories } = plan.units.remembering;
  const learnt: Learnt = [];
  try {
    checkGiven(plan, candidates);
    if (memories.lasting) yield* memories.refresh(learn);
    const seen = memories.held;
    const soon = work(plan, call, learnt);
    const outcome = isSteps(soon) ? yield* soon : soon;
    if (learn && learnt.length > 0) {
      abort.throwIfAborted(); // what is stopped learns nothing; what is being written is no longer stopped
      yield* memories.keep(learnt);
    }
    return { outcome, memories: seen };
  } catch (error) {
    throw error instanceof RunFailed ? runFailure(plan.profile, error, candidates) : error;
  }
}

/** What was given is a list, and one of objects. An `undefined` from upstream must not look like an empty list. */
function checkGiven({ strategies, profile }: Plan, candidates: unknown): void {
  if (Array.isArray(candidates)) return checkCandidates(candidates);
  if (candidates === undefined && strategies.length > 0) return;
  const message =
    candidates === undefined
      ? `no candidates were given, and profile ${profile.name} has no strategies to make any`
      : `the candidates are ${describeValue(candidates)}; expected a list of objects`;
  throw failure([{ code: 'ASZ502', message }]);
}

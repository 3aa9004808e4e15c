import { failure } from '../document/failure.js';
import { describeValue } from '../expression/describe.js';
import { checkCandidates } from '../stages/check-candidates.js';
import { type Learnt, RunFailed } from '../stages/plan.js';
import { andThen, isSteps, type Soon, type Steps } from '../stages/wait.js';
import type { Plan } from './compile/plan.js';
import type { RunInput } from './run.js';
import { runFailure } from './run-failure.js';

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
export function answer<R>(plan: Plan, call: Call, work: Work<R>): Soon<Answer<R>> {
  const { memories } = plan.units.remembering;
  const learnt: Learnt = [];
  const learn = (): Soon<void> => {
    if (!call.learn || learnt.length === 0) return undefined;
    call.abort.throwIfAborted(); // what is stopped learns nothing; what is being written is no longer stopped
    return memories.keep(learnt);
  };
  try {
    checkGiven(plan, call.candidates);
    const soon = andThen(memories.refresh(call.learn), () => {
      const seen = memories.held;
      return andThen(work(plan, call, learnt), (outcome) =>
        andThen(learn(), (): Answer<R> => ({ outcome, memories: seen })),
      );
    });
    return isSteps(soon) ? told(plan, call, soon) : soon;
  } catch (error) {
    throw asTold(plan, call, error);
  }
}

function* told<R>(plan: Plan, call: Call, steps: Steps<R>): Steps<R> {
  try {
    return yield* steps;
  } catch (error) {
    throw asTold(plan, call, error);
  }
}

const asTold = ({ profile }: Plan, { candidates }: Call, error: unknown): unknown =>
  error instanceof RunFailed ? runFailure(profile, error, candidates) : error;

/** What was given is a list, and one of objects. An `undefined` from upstream must not look like an empty list. */
function checkGiven({ strategies, profile, onePass, signals }: Plan, candidates: unknown): void {
  // Where nothing comes before the one loop, that looks at them: a pass of its own costs as much as a scorer.
  if (Array.isArray(candidates)) return onePass && signals.length === 0 ? undefined : checkCandidates(candidates);
  if (candidates === undefined && strategies.length > 0) return;
  const message =
    candidates === undefined
      ? `no candidates were given, and profile ${profile.name} has no strategies to make any`
      : `the candidates are ${describeValue(candidates)}; expected a list of objects`;
  throw failure([{ code: 'ASZ502', message }]);
}

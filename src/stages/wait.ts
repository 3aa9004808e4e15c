/** Something that a run has to wait for. */
export interface Waiting {
  /** The entry that has it wait, and the stage in which it does. */
  readonly entry: string;
  readonly stage: string;
  /** Fulfilled once it has come to an end, well or not; never rejected. */
  readonly over: Promise<void>;
}

/**
 * Work that may have to wait, written once for both ways to run it: it yields what it waits for, and nothing where it
 * need not. What nobody waits for costs no promise.
 */
export type Steps<R> = Generator<Waiting, R, void>;

/** Does the work, and waits where it waits. */
export async function inTime<R>(steps: Steps<R>): Promise<R> {
  return finished(steps, steps.next());
}

async function finished<R>(steps: Steps<R>, first: IteratorResult<Waiting, R>): Promise<R> {
  let step = first;
  while (!step.done) {
    await step.value.over;
    step = steps.next();
  }
  return step.value;
}

/**
 * Does the work now. Where it would wait it is left: what it has begun is not waited for, and what it has to clear away
 * it clears away.
 *
 * @param mustWait what to throw then
 */
export function atOnce<R>(steps: Steps<R>, mustWait: (waiting: Waiting) => Error): R {
  const { done, value } = steps.next();
  if (done) return value;
  const left: Iterator<Waiting, R, void> = steps;
  left.return?.();
  throw mustWait(value);
}

export const isPromise = <R>(given: R | PromiseLike<R>): given is PromiseLike<R> =>
  ((typeof given === 'object' && given !== null) || typeof given === 'function') &&
  'then' in given &&
  typeof given.then === 'function';

/** Who waits. */
export type Who = Pick<Waiting, 'entry' | 'stage'>;

/** What a promise comes to. */
export function* waitFor<R>({ entry, stage }: Who, promise: PromiseLike<R>): Steps<R> {
  const outcome: { is?: PromiseSettledResult<R> } = {};
  const settled = Promise.allSettled([promise]);
  yield { entry, stage, over: settled.then(([is]) => void (outcome.is = is)) };
  if (outcome.is?.status === 'fulfilled') return outcome.is.value;
  throw outcome.is?.reason;
}

/** Begins all, and waits for those together that have to wait: none needs what another gives. */
export function* together<R>(all: readonly Steps<R>[]): Steps<readonly R[]> {
  const begun = all.map((steps) => ({ steps, step: steps.next() }));
  const waiting = begun.find(({ step }) => !step.done)?.step;
  if (waiting && !waiting.done) {
    return yield* waitFor(waiting.value, Promise.all(begun.map(({ steps, step }) => finished(steps, step))));
  }
  return begun.flatMap(({ step }) => (step.done ? [step.value] : []));
}

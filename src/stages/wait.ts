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

/** What is there at once, or comes in steps: for what most often need not wait, because steps have to be made. */
export type Soon<R> = R | Steps<R>;

/** Whether something comes in steps. Read and not asked with `in`, which is slow where many shapes come by. */
export const isSteps = <R>(soon: Soon<R>): soon is Steps<R> =>
  typeof soon === 'object' && soon !== null && (soon as { readonly next?: unknown }).next !== undefined;

/** Goes on with what is there, or with what the steps come to. */
export const andThen = <A, B>(soon: Soon<A>, next: (given: A) => Soon<B>): Soon<B> =>
  isSteps(soon) ? goingOn(soon, next) : next(soon);

function* goingOn<A, B>(steps: Steps<A>, next: (given: A) => Soon<B>): Steps<B> {
  const soon = next(yield* steps);
  return isSteps(soon) ? yield* soon : soon;
}

/** Does the work, and waits where it waits. */
export async function inTime<R>(soon: Soon<R>): Promise<R> {
  return isSteps(soon) ? finished(soon, soon.next()) : soon;
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
export function atOnce<R>(soon: Soon<R>, mustWait: (waiting: Waiting) => Error): R {
  if (!isSteps(soon)) return soon;
  const { done, value } = soon.next();
  if (done) return value;
  const left: Iterator<Waiting, R, void> = soon;
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

/** What all come to that were begun, waiting for those together that have to wait: none needs what another gives. */
export function together<R>(all: readonly Soon<R>[]): Soon<readonly R[]> {
  return areThere(all) ? all : inSteps(all);
}

function areThere<R>(all: readonly Soon<R>[]): all is readonly R[] {
  for (const one of all) if (isSteps(one)) return false;
  return true;
}

function* inSteps<R>(all: readonly Soon<R>[]): Steps<readonly R[]> {
  const there: R[] = [];
  const over: (R | Promise<R>)[] = [];
  let who: Who | undefined;
  for (const one of all) {
    const step = isSteps(one) ? one.next() : ({ done: true, value: one } as const);
    if (step.done) {
      there.push(step.value);
      over.push(step.value);
    } else if (isSteps(one)) {
      who ??= step.value;
      const later = finished(one, step);
      later.catch(() => {}); // beginning another may throw, and then nobody listens
      over.push(later);
    }
  }
  return who ? yield* waitFor(who, Promise.all(over)) : there;
}

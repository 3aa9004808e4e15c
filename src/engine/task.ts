/** Something that a run has to wait for. */
export interface Pending {
  /** The entry that has it wait, and the stage in which it does. */
  readonly entry: string;
  readonly stage: string;
  /** Fulfilled once it has come to an end, well or not; never rejected. */
  readonly settled: Promise<void>;
}

/**
 * Work that may have to wait, written once for both ways to run it: it yields what it waits for, and nothing where it
 * need not. What nobody waits for costs no promise.
 */
export type Task<R> = Generator<Pending, R, void>;

/** What is there at once, or comes in steps: for what most often need not wait, because steps have to be made. */
export type MaybeAsync<R> = R | Task<R>;

/** Whether something comes in steps. Read and not asked with `in`, which is slow where many shapes come by. */
export const isTask = <R>(soon: MaybeAsync<R>): soon is Task<R> =>
  typeof soon === 'object' && soon !== null && (soon as { readonly next?: unknown }).next !== undefined;

/** Goes on with what is there, or with what the steps come to. */
export const chain = <A, B>(soon: MaybeAsync<A>, next: (given: A) => MaybeAsync<B>): MaybeAsync<B> =>
  isTask(soon) ? chainTask(soon, next) : next(soon);

function* chainTask<A, B>(steps: Task<A>, next: (given: A) => MaybeAsync<B>): Task<B> {
  const soon = next(yield* steps);
  return isTask(soon) ? yield* soon : soon;
}

/** Does the work, and waits where it waits. */
export async function runAsync<R>(soon: MaybeAsync<R>): Promise<R> {
  return isTask(soon) ? drive(soon, soon.next()) : soon;
}

async function drive<R>(steps: Task<R>, first: IteratorResult<Pending, R>): Promise<R> {
  let step = first;
  while (!step.done) {
    await step.value.settled;
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
export function runSync<R>(soon: MaybeAsync<R>, mustWait: (waiting: Pending) => Error): R {
  if (!isTask(soon)) return soon;
  const { done, value } = soon.next();
  if (done) return value;
  const left: Iterator<Pending, R, void> = soon;
  left.return?.();
  throw mustWait(value);
}

export const isPromise = <R>(given: R | PromiseLike<R>): given is PromiseLike<R> =>
  ((typeof given === 'object' && given !== null) || typeof given === 'function') &&
  'then' in given &&
  typeof given.then === 'function';

/** Who waits. */
export type PendingFor = Pick<Pending, 'entry' | 'stage'>;

/** What a promise comes to. */
export function* awaitPromise<R>({ entry, stage }: PendingFor, promise: PromiseLike<R>): Task<R> {
  const outcome: { is?: PromiseSettledResult<R> } = {};
  const settled = Promise.allSettled([promise]);
  yield { entry, stage, settled: settled.then(([is]) => void (outcome.is = is)) };
  if (outcome.is?.status === 'fulfilled') return outcome.is.value;
  throw outcome.is?.reason;
}

/** What all come to that were begun, waiting for those together that have to wait: none needs what another gives. */
export function awaitAll<R>(all: readonly MaybeAsync<R>[]): MaybeAsync<readonly R[]> {
  return areValues(all) ? all : allTasks(all);
}

function areValues<R>(all: readonly MaybeAsync<R>[]): all is readonly R[] {
  for (const one of all) if (isTask(one)) return false;
  return true;
}

function* allTasks<R>(all: readonly MaybeAsync<R>[]): Task<readonly R[]> {
  const there: R[] = [];
  const over: (R | Promise<R>)[] = [];
  let who: PendingFor | undefined;
  for (const one of all) {
    const step = isTask(one) ? one.next() : ({ done: true, value: one } as const);
    if (step.done) {
      there.push(step.value);
      over.push(step.value);
    } else if (isTask(one)) {
      who ??= step.value;
      const later = drive(one, step);
      later.catch(() => {}); // beginning another may throw, and then nobody listens
      over.push(later);
    }
  }
  return who ? yield* awaitPromise(who, Promise.all(over)) : there;
}

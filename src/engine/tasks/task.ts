/** What a task waits for. */
export interface Pending {
  /** The entry that causes the wait, and its stage. */
  readonly entry: string;
  readonly stage: string;
  /** Fulfilled when the promise behind it is settled, either way; never rejected. */
  readonly settled: Promise<void>;
}

/** The entry that a wait is reported for. */
export type PendingFor = Pick<Pending, 'entry' | 'stage'>;

/**
 * Work that may have to wait, written once for `rank` and `rankSync` (as gensync does): a generator that yields what it
 * waits for. Where it need not wait it costs no promise and no turn of the event loop.
 */
export type Task<R> = Generator<Pending, R, void>;

/** A value, or a task that gives it: for work that most often need not wait, because a generator costs more. */
export type MaybeAsync<R> = R | Task<R>;

/** Reads the property: testing with `in` is slow where values have many shapes. */
export const isTask = <R>(result: MaybeAsync<R>): result is Task<R> =>
  typeof result === 'object' && result !== null && (result as { readonly next?: unknown }).next !== undefined;

/** Calls `next` with the value, synchronously where it need not wait. Not called `then`: a module with an export of that name is taken for a promise. */
export const chain = <A, B>(result: MaybeAsync<A>, next: (value: A) => MaybeAsync<B>): MaybeAsync<B> =>
  isTask(result) ? chainTask(result, next) : next(result);

function* chainTask<A, B>(task: Task<A>, next: (value: A) => MaybeAsync<B>): Task<B> {
  const result = next(yield* task);
  return isTask(result) ? yield* result : result;
}

/** Runs a task to its end, awaiting what it waits for. */
export async function runAsync<R>(result: MaybeAsync<R>): Promise<R> {
  return isTask(result) ? drive(result, result.next()) : result;
}

async function drive<R>(task: Task<R>, first: IteratorResult<Pending, R>): Promise<R> {
  let step = first;
  while (!step.done) {
    await step.value.settled;
    step = task.next();
  }
  return step.value;
}

/**
 * Runs a task that must not wait. Where it would, it is abandoned: its `finally` blocks run, and what it has started
 * goes on by itself.
 *
 * @param onWait the error to throw then
 */
export function runSync<R>(result: MaybeAsync<R>, onWait: (pending: Pending) => Error): R {
  if (!isTask(result)) return result;
  const { done, value } = result.next();
  if (done) return value;
  const abandoned: Iterator<Pending, R, void> = result;
  abandoned.return?.();
  throw onWait(value);
}

export const isPromise = <R>(value: R | PromiseLike<R>): value is PromiseLike<R> =>
  ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
  'then' in value &&
  typeof value.then === 'function';

/** The value of a promise; throws what it rejects with. */
export function* awaitPromise<R>({ entry, stage }: PendingFor, promise: PromiseLike<R>): Task<R> {
  const outcome: { is?: PromiseSettledResult<R> } = {}; // a field: TypeScript does not see a closure assign a variable
  const settled = Promise.allSettled([promise]).then(([first]) => void (outcome.is = first));
  yield { entry, stage, settled };
  if (outcome.is?.status === 'fulfilled') return outcome.is.value;
  throw outcome.is?.reason;
}

/**
 * The values of results that were started together, and wait together: none needs what another gives. What follows a wait
 * runs outside the run's context, which units that are prepared enter themselves.
 */
export function awaitAll<R>(results: readonly MaybeAsync<R>[]): MaybeAsync<readonly R[]> {
  return areValues(results) ? results : awaitTasks(results);
}

function areValues<R>(results: readonly MaybeAsync<R>[]): results is readonly R[] {
  for (const one of results) if (isTask(one)) return false;
  return true;
}

function* awaitTasks<R>(results: readonly MaybeAsync<R>[]): Task<readonly R[]> {
  const values: R[] = [];
  const started: (R | Promise<R>)[] = [];
  let first: PendingFor | undefined;
  for (const one of results) {
    const step = isTask(one) ? one.next() : ({ done: true, value: one } as const);
    if (step.done) {
      values.push(step.value);
      started.push(step.value);
    } else if (isTask(one)) {
      first ??= step.value;
      const rest = drive(one, step);
      rest.catch(() => {}); // starting another may throw, and then this is not awaited
      started.push(rest);
    }
  }
  return first ? yield* awaitPromise(first, Promise.all(started)) : values;
}

import { EntryTimedOut, timerMs } from '../sdk/index.js';
import { describeValue } from '../base/index.js';

/** Describes what a task waits for. */
export interface Pending {
  /** The entry that causes the wait, and its stage. */
  readonly entry: string;
  readonly stage: string;
  /** Fulfilled when the awaited promise settles, either way. Never rejects. */
  readonly settled: Promise<void>;
}

/** The entry that a wait is reported for. */
export type PendingFor = Pick<Pending, 'entry' | 'stage'>;

/**
 * Work that may have to wait, written once for `rank` and `rankSync` (as gensync does): a generator that yields what it
 * waits for. If it does not wait, it creates no promise and takes no turn of the event loop.
 */
export type Task<R> = Generator<Pending, R, void>;

/** A value, or a task that returns it. Most work does not wait, and a generator costs more than a value. */
export type MaybeAsync<R> = R | Task<R>;

/** Reads the property, because `in` is slow if values have many shapes. */
export const isTask = <R>(result: MaybeAsync<R>): result is Task<R> =>
  typeof result === 'object' && result !== null && (result as { readonly next?: unknown }).next !== undefined;

/**
 * Calls `next` with the value, synchronously if nothing waits. Not named `then`, because a module with such an export
 * counts as a promise.
 */
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
 * Runs a task that must not wait. If it tries to, it is abandoned: its `finally` blocks run, but operations that it
 * started continue.
 *
 * @param onWait makes the error to throw in this case
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

/** Waits for a promise: returns its value or throws its rejection. */
export function* awaitPromise<R>({ entry, stage }: PendingFor, promise: PromiseLike<R>): Task<R> {
  const outcome: { is?: PromiseSettledResult<R> } = {}; // a field: TypeScript does not see a closure assign a variable
  const settled = Promise.allSettled([promise]).then(([first]) => void (outcome.is = first));
  yield { entry, stage, settled };
  if (outcome.is?.status === 'fulfilled') return outcome.is.value;
  throw outcome.is?.reason;
}

/**
 * Waits for independent results at the same time. After a wait, code runs outside of the run's context; units that are
 * being prepared enter it themselves.
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

/** The abort signal of a run that cannot be aborted. */
export const NEVER: AbortSignal = new AbortController().signal;

function abortion(abort: AbortSignal): { promise: Promise<never>; forget: () => void } {
  let forget = (): void => {};
  const promise = new Promise<never>((_, reject) => {
    const stop = (): void => reject(abort.reason ?? new Error('aborted'));
    if (abort.aborted) stop();
    else abort.addEventListener('abort', stop, { once: true });
    forget = () => abort.removeEventListener('abort', stop);
  });
  promise.catch(() => {}); // the race may be over
  return { promise, forget };
}

/** Waits for a promise or for the abort, whichever comes first. Rejects with the abort's reason. */
export async function untilAborted<R>(work: PromiseLike<R>, abort: AbortSignal): Promise<R> {
  if (abort === NEVER) return work;
  const stop = abortion(abort);
  try {
    return await Promise.race([work, stop.promise]);
  } finally {
    stop.forget();
  }
}

/** A timeout is a failure of the entry: it aborts `run.abort`, and the engine no longer waits for the unit. */
function deadline(abort: AbortSignal, timeout: number): { signal: AbortSignal; clear: () => void } {
  const own = new AbortController();
  const late = (): void => own.abort(new EntryTimedOut(timeout));
  const timer = setTimeout(late, timerMs(timeout));
  return { signal: AbortSignal.any([abort, own.signal]), clear: () => clearTimeout(timer) };
}

/** Does the work of an entry under its timeout and the run's abort. */
export function* withDeadline<R>(
  abort: AbortSignal,
  timeout: number | undefined,
  work: (abort: AbortSignal) => Task<R>,
): Task<R> {
  abort.throwIfAborted();
  if (timeout === undefined) return yield* work(abort);
  const { signal, clear } = deadline(abort, timeout);
  try {
    return yield* work(signal);
  } finally {
    clear();
  }
}

/** Calls a unit, which may return a promise, under its timeout and the run's abort. */
export const callUnit = <R>(
  caller: PendingFor,
  abort: AbortSignal,
  timeout: number | undefined,
  call: (abort: AbortSignal) => R | PromiseLike<R>,
): Task<R> =>
  withDeadline(abort, timeout, function* (limited): Task<R> {
    const result = call(limited);
    return isPromise(result) ? yield* awaitPromise(caller, untilAborted(result, limited)) : result;
  });

/** How long an abortable run works before it yields to the event loop, in milliseconds. */
const TURN = 20;

/** The largest chunk of rows, and the first one. The first is small because a row may be slow. */
const MAX_ROWS = 4096;
const FIRST_ROWS = 16;

/**
 * Processes rows. An abortable run does so in chunks and yields to the event loop between them, so that a signal can abort
 * and a timeout can fire. Any other run processes all rows at once.
 *
 * @param work processes the rows from the first index up to, but not including, the second
 */
export function inTurns(
  abort: AbortSignal,
  rows: number,
  stage: string,
  work: (from: number, to: number) => void,
): MaybeAsync<void> {
  if (abort !== NEVER && rows > FIRST_ROWS) return takeTurns(abort, rows, stage, work);
  work(0, rows);
}

function* takeTurns(
  abort: AbortSignal,
  rows: number,
  stage: string,
  work: (from: number, to: number) => void,
): Task<void> {
  let size = FIRST_ROWS;
  let start = performance.now();
  for (let from = 0; from < rows; ) {
    const began = performance.now();
    const to = Math.min(rows, from + size);
    work(from, to);
    from = to;
    const now = performance.now();
    if (now - began < TURN / 4) size = Math.min(MAX_ROWS, size * 2);
    else if (now - began > TURN) size = Math.max(1, size >> 1);
    if (now - start < TURN || from === rows) continue;
    yield { entry: stage, stage, settled: new Promise((resolve) => void setTimeout(resolve, 0)) };
    abort.throwIfAborted();
    start = performance.now();
  }
}

/**
 * Handles the rejection of a value that should be a score and may be a promise. No code awaits it, so an unhandled
 * rejection would end the process.
 */
export function ignorePromise(value: unknown): void {
  try {
    if (isPromise(value)) value.then(undefined, () => {});
  } catch {
    // a value whose `then` cannot be read or throws is not a promise
  }
}

/** Describes a value that should be a number. For null, adds how to abstain. */
export function describeWrongNumber(value: unknown): string {
  if (typeof value === 'number') return String(value);
  return value === null ? 'null; to abstain, an expression returns optional.none()' : describeWrongValue(value);
}

/** Describes an unexpected value. For a promise, adds where asynchronous work is allowed. */
export function describeWrongValue(value: unknown): string {
  ignorePromise(value);
  const text = describeValue(value);
  return text === 'a promise' ? 'a promise: scores are synchronous; wait in prepare, or use scorer(async …)' : text;
}

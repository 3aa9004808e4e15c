import { EntryTimedOut, timerMs } from '../contract/index.js';
import { describeValue } from '../diagnostics/index.js';

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

/** The signal of a run that cannot be aborted. */
export const NEVER: AbortSignal = new AbortController().signal;

/** An abort ends the run whatever an entry's rule for failing is. */
const abortReason = (abort: AbortSignal): unknown => abort.reason ?? new Error('aborted');

function abortion(abort: AbortSignal): { promise: Promise<never>; forget: () => void } {
  let forget = (): void => {};
  const promise = new Promise<never>((_, reject) => {
    const stop = (): void => reject(abortReason(abort));
    if (abort.aborted) stop();
    else abort.addEventListener('abort', stop, { once: true });
    forget = () => abort.removeEventListener('abort', stop);
  });
  promise.catch(() => {}); // the race may be over
  return { promise, forget };
}

/** The result of a promise, or the reason of the abort, whichever comes first. */
export async function untilAborted<R>(work: PromiseLike<R>, abort: AbortSignal): Promise<R> {
  if (abort === NEVER) return work;
  const stop = abortion(abort);
  try {
    return await Promise.race([work, stop.promise]);
  } finally {
    stop.forget();
  }
}

/** A time-out is the entry's failure: it aborts `run.abort`, and the unit is not awaited any longer. */
function deadline(abort: AbortSignal, timeout: number): { signal: AbortSignal; clear: () => void } {
  const own = new AbortController();
  const late = (): void => own.abort(new EntryTimedOut(timeout));
  const timer = setTimeout(late, timerMs(timeout));
  return { signal: AbortSignal.any([abort, own.signal]), clear: () => clearTimeout(timer) };
}

/** Does the work of an entry under its time-out and the run's abort. */
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

/** Calls a unit, which may give a promise, under its time-out and the run's abort. */
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

/** How long a run that can be aborted works before it lets others have a turn, in milliseconds. */
const TURN = 20;

/** The most rows of one chunk, and how many the first one has: a row may take as long as an expression is allowed to. */
const MAX_ROWS = 4096;
const FIRST_ROWS = 16;

/**
 * Does work on rows. Where the run can be aborted, in chunks: between them the event loop has a turn, in which a signal
 * may be aborted and a time-out may pass. A run that cannot be aborted does it at once.
 *
 * @param work does the rows from the first to before the second
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
 * A value that is no score, and may be the promise of one. It is not awaited, so that its rejection would end the process:
 * it is taken note of here.
 */
export function ignorePromise(value: unknown): void {
  try {
    if (isPromise(value)) value.then(undefined, () => {});
  } catch {
    // a `then` that cannot be read, or throws, is no promise
  }
}

/** Describes a value where something else was expected; of a promise it adds where waiting is possible. */
export function describeWrongValue(value: unknown): string {
  ignorePromise(value);
  const text = describeValue(value);
  return text === 'a promise'
    ? 'a promise: what has to wait is done in prepare, or by scorer(async …), and its score is synchronous'
    : text;
}

/** Whether a function is declared `async`: then all that it gives is promises. */
export const isAsyncFunction = (value: unknown): boolean =>
  typeof value === 'function' && Object.prototype.toString.call(value) === '[object AsyncFunction]';

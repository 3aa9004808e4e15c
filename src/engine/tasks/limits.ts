import { EntryTimedOut, timerMs } from '../../contract/index.js';
import { awaitPromise, isPromise, type PendingFor, type Task } from './task.js';

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

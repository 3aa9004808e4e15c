import { awaitPromise, isPromise, type PendingFor, type Task } from './task.js';

/** The signal of a run that nobody can stop. */
export const NEVER: AbortSignal = new AbortController().signal;

/** A run that was stopped is stopped, whatever the entry says of failing. */
const abortReason = (abort: AbortSignal): unknown => abort.reason ?? new Error('aborted');

function abortion(abort: AbortSignal): { promise: Promise<never>; forget: () => void } {
  let forget = (): void => {};
  const promise = new Promise<never>((_, reject) => {
    const stop = (): void => reject(abortReason(abort));
    if (abort.aborted) stop();
    else abort.addEventListener('abort', stop, { once: true });
    forget = () => abort.removeEventListener('abort', stop);
  });
  promise.catch(() => {}); // nobody may be listening any more
  return { promise, forget };
}

/** The work's result, or the reason for stopping, whichever comes first. */
export async function untilAborted<R>(work: PromiseLike<R>, abort: AbortSignal): Promise<R> {
  if (abort === NEVER) return work;
  const stop = abortion(abort);
  try {
    return await Promise.race([work, stop.promise]);
  } finally {
    stop.forget();
  }
}

/** A time-out as an entry's failure: the unit is told through `run.abort`, and not waited for. */
function deadline(abort: AbortSignal, timeout: number): { signal: AbortSignal; clear: () => void } {
  const own = new AbortController();
  const timer = setTimeout(() => own.abort(new Error(`it was not ready after ${timeout} ms (its timeout)`)), timeout);
  return { signal: AbortSignal.any([abort, own.signal]), clear: () => clearTimeout(timer) };
}

/** Does what an entry asks for under its time-out and the run's abort. */
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

/** What an entry gives under its time-out and the run's abort, now or later. */
export const callUnit = <R>(
  who: PendingFor,
  abort: AbortSignal,
  timeout: number | undefined,
  give: (abort: AbortSignal) => R | PromiseLike<R>,
): Task<R> =>
  withDeadline(abort, timeout, function* (limited): Task<R> {
    const result = give(limited);
    return isPromise(result) ? yield* awaitPromise(who, untilAborted(result, limited)) : result;
  });

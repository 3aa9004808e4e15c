import { RunFailed, type Batch, type Compiled } from './plan.js';

/** A run that was stopped is stopped, whatever the entry says of failing. */
const reasonOf = (abort: AbortSignal): unknown => abort.reason ?? new Error('aborted');

function whenAborted(abort: AbortSignal): { promise: Promise<never>; forget: () => void } {
  let forget = (): void => {};
  const promise = new Promise<never>((_, reject) => {
    const stop = (): void => reject(reasonOf(abort));
    if (abort.aborted) stop();
    else abort.addEventListener('abort', stop, { once: true });
    forget = () => abort.removeEventListener('abort', stop);
  });
  promise.catch(() => {}); // nobody may be listening any more
  return { promise, forget };
}

/** A time-out as an entry's failure: the unit is told through `run.abort`, and not waited for. */
function timed(abort: AbortSignal, timeout: number | undefined): { signal: AbortSignal; clear: () => void } {
  if (timeout === undefined) return { signal: abort, clear: () => {} };
  const own = new AbortController();
  const timer = setTimeout(() => own.abort(new Error(`it was not ready after ${timeout} ms (its timeout)`)), timeout);
  return { signal: AbortSignal.any([abort, own.signal]), clear: () => clearTimeout(timer) };
}

/** The signal of a run that nobody can stop. */
export const NEVER: AbortSignal = new AbortController().signal;

/** The work's result, or the reason for stopping, whichever comes first. */
export async function untilAborted<R>(work: Promise<R>, abort: AbortSignal): Promise<R> {
  if (abort === NEVER) return work;
  const stop = whenAborted(abort);
  try {
    return await Promise.race([work, stop.promise]);
  } finally {
    stop.forget();
  }
}

/** Runs something asynchronous of an entry under its time-out and the run's abort. */
export async function withLimits<R>(
  abort: AbortSignal,
  timeout: number | undefined,
  work: (abort: AbortSignal) => R | Promise<R>,
): Promise<R> {
  if (abort === NEVER && timeout === undefined) return work(abort);
  abort.throwIfAborted();
  const { signal, clear } = timed(abort, timeout);
  try {
    return await untilAborted(Promise.resolve(work(signal)), signal);
  } finally {
    clear();
  }
}

/**
 * Prepares an entry under its time-out.
 *
 * @returns what went wrong, as a value: what that means is the entry's own rule
 * @throws whatever stopped the run
 */
export async function prepareEntry(
  entry: { readonly id: string; readonly timeout: number | undefined },
  unit: Compiled<unknown>,
  batch: Batch,
): Promise<{ readonly cause: unknown } | undefined> {
  const learnt = new Map<number, unknown>();
  try {
    await withLimits(batch.abort, entry.timeout, (abort) =>
      unit.prepare({ candidates: batch.candidates, state: batch.state, abort, learnt }),
    );
  } catch (cause) {
    batch.abort.throwIfAborted();
    return { cause };
  }
  for (const [slot, memory] of learnt) batch.learnt.set(slot, memory);
  return undefined;
}

/** What `fail` means. */
export const failRun = (entry: string, stage: string, cause: unknown, index?: number): never => {
  throw cause instanceof RunFailed ? cause : new RunFailed(entry, stage, cause, index);
};

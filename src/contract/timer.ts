/**
 * Why `run.abort` is aborted when the `timeout` of an entry is over. What a unit passed to `run.partial` then counts, and the
 * candidates for which that throws this error follow the entry's `on_error`.
 */
export class EntryTimedOut extends Error {
  constructor(readonly timeout: number) {
    super(`it was not ready after ${timeout} ms (its timeout)`);
  }
}

/** The longest time that a timer can wait, about 24.8 days: a longer one would go off at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** Milliseconds as a timer takes them: whole ones, and as many as it can wait for. */
export const timerMs = (ms: number): number => Math.min(Math.ceil(ms), MAX_TIMER_MS);

/** A signal that aborts after a time, of which a profile may say any: `AbortSignal.timeout` takes only what a timer does. */
export const timeoutSignal = (ms: number): AbortSignal => AbortSignal.timeout(timerMs(ms));

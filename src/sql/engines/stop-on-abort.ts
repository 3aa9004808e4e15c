import { setTimeout as wait } from 'node:timers/promises';

/** How soon a database is told again that its statement is to end, in milliseconds. */
const AGAIN_MS = 100;

/**
 * Runs a statement, and has it stopped when a signal is aborted. The database is told to stop it again and again, until
 * it has ended: a statement that has not begun yet is not stopped by the first time.
 *
 * @param stop tells the database; what it waits for is waited for, so that no later statement is meant
 * @throws what the statement fails with; the reason of an abort that came before it
 */
export async function stopOnAbort<R>(
  abort: AbortSignal | undefined,
  stop: () => Promise<void> | void,
  statement: () => Promise<R>,
): Promise<R> {
  if (!abort) return statement();
  abort.throwIfAborted();
  const ended = new AbortController();
  const stopAgain = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      await stop(); // oxlint-disable-line no-await-in-loop -- one after another
      await wait(AGAIN_MS, undefined, { signal: ended.signal }).catch(() => {}); // oxlint-disable-line no-await-in-loop
    }
  };
  let stopped: Promise<void> | undefined;
  const onAbort = (): void => void (stopped = stopAgain());
  abort.addEventListener('abort', onAbort, { once: true });
  try {
    return await statement();
  } finally {
    abort.removeEventListener('abort', onAbort);
    ended.abort();
    await stopped;
  }
}

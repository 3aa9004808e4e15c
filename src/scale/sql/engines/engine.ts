import { setTimeout as wait } from 'node:timers/promises';
import type { Progress } from '../../../sdk/index.js';
import { importOptional, type OptionalPackage, OptionalPackageError } from '../../../services/index.js';
import { type Dialect, fail } from '../dialect.js';
import type { Relation } from '../relation.js';
import type { PrefilterRow } from '../prefilter-rows.js';

/** A database that runs the prefilter over its rows, or over files. */
export interface SqlEngine {
  readonly dialect: Dialect;
  /** The rows, for messages: `table films`. */
  readonly subject: string;
  /** What their columns are. */
  relation(): Promise<Relation>;
  /**
   * Runs the prefilter.
   *
   * @param abort    stops the statement, which then fails
   * @param progress hears how far it is, in percent; where the database does not say that, without a total. The last
   *   step, also of one that failed, is 100 of 100
   */
  sieve(sql: string, abort?: AbortSignal, progress?: Progress): Promise<readonly PrefilterRow[]>;
  /** All candidates in order, for the process to judge. */
  candidates(relation: Relation, progress?: Progress): AsyncIterable<readonly object[]>;
  close(): Promise<void>;
}

const EVERY_MS = 200;

/**
 * Runs a statement, and reports how far it is.
 *
 * @param task    in one line: `asking duckdb about films.parquet`
 * @param percent how far the database says that it is, below 0 if it has not begun; left out where it never says
 * @throws what the statement fails with, or else what `progress` has thrown: the statement is waited for in any case
 */
export async function followStatement<R>(
  task: string,
  run: () => Promise<R>,
  progress: Progress | undefined,
  percent?: () => number,
): Promise<R> {
  if (!progress) return run();
  const report = (): void =>
    percent
      ? progress({ task, unit: 'percent', done: withoutEnd(percent()), total: 100 })
      : progress({ task, unit: 'percent', done: 0, total: undefined });
  report();
  let thrown: { readonly error: unknown } | undefined;
  const timer = setInterval(() => {
    try {
      report();
    } catch (error) {
      thrown = { error }; // beyond this timer nothing would catch it
      clearInterval(timer);
    }
  }, EVERY_MS);
  try {
    const result = await run();
    if (thrown) throw thrown.error;
    return result;
  } finally {
    clearInterval(timer);
    if (!thrown) progress({ task, unit: 'percent', done: 100, total: 100 });
  }
}

/** A percentage as a step before the last, which alone is all of it. */
const withoutEnd = (percent: number): number => Math.max(0, Math.min(99, Math.floor(percent)));

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

/**
 * Imports the package of an engine, as `importOptional` does.
 *
 * @throws AssizeError if it is missing (ASZ565)
 */
export async function loadPackage<Library>(
  wanted: OptionalPackage<Library>,
  load: () => Promise<unknown>,
): Promise<Library> {
  try {
    return await importOptional(wanted, load);
  } catch (error) {
    if (error instanceof OptionalPackageError) fail('ASZ565', error.message, undefined, error);
    throw error;
  }
}

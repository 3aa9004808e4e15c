import { setTimeout as wait } from 'node:timers/promises';
import type { Columns } from '../../../data/index.js';
import type { ResultColumn } from '../../../data/node.js';
import type { Progress } from '../../../sdk/index.js';
import { importOptional, type OptionalPackage, OptionalPackageError } from '../../../services/index.js';
import { type Dialect, fail } from '../dialect.js';
import type { Relation } from '../relation.js';
import type { PrefilterRow } from '../prefilter-rows.js';

/** A database that runs the prefilter over a table or over files. */
export interface SqlEngine {
  readonly dialect: Dialect;
  /** The name of the input in messages: `table films`. */
  readonly subject: string;
  /** The columns of the input. */
  relation(): Promise<Relation>;
  /**
   * Runs the prefilter.
   *
   * @param abort    stops the statement, which then fails
   * @param progress receives the progress in percent, without a total if the database does not report it. The last
   *   report, also after a failure, is 100 of 100
   */
  sieve(sql: string, abort?: AbortSignal, progress?: Progress): Promise<readonly PrefilterRow[]>;
  /** Runs a statement whose result may exceed the memory, and returns its rows in order, in chunks. */
  stream(sql: string, abort?: AbortSignal): AsyncIterable<readonly PrefilterRow[]>;
  /**
   * Runs a statement and returns its rows in order, by column. Omitted if the database returns each row on its own.
   *
   * @param columns the columns of the result, in order
   */
  columns?(sql: string, columns: readonly ResultColumn[], abort?: AbortSignal): AsyncIterable<Columns>;
  /** All candidates in order, for the process to evaluate. */
  candidates(relation: Relation, progress?: Progress): AsyncIterable<readonly object[]>;
  close(): Promise<void>;
}

const EVERY_MS = 200;

/**
 * Runs a statement and reports its progress.
 *
 * @param task    one line: `querying films.parquet with duckdb`
 * @param percent the database's progress, below 0 if the statement has not begun; omitted if it reports none
 * @throws the statement's error, or else the error that `progress` has thrown, after the statement has ended
 */
export async function followStatement<R>(
  task: string,
  run: () => Promise<R>,
  progress: Progress | undefined,
  percent?: () => number,
): Promise<R> {
  if (!progress) return run();
  const report = (): void => {
    const done = percent ? Math.max(0, Math.min(99, Math.floor(percent()))) : 0; // only the last report is 100
    progress({ task, unit: 'percent', done, total: percent && 100 });
  };
  report();
  let thrown: { readonly error: unknown } | undefined;
  const timer = setInterval(() => {
    try {
      report();
    } catch (error) {
      thrown = { error }; // an error in a timer is not caught elsewhere
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

/** The interval of repeated requests to stop a statement, in milliseconds. */
const AGAIN_MS = 100;

/**
 * Runs a statement, and stops it when the signal is aborted. Repeats the request until the statement has ended, because
 * a request before its start has no effect.
 *
 * @param stop asks the database to stop. Awaited, so that it cannot stop a later statement
 * @throws the statement's error, or the abort reason if the signal was already aborted
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
      await stop(); // one request at a time
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

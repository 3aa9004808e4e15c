import { type Columns, columnsOf, rowsOf } from '../columns/index.js';
import { describeValue, toAssizeError } from '../diagnostics/index.js';
import { untilAborted } from '../engine/index.js';
import { onNextTurn } from './next-turn.js';

/** How many candidates are evaluated together: enough to make the fixed cost of a chunk negligible, and little memory. */
export const CHUNK_SIZE = 1024;

/**
 * Lets the event loop run once: timers, I/O and other requests, so that an abort can arrive.
 *
 * @throws the reason of the abort
 */
export async function yieldToEventLoop(abort: AbortSignal): Promise<void> {
  await new Promise<void>(onNextTurn);
  abort.throwIfAborted();
}

/**
 * Groups candidates into chunks. The event loop runs between two chunks, however fast the source is, so that an abort
 * arrives and other requests are served.
 *
 * @throws AssizeError (ASZ502) where the source is not iterable
 */
export function chunksOf<T>(source: AsyncIterable<T> | Iterable<T>, abort: AbortSignal): AsyncGenerator<readonly T[]> {
  const given: unknown = source;
  if (typeof given !== 'object' || given === null) throw notIterableError(given);
  if (Symbol.asyncIterator in source) return chunksOfAsyncIterable(source, abort);
  const columns = Array.isArray(source) ? columnsOf(source) : undefined;
  if (columns) return chunksOfColumns<T>(columns, abort);
  if (Symbol.iterator in source) return chunksOfIterable(source, abort);
  throw notIterableError(given);
}

function notIterableError(given: unknown): Error {
  const message = `the candidates are ${describeValue(given)}; expected a list, or an iterable, of objects`;
  return toAssizeError([{ code: 'ASZ502', message }]);
}

async function* chunksOfIterable<T>(source: Iterable<T>, abort: AbortSignal): AsyncGenerator<T[]> {
  let chunk: T[] = [];
  for (const item of source) {
    chunk.push(item);
    if (chunk.length < CHUNK_SIZE) continue;
    yield chunk;
    await yieldToEventLoop(abort);
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

/** How many rows by column are evaluated together: they take no memory of their own. */
const COLUMNS_CHUNK_SIZE = 8192;

/** Some columns as lists of rows, each of which is a part of them. */
export async function* chunksOfColumns<T>(columns: Columns, abort: AbortSignal): AsyncGenerator<readonly T[]> {
  for (let from = 0; from < columns.length; from += COLUMNS_CHUNK_SIZE) {
    if (from > 0) await yieldToEventLoop(abort);
    yield rowsOf(columns.slice(from, from + COLUMNS_CHUNK_SIZE)) as readonly T[];
  }
}

/** A chunk ends where the source is not ready with the next candidate: one line a second gives one score a second. */
async function* chunksOfAsyncIterable<T>(source: AsyncIterable<T>, abort: AbortSignal): AsyncGenerator<T[]> {
  const iterator = source[Symbol.asyncIterator]();
  let next: Promise<IteratorResult<T, unknown>> | undefined;
  let done = false;
  try {
    while (!done) {
      const chunk: T[] = [];
      next ??= iterator.next();
      let step: IteratorResult<T, unknown> | undefined = await untilAborted(next, abort);
      next = undefined;
      const idle = new Promise<undefined>((resolve) => onNextTurn(() => resolve(undefined)));
      while (step !== undefined && !step.done) {
        chunk.push(step.value);
        if (chunk.length === CHUNK_SIZE) {
          await idle; // a source that is always ready would never let the event loop run, nor this promise resolve
          abort.throwIfAborted();
          break;
        }
        next = iterator.next();
        next.catch(() => {}); // thrown by the next await of it, after the candidates before it were yielded
        step = await Promise.race([next, idle]).catch(() => undefined);
        if (step !== undefined) next = undefined;
      }
      done = step?.done ?? false;
      if (chunk.length > 0) yield chunk;
    }
  } finally {
    // Not awaited: a generator returns only after its pending next has resolved.
    if (!done) void Promise.resolve(iterator.return?.()).catch(() => {});
  }
}

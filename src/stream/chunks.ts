import { setImmediate as breath } from 'node:timers/promises';
import { describeValue } from '../diagnostics/describe-value.js';
import { toAssizeError } from '../diagnostics/to-assize-error.js';
import { untilAborted } from '../engine/limits.js';

/** Enough to forget what a part costs as such, and little to hold. */
const CHUNK_SIZE = 1024;

/**
 * Cuts a list that comes bit by bit into parts. Between two of them the event loop has its turn, however fast they come:
 * who stops the run is heard, and other requests go on.
 *
 * @throws AssizeError where it is no list, and nothing that comes like one
 */
export function chunksOf<T>(source: AsyncIterable<T> | Iterable<T>, abort: AbortSignal): AsyncGenerator<T[]> {
  const given: unknown = source;
  if (typeof given !== 'object' || given === null) throw notIterableError(given);
  if (Symbol.asyncIterator in source) return chunksOfAsyncIterable(source, abort);
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
    await breath();
    abort.throwIfAborted();
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

/** A part is what comes without waiting: who writes a line a second reads a score a second. */
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
      const idle = new Promise<undefined>((resolve) => void setImmediate(resolve, undefined));
      while (step !== undefined && !step.done) {
        chunk.push(step.value);
        if (chunk.length === CHUNK_SIZE) {
          await idle; // a source that never waits would let nobody else, this promise included, come to its turn
          abort.throwIfAborted();
          break;
        }
        next = iterator.next();
        next.catch(() => {}); // told below, once what came before it has been given
        step = await Promise.race([next, idle]).catch(() => undefined);
        if (step !== undefined) next = undefined;
      }
      done = step?.done ?? false;
      if (chunk.length > 0) yield chunk;
    }
  } finally {
    // Not waited for: it comes after what the source is still asked for.
    if (!done) void Promise.resolve(iterator.return?.()).catch(() => {});
  }
}

import { NEVER } from './limits.js';
import type { MaybeAsync, Task } from './task.js';

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

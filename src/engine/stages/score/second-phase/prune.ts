import { fillPositions } from '../../../kernel/run-buffers.js';
import { topRows } from '../../../kernel/top-rows.js';
import type { Task } from '../../../tasks/task.js';
import type { PruneGoal } from '../types.js';
import type { DeferredRows } from './deferred-rows.js';
import type { DeferredPrepareFailure, DeferredScorer, DeferredScores } from './deferred-scorer.js';

/** The least size of the first batch: preparing rows together is cheaper than one by one. */
const MIN_BATCH = 8;

/**
 * Runs scorers on the rows that can still be among the best, the most promising first: the best rows that all scorers
 * have seen say how high a row's upper bound must be (Lucene's `setMinCompetitiveScore`). Rows are taken in batches that
 * double, so that what is prepared is prepared together; in each batch the cheapest scorer runs first, and the next only
 * on the rows that are left.
 *
 * @param scorers the cheapest first
 * @param onResume called after each wait
 * @returns the scorer that could not be prepared, where one could not: then nothing is known of the rows
 */
export function* prune(
  rows: DeferredRows,
  scorers: readonly DeferredScorer[],
  count: number,
  { top, minScore = -Infinity, byPosition }: PruneGoal,
  onResume: () => void,
): Task<DeferredScores | DeferredPrepareFailure> {
  const upperBounds = new Float64Array(count);
  const done = new Uint8Array(count);
  const reached = new Float64Array(count).fill(-Infinity);
  let minCompetitiveScore = -Infinity;
  let last = count;
  const updateRow = (row: number): void => {
    const bound = rows.upperBound(row);
    upperBounds[row] = bound ?? -Infinity;
    if (bound === undefined) done[row] = 1;
    else if (scorers.every((scorer) => scorer.asked(row))) {
      done[row] = 1;
      reached[row] = bound;
    }
  };
  const raiseFloor = (): void => {
    const best = topRows(reached, top)[top - 1];
    minCompetitiveScore = best === undefined ? -Infinity : reached[best]!;
    last = best ?? count;
  };
  const isOpen = (row: number): boolean => {
    const bound = upperBounds[row]!;
    if (done[row] !== 0 || bound < minScore) return false;
    return bound > minCompetitiveScore || (bound === minCompetitiveScore && (!byPosition || row < last));
  };
  for (let row = 0; row < count; row++) updateRow(row);
  raiseFloor();
  let open = fillPositions(new Int32Array(count)).filter(isOpen);
  for (let size = Math.max(top, MIN_BATCH); open.length > 0; size *= 2) {
    let batch = mostPromising(open, upperBounds, size);
    for (const scorer of scorers) {
      const unseen = batch.filter((row) => !scorer.asked(row));
      const failure = yield* scorer.ask(unseen);
      onResume();
      if (failure) return { scorer, cause: failure.cause };
      for (const row of unseen) updateRow(row);
      batch = batch.filter(isOpen);
    }
    raiseFloor();
    open = open.filter(isOpen);
  }
  return { upperBounds, done, minCompetitiveScore };
}

/** The most promising of some rows, in the order in which they are given. */
function mostPromising(rows: Int32Array, upperBounds: Float64Array, count: number): Int32Array {
  if (count >= rows.length) return rows;
  const bounds = new Float64Array(rows.length);
  for (let k = 0; k < rows.length; k++) bounds[k] = upperBounds[rows[k]!]!;
  const least = bounds.slice().sort()[rows.length - count]!;
  let equals = count;
  for (const one of bounds) if (one > least) equals -= 1;
  return rows.filter((_, k) => bounds[k]! > least || (bounds[k] === least && equals-- > 0));
}

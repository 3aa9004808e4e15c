import { fillPositions } from '../../../kernel/run-buffers.js';
import { topRows } from '../../../kernel/top-rows.js';
import type { Task } from '../../../task.js';
import type { DeferredRows } from './deferred-rows.js';
import type { DeferredPrepareFailure, DeferredScorer, DeferredScores } from './deferred-scorer.js';

/** So few are asked about at first, at least: what is prepared at once is cheaper than what is prepared one by one. */
const MIN_BATCH = 8;

/** Who is to be selected: nobody else matters. */
export interface PruneGoal {
  readonly top: number;
  readonly minScore: number | undefined;
  /** Whether equal scores come in the order of the input. */
  readonly byPosition: boolean;
}

/**
 * Asks scorers about the rows that can still be among the best, the most promising first: the best that were asked about
 * wholly say how much a row must be able to come to. Rows are asked about in parts that grow, so that what is prepared is
 * prepared together; in each part the cheapest is asked first, and the next only about who is left.
 *
 * @param scorers the cheapest first
 * @param resumed called each time that somebody may have been waited for
 * @returns who could not be prepared, where one could not: nothing is told of the rows then
 */
export function* prune(
  rows: DeferredRows,
  scorers: readonly DeferredScorer[],
  count: number,
  { top, minScore = -Infinity, byPosition }: PruneGoal,
  resumed: () => void,
): Task<DeferredScores | DeferredPrepareFailure> {
  const upperBounds = new Float64Array(count);
  const done = new Uint8Array(count);
  const reached = new Float64Array(count).fill(-Infinity);
  let minCompetitiveScore = -Infinity;
  let last = count;
  const look = (row: number): void => {
    const told = rows.upperBound(row);
    upperBounds[row] = told ?? -Infinity;
    if (told === undefined) done[row] = 1;
    else if (scorers.every((late) => late.asked(row))) {
      done[row] = 1;
      reached[row] = told;
    }
  };
  const raise = (): void => {
    const best = topRows(reached, top)[top - 1];
    minCompetitiveScore = best === undefined ? -Infinity : reached[best]!;
    last = best ?? count;
  };
  const mayEnter = (row: number): boolean => {
    const reach = upperBounds[row]!;
    return (
      reach >= minScore &&
      (reach > minCompetitiveScore || (reach === minCompetitiveScore && (!byPosition || row < last)))
    );
  };
  for (let row = 0; row < count; row++) look(row);
  raise();
  const open = (row: number): boolean => done[row] === 0 && mayEnter(row);
  let left = fillPositions(new Int32Array(count)).filter(open);
  for (let size = Math.max(top, MIN_BATCH); left.length > 0; size *= 2) {
    let part = mostPromising(left, upperBounds, size);
    for (const scorer of scorers) {
      const asked = part.filter((row) => !scorer.asked(row));
      const failure = yield* scorer.ask(asked);
      resumed();
      if (failure) return { scorer, cause: failure.cause };
      for (const row of asked) look(row);
      part = part.filter(open);
    }
    raise();
    left = left.filter(open);
  }
  return { upperBounds, done, minCompetitiveScore };
}

/** The most promising of some rows: in the order of the input, in which they are given. */
function mostPromising(rows: Int32Array, most: Float64Array, count: number): Int32Array {
  if (count >= rows.length) return rows;
  const reach = new Float64Array(rows.length);
  for (let k = 0; k < rows.length; k++) reach[k] = most[rows[k]!]!;
  const least = reach.slice().sort()[rows.length - count]!;
  let equals = count;
  for (const one of reach) if (one > least) equals -= 1;
  return rows.filter((_, k) => reach[k]! > least || (reach[k] === least && equals-- > 0));
}

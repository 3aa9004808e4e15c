import { topRows } from '../../../kernel/top-rows.js';
import { awaitAll, isTask, type Task } from '../../../task.js';
import type { DeferredRows } from './deferred-rows.js';
import type { DeferredPrepareFailure, DeferredScorer, DeferredScores } from './deferred-scorer.js';

/** Asks scorers, all at once, about the best rows by the others, and about nobody else. */
export function* rerank(
  rows: DeferredRows,
  scorers: readonly DeferredScorer[],
  count: number,
  top: number,
): Task<DeferredScores & { readonly unprepared: readonly DeferredPrepareFailure[] }> {
  const soFar = new Float64Array(count);
  const done = new Uint8Array(count);
  for (let row = 0; row < count; row++) {
    const told = rows.soFar(row);
    soFar[row] = told ?? -Infinity;
    if (told === undefined) done[row] = 1;
  }
  const left = Int32Array.from({ length: count }, (_, row) => row).filter((row) => done[row] === 0);
  const best = topRows(
    Float64Array.from(left, (row) => soFar[row]!),
    Math.min(top, left.length),
  )
    .map((k) => left[k]!)
    .sort();
  for (const row of best) done[row] = 1;
  const asking = awaitAll(scorers.map((late) => late.ask(best)));
  const failures = isTask(asking) ? yield* asking : asking;
  const unprepared = scorers.flatMap((late, k) => {
    const failure = failures[k];
    return failure ? [{ scorer: late, cause: failure.cause }] : [];
  });
  return { upperBounds: soFar, done, minCompetitiveScore: -Infinity, unprepared };
}

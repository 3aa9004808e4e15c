import { fillPositions } from '../../../kernel/run-buffers.js';
import { topRows } from '../../../kernel/top-rows.js';
import { awaitAll, isTask, type Task } from '../../../tasks/task.js';
import type { DeferredRows } from './deferred-rows.js';
import type { DeferredPrepareFailure, DeferredScorer, DeferredScores } from './deferred-scorer.js';

/** Runs scorers, together, on the best rows by the others, and on no more. */
export function* rerank(
  rows: DeferredRows,
  scorers: readonly DeferredScorer[],
  count: number,
  top: number,
): Task<DeferredScores & { readonly unprepared: readonly DeferredPrepareFailure[] }> {
  const soFar = new Float64Array(count);
  const done = new Uint8Array(count);
  for (let row = 0; row < count; row++) {
    const score = rows.scoreSoFar(row);
    soFar[row] = score ?? -Infinity;
    if (score === undefined) done[row] = 1;
  }
  const open = fillPositions(new Int32Array(count)).filter((row) => done[row] === 0);
  const scores = Float64Array.from(open, (row) => soFar[row]!);
  const best = topRows(scores, Math.min(top, open.length))
    .map((k) => open[k]!)
    .sort();
  for (const row of best) done[row] = 1;
  const pending = awaitAll(scorers.map((scorer) => scorer.ask(best)));
  const failures = isTask(pending) ? yield* pending : pending;
  const unprepared = scorers.flatMap((scorer, k) => {
    const failure = failures[k];
    return failure ? [{ scorer, cause: failure.cause }] : [];
  });
  return { upperBounds: soFar, done, minCompetitiveScore: -Infinity, unprepared };
}

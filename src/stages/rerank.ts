import { topRows } from '../matrix/order.js';
import type { LateRows } from './late-rows.js';
import type { Asked, LateScorer, LateUnprepared } from './late-scorer.js';
import { isSteps, type Steps, together } from './wait.js';

/** Asks scorers, all at once, about the best rows by the others, and about nobody else. */
export function* rerank(
  rows: LateRows,
  scorers: readonly LateScorer[],
  count: number,
  top: number,
): Steps<Asked & { readonly unprepared: readonly LateUnprepared[] }> {
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
  const asking = together(scorers.map((late) => late.ask(best)));
  const failures = isSteps(asking) ? yield* asking : asking;
  const unprepared = scorers.flatMap((late, k) => {
    const failure = failures[k];
    return failure ? [{ late, cause: failure.cause }] : [];
  });
  return { most: soFar, done, floor: -Infinity, unprepared };
}

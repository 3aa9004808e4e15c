import { readsWeights } from '../../profile/index.js';
import type { Plan } from '../plan.js';
import type { RunResult } from '../run-state.js';
import type { ScoreColumns } from './score-columns.js';

/** One number for all rows, or one for each. */
export type EntryWeights = number | Float64Array;

/**
 * What the resolved score of each scorer of the run counts with, by row of the ranking: after normalization, the case of
 * `weights` and the scale for what is missing, as `explain` says it; 0 where a scorer is left out of the row. Undefined
 * where the combine reads no weights. O(1) where all rows have the same, else O(rows × scorers).
 */
export function effectiveWeights(
  plan: Plan,
  { candidates, kept, rows, totals, scored, context }: RunResult,
  { scorers }: ScoreColumns,
): readonly EntryWeights[] | undefined {
  if (!readsWeights(plan.profile.combine)) return undefined;
  const { weights, weightsOf } = scored.scoring;
  if (!plan.score.cases && scored.partial.size === 0) return [...weights];
  const filled = scorers.map(() => new Float64Array(totals.length));
  const isMissing = (k: number, row: number): boolean => Number.isNaN(scorers[k]!.resolved[row]);
  plan.current.enter(context, () => {
    for (let r = 0; r < totals.length; r++) {
      const row = rows?.[r] ?? r;
      const own = weightsOf(candidates[kept[row]!], row);
      const scale = scored.partial.has(row) ? missingScale(own, (k) => isMissing(k, row)) : 1;
      for (let k = 0; k < filled.length; k++) filled[k]![r] = isMissing(k, row) ? 0 : own[k]! * scale;
    }
  });
  return filled;
}

/** Σ|w| / Σ|w present|: what the present scores are scaled by. 1 where none has a weight. */
export function missingScale(weights: Float64Array, isMissing: (k: number) => boolean): number {
  let all = 0;
  let present = 0;
  for (let k = 0; k < weights.length; k++) {
    const weight = Math.abs(weights[k]!);
    all += weight;
    if (!isMissing(k)) present += weight;
  }
  return present > 0 && present < all ? all / present : 1;
}

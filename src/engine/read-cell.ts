import type { CellState } from '../ranking/score-matrix.js';
import type { Plan } from './plan.js';
import type { RunResult } from './run-result.js';
import { resolveScore } from './stages/score/resolve-score.js';

/** What one scorer or measure gave in one row of Tier 2, before weights; why there is nothing, where there is nothing. */
export function readCell(
  plan: Plan,
  { candidates, kept, scored, context }: Pick<RunResult, 'candidates' | 'kept' | 'scored' | 'context'>,
  entry: string,
  row: number,
): { readonly value: number | undefined; readonly state: CellState } {
  if (!plan.profile.scorers.some(({ id }) => id === entry)) {
    const value = context.measures[entry]?.[row] ?? Number.NaN;
    return Number.isNaN(value) ? { value: undefined, state: 'absent' } : { value, state: 'scored' };
  }
  const run = scored.scoring.active.find((one) => one.entry.id === entry);
  if (!run) return { value: undefined, state: 'not_asked' };
  plan.current.context = context;
  const { raw, state: how } = resolveScore(run, candidates[kept[row]!], row);
  return { value: raw, state: how };
}

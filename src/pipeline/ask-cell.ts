import type { CellState } from '../matrix/score-matrix.js';
import { settle } from '../stages/settle.js';
import type { Plan } from './compile/plan.js';
import type { Outcome } from './outcome.js';

/** What one scorer or measure gave in one row of Tier 2, before weights; why there is nothing, where there is nothing. */
export function askCell(
  plan: Plan,
  { candidates, kept, scored, state }: Pick<Outcome, 'candidates' | 'kept' | 'scored' | 'state'>,
  entry: string,
  row: number,
): { readonly value: number | undefined; readonly state: CellState } {
  if (!plan.profile.scorers.some(({ id }) => id === entry)) {
    const value = state.measures[entry]?.[row] ?? Number.NaN;
    return Number.isNaN(value) ? { value: undefined, state: 'absent' } : { value, state: 'scored' };
  }
  const run = scored.scoring.runs.find((one) => one.entry.id === entry);
  if (!run) return { value: undefined, state: 'not_asked' };
  plan.cell.state = state;
  const { raw, how } = settle(run, candidates[kept[row]!], row);
  return { value: raw, state: how };
}

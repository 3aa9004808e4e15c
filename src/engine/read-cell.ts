import type { Plan } from './plan.js';
import type { Evaluation } from './run-state.js';
import { resolveScore } from './stages/score/resolve-score.js';

/** What a cell of the score matrix is: why there is no number, where there is none. */
export const CELL_STATES = ['scored', 'absent', 'failed', 'not_asked'] as const;

/** One of `CELL_STATES`. */
export type CellState = (typeof CELL_STATES)[number];

/**
 * The raw number of one scorer or measure in one row of Tier 2, or why there is none. Scores are pure, so they are
 * computed again rather than kept.
 */
export function readCell(
  plan: Plan,
  { candidates, kept, scored, context }: Pick<Evaluation, 'candidates' | 'kept' | 'scored' | 'context'>,
  entry: string,
  row: number,
): { readonly value: number | undefined; readonly state: CellState } {
  if (!plan.profile.scorers.some(({ id }) => id === entry)) {
    const value = context.measures[entry]?.[row] ?? Number.NaN;
    return Number.isNaN(value) ? { value: undefined, state: 'absent' } : { value, state: 'scored' };
  }
  const scorer = scored.scoring.active.find((one) => one.entry.id === entry);
  if (!scorer) return { value: undefined, state: 'not_asked' };
  const { raw, state } = plan.current.enter(context, () => resolveScore(scorer, candidates[kept[row]!], row));
  return { value: raw === undefined ? undefined : raw + 0, state };
}

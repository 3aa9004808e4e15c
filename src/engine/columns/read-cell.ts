import type { Plan } from '../plan.js';
import type { Evaluation } from '../run-state.js';
import { readMeasure } from '../stages/measure/measure.js';
import { resolveScore, wasAsked } from '../stages/score/resolve-score.js';
import type { CellState } from './score-column.js';

type Scored = Pick<Evaluation, 'candidates' | 'kept' | 'measures' | 'scored' | 'context'>;

/** The raw number of an entry in one row, or why there is none. */
export interface CellReading {
  readonly value: number | undefined;
  readonly state: CellState;
}

/** The raw number of one scorer or measure in one row of Tier 2. Scores are pure: they are computed again, not kept. */
export function readCell(plan: Plan, evaluation: Scored, entry: string, row: number): CellReading {
  if (!plan.profile.scorers.some(({ id }) => id === entry)) return readMeasured(plan, evaluation, entry, row);
  const { candidates, kept, scored, context } = evaluation;
  const scorer = scored.scoring.active.find((one) => one.entry.id === entry);
  if (!scorer || !wasAsked(scorer, row)) return { value: undefined, state: 'not_asked' };
  const { raw, state } = plan.current.enter(context, () => resolveScore(scorer, candidates[kept[row]!], row));
  return { value: raw === undefined ? undefined : raw + 0, state };
}

/** A measure's number, from its column. Where it is NaN its unit is called again: absence and failure are both NaN. */
export function readMeasured(
  plan: Plan,
  { candidates, kept, measures, context }: Scored,
  entry: string,
  row: number,
): CellReading {
  const value = context.measures[entry]?.[row] ?? Number.NaN;
  if (!Number.isNaN(value)) return { value, state: 'scored' };
  const measure = measures.find(({ id }) => id === entry);
  if (!measure) return { value: undefined, state: 'not_asked' };
  let failed = measure.score === undefined;
  const { score } = measure;
  if (score) plan.current.enter(context, () => readMeasure(score, candidates[kept[row]!], row, () => (failed = true)));
  return { value: undefined, state: failed ? 'failed' : 'absent' };
}

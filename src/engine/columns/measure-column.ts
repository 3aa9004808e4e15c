import type { Plan } from '../plan.js';
import type { Evaluation } from '../run-state.js';
import { readMeasured } from './read-cell.js';
import { CELL_STATES, type ScoreColumn } from './score-column.js';

/** A measure's column, which the run has filled, with the states of its cells. */
export function measureColumn(plan: Plan, evaluation: Evaluation, id: string): ScoreColumn {
  const raw = Float64Array.from(evaluation.context.measures[id] ?? []);
  const states = new Uint8Array(raw.length);
  for (let row = 0; row < raw.length; row++) {
    if (Number.isNaN(raw[row])) states[row] = CELL_STATES.indexOf(readMeasured(plan, evaluation, id, row).state);
  }
  return { raw, resolved: raw, states };
}

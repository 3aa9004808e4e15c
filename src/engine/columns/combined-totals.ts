import type { Plan } from '../plan.js';
import type { RunResult } from '../run-state.js';
import { combineColumns, scoringOfColumns } from './combine-columns.js';
import type { ScoreColumns } from './score-columns.js';
import { stateBeforeCombine } from './state-before-combine.js';

/** The combined scores before the rules, by row of the ranking: the totals themselves where there are no rules. */
export function combinedTotals(plan: Plan, result: RunResult, columns: ScoreColumns): Float64Array {
  if (plan.rules.length === 0) return result.totals;
  const state = stateBeforeCombine(plan, result);
  plan.current.enter(state.context, () => combineColumns(state, scoringOfColumns(plan, result, columns), columns));
  const { totals } = state.scored;
  return result.rows ? Float64Array.from(result.rows, (row) => totals[row]!) : totals;
}

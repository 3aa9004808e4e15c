import { toAssizeError } from '../../diagnostics/index.js';
import { combineColumns, scoringOfColumns } from '../columns/combine-columns.js';
import type { ScoreColumns } from '../columns/score-columns.js';
import { stateBeforeCombine } from '../columns/state-before-combine.js';
import { type ModelOverrides, modelPlan, overridePlan, type PlanOverrides } from '../call/override-plan.js';
import type { Plan } from '../plan.js';
import { requiresAsync, type SyncCall } from '../failures/requires-async.js';
import { rerun } from '../run.js';
import { RunFailed } from '../failures/run-errors.js';
import { toRunError } from '../call/run-failure.js';
import type { RunResult } from '../run-state.js';
import { runSync } from '../tasks/task.js';

/**
 * Ranks the rows of a run again with other weights and limits: combine, adjust, select and report from its columns, by
 * the run's own arithmetic. No scorer is called and nothing is prepared. The same, to the bit, as ranking anew with a
 * profile that has these weights. O(rows × scorers).
 *
 * @throws AssizeError where the run left rows out before every scorer had seen them; where the profile has no use for an
 *   override (ASZ534); and where a selector or a report has to wait (ASZ516)
 */
export function reweigh(
  plan: Plan,
  result: RunResult,
  columns: ScoreColumns,
  overrides: PlanOverrides,
): { readonly plan: Plan; readonly result: RunResult } {
  const { pruned } = result.scored;
  if (pruned) {
    const message = `profile ${plan.profile.name} was ranked without asking every scorer about every candidate`;
    const hint =
      pruned.plan.how === 'prune'
        ? 'rank with { prune: false }, and weigh that ranking again'
        : 'weigh a ranking by the profile without its rerank';
    throw toAssizeError([{ code: 'ASZ534', message, hint }]);
  }
  return combineAgain(overridePlan(plan, overrides), result, columns);
}

/**
 * Ranks the rows of a run again as a profile with the weights and the curves of a model does: rules, cases and absent scores
 * included. No scorer is called. O(rows × scorers).
 */
export function reweighByModel(
  plan: Plan,
  result: RunResult,
  columns: ScoreColumns,
  model: ModelOverrides,
): { readonly plan: Plan; readonly result: RunResult } {
  const { active } = result.scored.scoring;
  const scorers = columns.scorers.map((column, k) => {
    const rescored = model.scores?.get(active[k]!.entry.id)?.(column.resolved, result.rows);
    return rescored ? { ...column, resolved: rescored } : column;
  });
  return combineAgain(modelPlan(plan, model), result, { ...columns, scorers });
}

function combineAgain(
  other: Plan,
  result: RunResult,
  columns: ScoreColumns,
): { readonly plan: Plan; readonly result: RunResult } {
  const state = stateBeforeCombine(other, result);
  try {
    const again = rerun(state, () => {
      const scoring = scoringOfColumns(other, result, columns);
      state.context.scores = scoring.scores;
      combineColumns(state, scoring, columns);
    });
    return { plan: other, result: runSync(again, (pending) => requiresAsync(other.profile, REWEIGH, pending)) };
  } catch (error) {
    throw error instanceof RunFailed ? toRunError(other.profile, error, result.candidates) : error;
  }
}

const REWEIGH: SyncCall = { call: 'reweigh', instead: 'whatIf' };

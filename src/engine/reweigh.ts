import type { Score } from '../contract/index.js';
import { toAssizeError } from '../diagnostics/index.js';
import { Failures } from './failures.js';
import { prefixOf, refuseKept } from './kernel/run-buffers.js';
import { refuserOf } from './kernel/verdict.js';
import { NEVER } from './limits.js';
import { overridePlan, type PlanOverrides } from './override-plan.js';
import type { Plan } from './plan.js';
import { requiresAsync, type SyncCall } from './requires-async.js';
import { rerun } from './run.js';
import { NO_SIGNALS } from './run-context.js';
import { RunFailed } from './run-errors.js';
import { toRunError } from './run-failure.js';
import { type RunResult, RunState } from './run-state.js';
import type { ScoreColumns } from './score-columns.js';
import { combineInto } from './stages/score/resolve-rows.js';
import { makeScoring } from './stages/score/scoring.js';
import type { Scoring } from './stages/score/types.js';
import { runSync } from './task.js';

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
  const other = overridePlan(plan, overrides);
  const state = stateOf(other, result);
  try {
    const again = rerun(state, () => {
      const scoring = scoringOf(other, result, columns);
      state.context.scores = scoring.scores;
      combineColumns(state, scoring, columns);
    });
    return { plan: other, result: runSync(again, (pending) => requiresAsync(plan.profile, REWEIGH, pending)) };
  } catch (error) {
    throw error instanceof RunFailed ? toRunError(other.profile, error, result.candidates) : error;
  }
}

const REWEIGH: SyncCall = { call: 'reweigh', instead: 'whatIf' };

/** What the failures of these stages concern is not done again. */
const KEPT_STAGES = ['signals', 'generate', 'veto', 'measure', 'score'];

/** A run that stands where the scorers have been prepared: with what the vetoes refused, and what was measured. */
function stateOf(plan: Plan, result: RunResult): RunState {
  const failures = new Failures();
  failures.addAll(
    result.failures.entries.filter(
      ({ failure: { entry, stage } }) => KEPT_STAGES.includes(stage) && entry !== 'combine',
    ),
  );
  const state = new RunState(plan, {
    context: { ...result.context, values: [], score: 0 },
    given: result.candidates,
    abort: NEVER,
    knownSignals: NO_SIGNALS,
    callBudget: undefined,
    secondPhase: undefined,
    failures,
    updates: [],
  });
  state.setCandidates(result.candidates);
  const { verdicts } = state.buffers;
  for (let position = 0; position < verdicts.length; position++) {
    const verdict = result.verdicts[position]!;
    if (verdict !== 0 && refuserOf(verdict) < plan.score.firstRefuser) verdicts[position] = verdict;
  }
  state.budget = result.budget;
  state.vetoes = result.vetoes;
  state.pinned = result.pinned;
  state.kept = result.kept;
  state.measures = result.measures;
  return state;
}

/** The run's scorers with other weights; their numbers are read from the columns. */
function scoringOf(plan: Plan, result: RunResult, { columns }: ScoreColumns): Scoring {
  const { firstRefuser, scorers: entries } = plan.score;
  const active = result.scored.scoring.active.map((one) => ({
    ...one,
    entry: entries[one.refuser - firstRefuser]!.entry,
  }));
  const readers = columns.map(
    (column): Score<unknown> =>
      (_candidate, row) =>
        valueAt(column, row),
  );
  const scores: (Score<unknown> | undefined)[] = entries.map(() => undefined);
  for (const [k, { refuser }] of active.entries()) scores[refuser - firstRefuser] = readers[k];
  return { ...makeScoring(plan.score, active), scores };
}

function valueAt(column: Float64Array, row: number): number | undefined {
  const value = column[row];
  return Number.isNaN(value) ? undefined : value;
}

/** Combines the columns: fast where every score is there, and as any unresolved row elsewhere. */
function combineColumns(run: RunState, scoring: Scoring, { columns, verdicts }: ScoreColumns): void {
  const { kept, buffers } = run;
  const totals = prefixOf(buffers.totals, kept.length);
  combineFast(run, scoring, columns, totals);
  const partial = new Map<number, number>();
  for (let row = 0; row < totals.length; row++) {
    if (verdicts[row] !== 0) {
      refuseKept(buffers, kept[row]!, verdicts[row]!);
      continue;
    }
    const total = totals[row]!;
    if (total - total === 0) continue;
    const present = combineInto(run, scoring, totals, row, () => columns.map((column) => valueAt(column, row)));
    if (present < columns.length) partial.set(row, present);
  }
  run.scored = { scoring, totals, partial };
}

/** The loop's arithmetic, column by column: the same operations in the same order for each row. NaN where one is missing. */
function combineFast(
  { candidates, kept, plan }: RunState,
  { arithmetic, weights, weightsOf }: Scoring,
  columns: readonly Float64Array[],
  totals: Float64Array,
): void {
  if (!arithmetic) return void totals.fill(Number.NaN);
  if (columns.length === 0) return void totals.fill(plan.score.scorers.length > 0 ? Number.NaN : 0);
  const { start, add, finish, hidesBadScores, minScore } = arithmetic;
  // Every resolved score is finite, so that only one below the least could go unnoticed.
  if (hidesBadScores && minScore > -Infinity) return void totals.fill(Number.NaN);
  totals.fill(start);
  if (plan.score.cases) {
    for (let row = 0; row < totals.length; row++) {
      const own = weightsOf(candidates[kept[row]!], row);
      let total = start;
      for (let k = 0; k < columns.length; k++) total = add(total, columns[k]![row]!, own[k]!);
      totals[row] = total;
    }
  } else {
    for (const [k, column] of columns.entries()) {
      const weight = weights[k]!;
      for (let row = 0; row < totals.length; row++) totals[row] = add(totals[row]!, column[row]!, weight);
    }
  }
  if (finish) for (let row = 0; row < totals.length; row++) totals[row] = finish.apply(totals[row]!);
}

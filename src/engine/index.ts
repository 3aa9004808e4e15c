/**
 * Compiles a profile to a plan, and runs it.
 * What other rooms use of this one.
 *
 * @module
 */

export { type CallResult, executeCall, type RunCall } from './call/call.js';
export { idOf, ownIdOf } from './candidates/id.js';
export { fieldsRead } from './candidates/reader.js';
export { CandidateNames } from './candidates/names.js';
export { checkCandidates, checkDates, checkDatesOf } from './candidates/check.js';
export { arithmeticOf, combineRow } from './kernel/combine-methods.js';
export { compileProfile } from './compile-profile.js';
export type { Instantiate } from './units/run-unit.js';
export type { CompiledProfile } from './compiled-profile.js';
export { reusingPlan, type StandIns } from './what-if/earlier-run.js';
export { causeOf, type CountedFailure, type Degraded, type FailureCause, Failures } from './failures/failures.js';
export { indexIn } from './kernel/run-buffers.js';
export { TopKHeap } from './kernel/top-k-heap.js';
export { NOT_ASKED, type Refusal, refusalOf, refuserOf, refuses } from './kernel/verdict.js';
export { keyText } from './stages/key-text.js';
export { NEVER, untilAborted } from './tasks/limits.js';
export { nameWithPosition, parseName } from './candidates/name-with-position.js';
export { rawScoreColumns } from './columns/score-columns.js';
export { NoteRecorder, type RecordedChild, type RecordedNote } from './units/note-recorder.js';
export type { Plan } from './plan.js';
export {
  mergeOverrides,
  OVERRIDE_OPTIONS,
  type ModelOverrides,
  overridePlan,
  type PlanOverrides,
  scoringPlan,
} from './call/override-plan.js';
export { childPaths, type ChildColumn, fillChildColumns } from './columns/child-columns.js';
export { combinedTotals } from './columns/combined-totals.js';
export { effectiveWeights, missingScale } from './columns/effective-weights.js';
export { measureColumn } from './columns/measure-column.js';
export { type CellReading, readCell } from './columns/read-cell.js';
export { type RuleColumn, fillRuleColumns } from './columns/rule-columns.js';
export { CELL_STATES, type CellState, type ScoreColumn, unaskedColumn } from './columns/score-column.js';
export { reweigh, reweighByModel } from './what-if/reweigh.js';
export { fillScoreColumns, type ScoreColumns } from './columns/score-columns.js';
export { checkSync, memoryBusy, requiresAsync, surelyWaits, type SyncCall } from './failures/requires-async.js';
export { ColumnBuffer } from './kernel/column-buffer.js';
export { begin, evaluateCandidates, evaluatePart, finish, prepareOnly, run } from './run.js';
export { NO_CONTEXT, NO_SIGNALS, type RunContext } from './entries/run-context.js';
export { CandidateRefused, RunFailed } from './failures/run-errors.js';
export { toRunError } from './call/run-failure.js';
export { RunQueue } from './call/run-queue.js';
export { degradedIn, refusedIn, traceOf } from './call/follow-run.js';
export { type Evaluation, type RunResult, RunState } from './run-state.js';
export { applyOperation, applyRule, ruleRefusal } from './stages/adjust/adjust.js';
export type { CompiledRule, RuleStep } from './stages/adjust/types.js';
export { readMeasure } from './stages/measure/measure.js';
export type { ScoresOfCandidates } from './stages/score/types.js';
export { combineResolved, verdictOfError } from './stages/score/resolve-rows.js';
export { leavesRange, type ResolvedScore, resolveScore, wasAsked } from './stages/score/resolve-score.js';
export type { ActiveScorer, PrunedRows } from './stages/score/types.js';
export { normalizedWeights, ownWeight } from './stages/score/weights.js';
export { budgetOf, isWithin, totalCost } from './stages/select/budget.js';
export { leftOutOfRow, reasonTemplatesOf, withSelectReasons } from './stages/select/left-out-reasons.js';
export { pinnedBefore, pinnedOnPage } from './stages/select/pages.js';
export { rowOrder, tieKeys, tieSizes } from './stages/select/select.js';
export { compareKeys, compareTied } from './stages/select/select-rows.js';
export type { Arrangement, Budget, BudgetUse, CallBudget, UnselectedRow } from './stages/select/types.js';
export { decideVeto } from './stages/veto/decide-veto.js';
export type { ActiveVeto } from './stages/veto/types.js';
export { startPart, startRun } from './call/start-run.js';
export { awaitPromise, chain, isPromise, isTask, type MaybeAsync, runAsync, runSync } from './tasks/task.js';

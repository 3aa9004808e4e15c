/**
 * The exports of `engine` for other modules.
 *
 * @module
 */

export {
  type CallResult,
  degradedIn,
  executeCall,
  refusedIn,
  reweigh,
  reweighByModel,
  type RunCall,
  toRunError,
  traceOf,
} from './call/call.js';
export { reusingPlan, type StandIns } from './call/earlier-run.js';
export {
  mergeOverrides,
  type ModelOverrides,
  OVERRIDE_OPTIONS,
  overridePlan,
  type PlanOverrides,
} from './call/override-plan.js';
export { startPart, startRun } from './call/start-run.js';
export { nameWithPosition, parseName, positionName } from './candidate-name.js';
export { CandidateNames, checkCandidates, checkDates, checkDatesOf, fieldsRead, idOf, ownIdOf } from './candidates.js';
export {
  childPaths,
  effectiveWeights,
  fillChildColumns,
  fillRuleColumns,
  measureColumn,
  missingScale,
} from './columns/entry-columns.js';
export { CELL_STATES, type CellState } from './columns/cell-states.js';
export {
  type CellReading,
  columnNotEvaluated,
  combinedTotals,
  fillScoreColumns,
  rawScoreColumns,
  readCell,
  type ScoreColumn,
  type ScoreColumns,
} from './columns/score-columns.js';
export { compilePlan, scoringPlan } from './compile-plan.js';
export { type CompiledUnit, copyContext, emptyContext, NO_CONTEXT, NO_SIGNALS, type RunContext } from './entries.js';
export {
  CandidateRefused,
  causeOf,
  checkSync,
  type CountedFailure,
  type Degraded,
  type FailureCause,
  Failures,
  memoryBusy,
  requiresAsync,
  RunFailed,
  surelyWaits,
  type SyncCall,
} from './failures.js';
export { arithmeticOf, combineRow, applyOperation } from './kernel/combine-methods.js';
export { ColumnBuffer, indexIn } from './kernel/run-buffers.js';
export { TopKHeap } from './kernel/top-rows.js';
export { type Refusal, refusalOf, refuserOf, refuses, VERDICT_NOT_EVALUATED, verdictOf } from './kernel/veto-loop.js';
export type { CompiledProfile, CompiledRule, Plan, RuleStep } from './plan.js';
export { type Evaluation, type RunResult, RunState } from './run-state.js';
export { begin, evaluateCandidates, evaluatePart, finish, prepareOnly, run } from './run.js';
export { applyRule, ruleRefusal } from './stages/adjust.js';
export { readMeasure } from './stages/measure.js';
export {
  combineResolved,
  leavesRange,
  type ResolvedScore,
  resolveScore,
  verdictOfError,
  wasEvaluated,
  withSlack,
} from './stages/score/resolve.js';
export { normalizedWeights, ownWeight } from './stages/score/scoring.js';
export { scoreBounds } from './stages/score/second-phase.js';
export { pinnedBefore, pinnedOnPage } from './stages/select/arrange.js';
export { budgetOf } from './stages/select/budget.js';
export { isWithin, totalCost } from './stages/select/pack.js';
export { compareKeys, compareTied, rowOrder, tieKeys, tieSizes } from './stages/select/row-order.js';
export {
  type Arrangement,
  type Budget,
  type BudgetOptimality,
  type BudgetUse,
  type CallBudget,
  type CallBudgetKeys,
  notSelectedOfRow,
  reasonTemplatesOf,
  type UnselectedRow,
  withSelectReasons,
} from './stages/select/select-plan.js';
export { decideVeto } from './stages/veto.js';
export {
  awaitPromise,
  chain,
  isPromise,
  isTask,
  type MaybeAsync,
  type Task,
  NEVER,
  runAsync,
  runSync,
  untilAborted,
} from './tasks.js';
export type { ActiveScorer, ActiveVeto, PrunedRows, ScorePlan, ScoresOfCandidates, Scoring } from './tier-plans.js';
export { keyText, type Instantiate } from './units/unit-compiler.js';
export { applyOnAbsent, NoteRecorder, type RecordedChild, type RecordedNote } from './units/note-recorder.js';
export type { MemoryUpdates } from './entries.js';
export { RunQueue } from './memories.js';

/**
 * Compiles a profile to a plan, and runs it.
 * What other rooms use of this one.
 *
 * @module
 */

export {
  type CallResult,
  executeCall,
  type RunCall,
  reweigh,
  reweighByModel,
  toRunError,
  RunQueue,
  degradedIn,
  refusedIn,
  traceOf,
} from './call/call.js';
export {
  idOf,
  ownIdOf,
  fieldsRead,
  CandidateNames,
  checkCandidates,
  checkDates,
  checkDatesOf,
} from './candidates.js';
export { nameWithPosition, parseName } from './candidate-name.js';
export { arithmeticOf, combineRow } from './kernel/combine-methods.js';
export { compilePlan } from './compile-plan.js';
export type { Instantiate } from './units/unit-compiler.js';
export type { CompiledProfile, Plan, CompiledRule, RuleStep } from './plan.js';
export { reusingPlan, type StandIns } from './call/earlier-run.js';
export {
  causeOf,
  type CountedFailure,
  type Degraded,
  type FailureCause,
  Failures,
  checkSync,
  memoryBusy,
  requiresAsync,
  surelyWaits,
  type SyncCall,
  CandidateRefused,
  RunFailed,
} from './failures.js';
export { indexIn, ColumnBuffer } from './kernel/run-buffers.js';
export { TopKHeap } from './kernel/top-rows.js';
export { VERDICT_NOT_EVALUATED, type Refusal, refusalOf, refuserOf, refuses } from './kernel/veto-loop.js';
export { keyText } from './units/binder.js';
export {
  NEVER,
  untilAborted,
  awaitPromise,
  chain,
  isPromise,
  isTask,
  type MaybeAsync,
  runAsync,
  runSync,
} from './tasks.js';
export {
  rawScoreColumns,
  fillScoreColumns,
  type ScoreColumns,
  combinedTotals,
  type CellReading,
  readCell,
  CELL_STATES,
  type CellState,
  type ScoreColumn,
  columnNotEvaluated,
} from './columns/score-columns.js';
export { NoteRecorder, type RecordedChild, type RecordedNote } from './units/note-recorder.js';
export {
  mergeOverrides,
  OVERRIDE_OPTIONS,
  type ModelOverrides,
  overridePlan,
  type PlanOverrides,
  scoringPlan,
} from './call/override-plan.js';
export {
  childPaths,
  type ChildColumn,
  fillChildColumns,
  effectiveWeights,
  missingScale,
  measureColumn,
  type RuleColumn,
  fillRuleColumns,
} from './columns/entry-columns.js';
export { begin, evaluateCandidates, evaluatePart, finish, prepareOnly, run } from './run.js';
export { NO_CONTEXT, NO_SIGNALS, type RunContext } from './entries.js';
export { type Evaluation, type RunResult, RunState } from './run-state.js';
export { applyOperation, applyRule, ruleRefusal } from './stages/adjust.js';
export { readMeasure } from './stages/measure.js';
export type { ScoresOfCandidates, ActiveScorer, PrunedRows, ActiveVeto } from './tier-plans.js';
export {
  combineResolved,
  verdictOfError,
  leavesRange,
  type ResolvedScore,
  resolveScore,
  wasEvaluated,
} from './stages/score/resolve.js';
export { normalizedWeights, ownWeight } from './stages/score/scoring.js';
export { budgetOf, isWithin, totalCost } from './stages/select/pack.js';
export {
  leftOutOfRow,
  reasonTemplatesOf,
  withSelectReasons,
  type Arrangement,
  type Budget,
  type BudgetUse,
  type CallBudget,
  type UnselectedRow,
} from './stages/select/select-plan.js';
export { pinnedBefore, pinnedOnPage } from './stages/select/arrange.js';
export { rowOrder, tieKeys, tieSizes, compareKeys, compareTied } from './stages/select/select.js';
export { decideVeto } from './stages/veto.js';
export { startPart, startRun } from './call/start-run.js';

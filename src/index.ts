/**
 * For those who embed Assize: profiles in, rankings out.
 *
 * @module
 */
export { createPipeline, type PipelineOptions } from './container.js';
export {
  AssizeError,
  type Context,
  type Place,
  type Problem,
  type ProblemCode,
  type ServiceBinding,
  scorer,
  veto,
} from './contract/index.js';
export type {
  CombineComparison,
  ComparedCandidate,
  Comparison,
  Decision,
  Flips,
  NumberFlip,
  RemovalFlip,
  RuleComparison,
  RuleSide,
  Side,
  TermComparison,
  TermSide,
} from './explain/comparison.js';
export { diffProfiles, type ProfileOrPipeline } from './diff-profiles.js';
export { comparisonText } from './explain/comparison-text.js';
export { type ExplanationTextOptions, explanationText } from './explain/text.js';
export { diffText } from './explain/diff-text.js';
export { evaluate } from './explain/evaluate.js';
export type {
  AskedTerm,
  CandidateOutcome,
  ChildTerm,
  CombineTerm,
  Explanation,
  FieldRead,
  MeasureTerm,
  NoteTerm,
  RefusalTerm,
  RuleTerm,
  ScorerTerm,
  StepTerm,
  VetoTerm,
} from './explain/explanation.js';
export type { Influence, Move, RankingCounts, RankingDiff } from './explain/ranking-diff.js';
export type { Plain } from './explain/plain.js';
export { CELL_STATES, type CellState, type Column, type ScoreMatrix } from './matrix/score-matrix.js';
export type { Refusal } from './matrix/verdict.js';
export { diffRankings, type DiffOptions } from './pipeline/diff.js';
export type { Description, Pipeline, RankOptions, ScoreOptions } from './pipeline/pipeline.js';
export type { Ranking } from './pipeline/ranking.js';
export type { LeftOut, Placed, Ranked, Refused, Scored, Selected } from './pipeline/rows.js';
export type { ScoreStream } from './pipeline/score-stream.js';
export type { Progress, ProgressStep } from './services/progress.js';
export type { Change } from './profile/amend.js';
export type { ProfileInput } from './profile/schema.js';
export type { CallBudget } from './stages/budget.js';
export type { Degraded } from './stages/failures.js';
export type { BudgetUse } from './stages/pack.js';

/**
 * For those who embed Assize: profiles in, rankings out.
 *
 * @module
 */

// Profiles in.
export { createPipeline, type PipelineOptions } from './container.js';
export { type Context, type ServiceBinding, scorer, veto } from './contract/index.js';
export type { ProfileDescription, PruningFacts } from './profile/profile-description.js';
export type { Pipeline } from './pipeline.js';
export type { RankOptions, ScoreOptions } from './ranking/rank-options.js';
export type { ProfileInput } from './profile/schema/profile-schema.js';
export type { Progress, ProgressStep } from './contract/progress.js';
export type { CallBudget } from './engine/stages/select/types.js';

// Rankings out.
export type { Ranking } from './ranking/ranking.js';
export type { LeftOut, Placed, Ranked, Refused, Scored, Selected, Pruned } from './ranking/rows.js';
export type { ScoreStream } from './stream/score-stream.js';
export type { RankStreamOptions } from './stream/rank-stream.js';
export type { TopRanking } from './stream/top-ranking.js';
export type { LeftOutCount, RefusedCount, TopCounts } from './ranking/counts.js';
export { CELL_STATES, type CellState } from './engine/kernel/cell-state.js';
export type { Column, ScoreMatrix } from './ranking/score-matrix.js';
export type { Refusal } from './engine/kernel/verdict.js';
export type { Degraded } from './engine/failures.js';
export type { BudgetUse } from './engine/stages/select/types.js';

// Files of candidates, in several threads.
export { rankFile, type RankFileOptions } from './workers/rank-file.js';

// What is wrong.
export { AssizeError, type Place, type Problem } from './diagnostics/problem.js';
export type { ProblemCode } from './diagnostics/codes.js';

// Why a candidate came out as it did.
export { evaluate } from './explain/evaluate.js';
export type {
  EntryTerm,
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
export type { JsonValue } from './explain/json-value.js';
export { explanationText } from './explain/text/explanation-text.js';
export type { ExplanationTextOptions } from './explain/text/sections.js';

// What decides between two candidates, and what would be otherwise.
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
} from './explain/comparison/comparison.js';
export { comparisonText } from './explain/text/comparison-text.js';
export type { Change } from './profile/merge/apply-change.js';

// What differs between two rankings.
export { diffProfiles, type ProfileOrPipeline } from './diff-profiles.js';
export { diffText } from './ranking/diff/diff-text.js';
export type { Influence, CandidateMove, RankingCounts, RankingDiff } from './ranking/diff/ranking-diff.js';
export { type RankingDiffOptions, diffRankings } from './ranking/diff/diff-rankings.js';

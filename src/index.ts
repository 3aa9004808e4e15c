/**
 * For those who embed Assize: profiles in, rankings out.
 *
 * @module
 */

// Profiles in.
export { createPipeline, type PipelineOptions } from './container.js';
export {
  type Context,
  type Progress,
  type ProgressStep,
  type ServiceBinding,
  scorer,
  veto,
} from './contract/index.js';
export type { CallBudget } from './engine/index.js';
export type { Pipeline } from './pipeline.js';
export type { ProfileDescription, ProfileInput, PruningFacts } from './profile/index.js';
export type { RankOptions, ScoreOptions } from './ranking/index.js';

// Rankings out.
export {
  type BudgetUse,
  CELL_STATES,
  type CellState,
  type Degraded,
  type FailureCause,
  type Refusal,
} from './engine/index.js';
export type {
  Column,
  FiredRule,
  LeftOut,
  LeftOutCount,
  NumberByScorer,
  Placed,
  Pruned,
  Ranked,
  Ranking,
  Refused,
  RefusedCount,
  Scored,
  ScoreMatrix,
  ScoreTerms,
  Selected,
  TopCounts,
} from './ranking/index.js';
export type { RankStreamOptions, ScoreStream, ScoreStreamOptions, TopRanking } from './stream/index.js';

// Files of candidates, in several threads.
export { rankFile, type RankFileOptions } from './workers/index.js';

// What is wrong.
export { AssizeError, type Place, type Problem, type ProblemCode } from './diagnostics/index.js';

// Why a candidate came out as it did.
export { evaluate, explanationText } from './explain/index.js';
export type {
  CandidateOutcome,
  ChildTerm,
  CombineTerm,
  EntryTerm,
  Explanation,
  ExplanationTextOptions,
  FieldRead,
  JsonValue,
  MeasureTerm,
  NoteTerm,
  RefusalTerm,
  RuleTerm,
  ScorerTerm,
  StepTerm,
  VetoTerm,
} from './explain/index.js';

// What decides between two candidates, and what would be otherwise.
export { comparisonText } from './explain/index.js';
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
} from './explain/index.js';
export type { PlanOverrides } from './engine/index.js';
export type { Change } from './profile/index.js';

// What differs between two rankings.
export { diffProfiles, type ProfileOrPipeline } from './diff-profiles.js';
export { diffRankings, diffText } from './ranking/index.js';
export type { CandidateMove, Influence, RankingCounts, RankingDiff, RankingDiffOptions } from './ranking/index.js';

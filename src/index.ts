/**
 * For those who embed Assize: profiles in, rankings out.
 *
 * @module
 */

// Profiles in.
export { createPipeline, type PipelineOptions } from './container.js';
export { type Context, type ServiceBinding, scorer, veto } from './contract/index.js';
export type { Description, PruningFacts } from './pipeline/description.js';
export type { Pipeline } from './pipeline/pipeline.js';
export type { RankOptions, ScoreOptions } from './pipeline/rank-options.js';
export type { ProfileInput } from './profile/schema.js';
export type { Progress, ProgressStep } from './services/progress.js';
export type { CallBudget } from './stages/budget.js';

// Rankings out.
export type { Ranking } from './pipeline/ranking.js';
export type { LeftOut, Placed, Ranked, Refused, Scored, Selected, Spared } from './pipeline/rows.js';
export type { ScoreStream } from './pipeline/score-stream.js';
export type { RankStreamOptions } from './pipeline/stream/rank-stream.js';
export type { LeftOutCount, RefusedCount, TopCounts, TopRanking } from './pipeline/stream/top-ranking.js';
export { CELL_STATES, type CellState, type Column, type ScoreMatrix } from './matrix/score-matrix.js';
export type { Refusal } from './matrix/verdict.js';
export type { Degraded } from './stages/failures.js';
export type { BudgetUse } from './stages/pack.js';

// Files of candidates, in several threads.
export { rankFile, type RankFileOptions } from './files/rank-file.js';

// What is wrong.
export { AssizeError, type Place, type Problem, type ProblemCode } from './contract/index.js';

// Why a candidate came out as it did.
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
export type { Plain } from './explain/plain.js';
export { type ExplanationTextOptions, explanationText } from './explain/text.js';

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
} from './explain/comparison.js';
export { comparisonText } from './explain/comparison-text.js';
export type { Change } from './profile/amend.js';

// What differs between two rankings.
export { diffProfiles, type ProfileOrPipeline } from './diff-profiles.js';
export { diffText } from './explain/diff-text.js';
export type { Influence, Move, RankingCounts, RankingDiff } from './explain/ranking-diff.js';
export { type DiffOptions, diffRankings } from './pipeline/explain/diff.js';

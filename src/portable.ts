/**
 * What every entry point exports, whether it has Node or not: `index.ts` adds files and threads.
 *
 * @module
 */

// Profiles in.
export {
  type Ask,
  type Asked,
  type AskOptions,
  type Context,
  type Progress,
  type ProgressStep,
  type ServiceBinding,
  scorer,
  veto,
} from './contract/index.js';

// What those see who follow a run: the messages of the tracing channels.
export type {
  ModelMessage,
  PrepareMessage,
  RunMessage,
  StageMessage,
  TracedCall,
  TracedOutcome,
  TracedStage,
  TraceMessages,
} from './contract/index.js';
export type { CallBudget } from './engine/index.js';
export type { Pipeline } from './pipeline.js';
export type {
  CandidateRead,
  Labels,
  ProfileDescription,
  ProfileInput,
  ProfileSource,
  ProfileText,
  PruningFacts,
  Trust,
} from './profile/index.js';
export type { RankOptions, ScoreOptions } from './ranking/index.js';

// Candidates in, by column.
export { type ColumnData, columns, type ColumnSet, type ColumnsOptions, type RowOf } from './columns/index.js';
export type { DictionaryColumn, NullableColumn, NumberArray } from './columns/index.js';

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
  EntryWeights,
  FiredRule,
  LeftOut,
  LeftOutCount,
  MatrixData,
  NumberByScorer,
  Placed,
  Pruned,
  Ranked,
  Ranking,
  Refused,
  RefusedCount,
  RuleColumn,
  Scored,
  ScoreMatrix,
  ScoreTerms,
  Selected,
  SelectionNote,
  TopCounts,
} from './ranking/index.js';
export type { RankStreamOptions, ScoreStream, ScoreStreamOptions, TopRanking } from './stream/index.js';

// What is wrong.
export { AssizeError, type Fault, faultOf, type Place, type Problem, type ProblemCode } from './diagnostics/index.js';

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
export { comparisonText, waysToWinText } from './explain/index.js';
export type {
  CombineComparison,
  ComparedCandidate,
  Comparison,
  Decision,
  Flips,
  NumberFlip,
  EntryRemoval,
  FieldChange,
  RemovalFlip,
  RuleComparison,
  RuleSide,
  Side,
  TermComparison,
  TermSide,
  WaysToWin,
  WeightChange,
  WinGoal,
} from './explain/index.js';
export type { PlanOverrides } from './engine/index.js';
export type { Change } from './profile/index.js';

// What differs between two rankings.
export { diffRankings, diffText } from './ranking/index.js';
export type { CandidateMove, Influence, RankingCounts, RankingDiff, RankingDiffOptions } from './ranking/index.js';

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
  scorer,
  veto,
  type ServiceBinding,
  type Progress,
  type ProgressStep,
  type Context,
  type ModelMessage,
  type PrepareMessage,
  type RunMessage,
  type StageMessage,
  type TracedCall,
  type TracedOutcome,
  type TracedStage,
  type TraceMessages,
} from './sdk/index.js';

// What those see who follow a run: the messages of the tracing channels.
export {
  type CallBudget,
  type CallBudgetKeys,
  CELL_STATES,
  type CellState,
  type Degraded,
  type FailureCause,
  type Refusal,
  type BudgetOptimality,
  type BudgetUse,
  type PlanOverrides,
} from './engine/index.js';
export type {
  Partition,
  PartitionContext,
  Pipeline,
  RankPartitionsOptions,
  RankStreamOptions,
  ScoreStream,
  ScoreStreamOptions,
  ServiceContainer,
  TopRanking,
} from './pipeline/index.js';
export type {
  CandidateRead,
  ContextField,
  ProfileDescription,
  PruningFacts,
  Labels,
  ProfileInput,
  ProfileSource,
  ProfileText,
  Trust,
  Change,
} from './profile/index.js';
export {
  type RankOptions,
  type ScoreOptions,
  type Ranking,
  type NotSelected,
  type NotSelectedCount,
  type Placed,
  type Pruned,
  type Ranked,
  type RankingResult,
  type Refused,
  type RefusedCount,
  type Scored,
  type Selected,
  type SelectionNote,
  type SelectedVariant,
  type TopCounts,
  type Which,
  type Column,
  type EntryWeights,
  type MatrixData,
  type RuleColumn,
  type ScoreMatrix,
  type FiredRule,
  type NumberByScorer,
  type ScoreTerms,
  explanationMarkdown,
  explanationParts,
  explanationText,
  evaluate,
  nodesOfKind,
  type CandidateOutcome,
  type CombineNode,
  type EntryNode,
  type Explanation,
  type ExplanationColumn,
  type ExplanationNode,
  type ExplanationNodes,
  type ExplanationParts,
  type FieldNode,
  type NotSelectedTerm,
  type MeasureNode,
  type NoteNode,
  type RefusalTerm,
  type RuleNode,
  type ScorerNode,
  type SelectionTerm,
  type StageNode,
  type StepNode,
  type VetoNode,
  type ExplanationTextOptions,
  comparisonText,
  waysToWinText,
  type CombineComparison,
  type ComparedCandidate,
  type Comparison,
  type Decision,
  type Flips,
  type NumberFlip,
  type RemovalFlip,
  type RuleComparison,
  type RuleSide,
  type Side,
  type TermComparison,
  type TermSide,
  type EntryRemoval,
  type FieldChange,
  type WaysToWin,
  type WeightChange,
  type WinGoal,
  diffRankings,
  diffText,
  type CandidateMove,
  type Influence,
  type RankingCounts,
  type RankingDiff,
  type RankingDiffOptions,
  influences,
} from './ranking/index.js';

// Candidates in, by column.
export {
  type ColumnData,
  type GroupKey,
  columns,
  type ColumnSet,
  type ColumnsOptions,
  type RowOf,
  type DictionaryColumn,
  type NullableColumn,
  type NumberArray,
} from './data/index.js';

// Rankings out.

// What is wrong.
export {
  type Fault,
  faultOf,
  type ProblemCode,
  AssizeError,
  type Place,
  type Problem,
  type JsonValue,
  didYouMean,
  toAssizeError,
} from './base/index.js';

// Why a candidate came out as it did.

// What decides between two candidates, and what would be otherwise.

// What differs between two rankings.

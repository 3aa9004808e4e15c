/**
 * The exports of `ranking` for other modules.
 *
 * @module
 */

export {
  type CandidateMove,
  diffRankings,
  diffText,
  type Influence,
  influences,
  type RankingCounts,
  type RankingDiff,
  type RankingDiffOptions,
} from './diff.js';
export { comparisonText, waysToWinText } from './explain/comparison-text.js';
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
export { contributionOf, refusalReason } from './explain/explain-score.js';
export { explanationMarkdown } from './explain/explanation-markdown.js';
export { explanationText } from './explain/explanation-text.js';
export {
  type CombineNode,
  type EntryNode,
  evaluate,
  type Explanation,
  type ExplanationColumn,
  type ExplanationNode,
  type ExplanationNodes,
  type ExplanationParts,
  explanationParts,
  type FieldNode,
  type MeasureNode,
  nodesOfKind,
  type NoteNode,
  type RuleNode,
  type ScorerNode,
  type StageNode,
  type StepNode,
  type VetoNode,
} from './explain/explanation.js';
export { deepFreeze } from './explain/json-value.js';
export type { CandidateOutcome, NotSelectedTerm, RefusalTerm, SelectionTerm } from './explain/outcome.js';
export { outcomeText } from './explain/outcome.js';
export { noteProblem } from './explain/reason-text.js';
export type { ExplanationTextOptions } from './explain/text-parts.js';
export type { EntryRemoval, FieldChange, WaysToWin, WeightChange, WinGoal } from './explain/ways-to-win.js';
export {
  absentContextWarnings,
  failedInputWarnings,
  infiniteDateWarnings,
  SAMPLE_SIZE,
  UnseenPaths,
} from './input-warnings.js';
export type { RankOptions, ScoreOptions } from './rank-options.js';
export {
  idJson,
  rankingJson,
  type RankingJsonOptions,
  rankingJsonText,
  rowJson,
  rowJsonAt,
  type ScoreRow,
  termsOf,
} from './ranking-json.js';
export { rankByModel, Ranking } from './ranking.js';
export { refusedRow, scoreOne } from './result-rows.js';
export {
  EXAMPLES_PER_REASON,
  type NotSelected,
  type NotSelectedCount,
  notSelectedCounts,
  type Placed,
  type Pruned,
  type Ranked,
  type RankingResult,
  type Refused,
  type RefusedCount,
  refusedCounts,
  type Scored,
  type Selected,
  type SelectionNote,
  type SelectedVariant,
  type TopCounts,
  type Which,
} from './rows.js';
export { streamWarnings } from './run-warnings.js';
export { type Column, type EntryWeights, type MatrixData, type RuleColumn, ScoreMatrix } from './score-matrix.js';
export { type FiredRule, type NumberByScorer, positionsOf, type ScoreTerms, TermsReader } from './score-terms.js';
export { createRanking } from './create-ranking.js';
export {
  BATCH_ROWS,
  checkId,
  type GroupRows,
  resultColumns,
  ResultRows,
  type ResultTableOptions,
} from './result-table.js';

/**
 * The result of a run: the ranking, its rows, its matrix, its warnings, and what-if.
 * What other rooms use of this one.
 *
 * @module
 */

export {
  EXAMPLES_PER_REASON,
  type LeftOutCount,
  leftOutCounts,
  type RefusedCount,
  refusedCounts,
  type TopCounts,
  type LeftOut,
  type Placed,
  type Pruned,
  type Ranked,
  type Refused,
  type Scored,
  type Selected,
  type SelectionNote,
} from './rows.js';
export { refusedRow, scoreOne } from './result-rows.js';
export {
  diffRankings,
  type RankingDiffOptions,
  diffText,
  type CandidateMove,
  type Influence,
  type RankingCounts,
  type RankingDiff,
} from './diff.js';
export type { RankOptions, ScoreOptions } from './rank-options.js';
export { rankByModel, Ranking } from './ranking.js';
export { rankingJson, type RankingJsonOptions } from './ranking-json.js';
export { type Column, type EntryWeights, type MatrixData, type RuleColumn, ScoreMatrix } from './score-matrix.js';
export { type FiredRule, type NumberByScorer, type ScoreTerms, TermsReader } from './score-terms.js';
export {
  absentContextWarnings,
  infiniteDateWarnings,
  SAMPLE_SIZE,
  UnseenPaths,
  failedInputWarnings,
} from './input-warnings.js';
export {
  columnStats,
  type ColumnStats,
  mergeColumnStats,
  mergeRescaledScores,
  NONE_RESCALED,
  type RescaledScores,
  rescaledScores,
} from './score-warnings.js';
export { streamWarnings } from './run-warnings.js';
export { createRanking } from './what-if.js';

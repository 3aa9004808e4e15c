/**
 * The result of a run: the ranking, its rows, its matrix, its warnings, and what-if.
 * What other rooms use of this one.
 *
 * @module
 */

export { refusedRow } from './candidate-row.js';
export {
  EXAMPLES_PER_REASON,
  type LeftOutCount,
  leftOutCounts,
  type RefusedCount,
  refusedCounts,
  type TopCounts,
} from './counts.js';
export { diffRankings, type RankingDiffOptions } from './diff/diff-rankings.js';
export { diffText } from './diff/diff-text.js';
export type { CandidateMove, Influence, RankingCounts, RankingDiff } from './diff/ranking-diff.js';
export type { RankOptions, ScoreOptions } from './rank-options.js';
export { rankByModel, Ranking } from './ranking.js';
export { rankingJson, type RankingJsonOptions } from './ranking-json.js';
export type { LeftOut, Placed, Pruned, Ranked, Refused, Scored, Selected, SelectionNote } from './rows.js';
export { type Column, type EntryWeights, type MatrixData, type RuleColumn, ScoreMatrix } from './score-matrix.js';
export { type FiredRule, type NumberByScorer, type ScoreTerms, TermsReader } from './score-terms.js';
export { scoreOne } from './score-one.js';
export { absentContextWarnings } from './warnings/absent-context.js';
export { infiniteDateWarnings, SAMPLE_SIZE, UnseenPaths } from './warnings/absent-paths.js';
export { columnStats, type ColumnStats, mergeColumnStats } from './warnings/column-stats.js';
export {
  mergeRescaledScores,
  NONE_RESCALED,
  type RescaledScores,
  rescaledScores,
} from './warnings/rescaled-scores.js';
export { failedInputWarnings } from './warnings/failed-inputs.js';
export { streamWarnings } from './warnings/run-warnings.js';
export { createRanking } from './what-if.js';

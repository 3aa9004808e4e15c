/**
 * The names that other modules import from `evaluate`.
 *
 * @module
 */

export {
  type AblatedPart,
  type Ablation,
} from './ablation.js';
export {
  compareProfiles,
  type CompareProfilesOptions,
  type Difference,
  type QueryDifference,
  type ShownVerdict,
  type Verdict,
  verdictOf,
} from './compare-profiles.js';
export { curveAt, type CurvePoint, directionOf, histogramOf, plotCurve } from './curves.js';
export {
  compareLabelled,
  type EvaluateLabelledOptions,
  type LabelledDifference,
  type LabelledEvaluation,
  type LabelledProfile,
} from './evaluate-labelled.js';
export {
  drawnOrder,
  type EvaluateOptions,
  type Evaluation,
  judgedRanking,
  type ProfileValues,
} from './evaluate-profiles.js';
export { checkLabel, checkQueries, isRankable, type JudgedQuery, type Judgements } from './judged-query.js';
export {
  auc,
  findLabelledMeasure,
  LABELLED_MEASURES,
  type LabelledMeasureName,
} from './measures/labelled-measures.js';
export {
  type AskedMeasure,
  judge,
  type Measured,
  type MeasureName,
  measureRun,
  MEASURES,
  parseMeasure,
} from './measures/measures.js';
export { type JudgedRanking, judgedShare } from './measures/ranking-measures.js';
export type {
  EvaluationReport,
  MovedQuery,
  ReportedAblation,
  ReportedCurve,
} from './report/report.js';
export {
  dataText,
  differenceText,
  distrustText,
  EARNS_TEXT,
  estimateText,
  leadTexts,
  moveText,
  pText,
  queriesText,
  smallestText,
  tooFewText,
  valueColumns,
  valueText,
} from './report/words.js';
export { meanOf, type Random, randomNormal, seededRandom } from './significance/distributions.js';
export {
  aucDifference,
  type Estimate,
  estimateMean,
  type Interval,
  type LabelledRows,
  pOf,
  tInterval,
} from './significance/intervals.js';
export {
  holm,
  pairedT,
  permutationTest,
  signTest,
  wilcoxon,
} from './significance/tests.js';

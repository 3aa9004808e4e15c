/**
 * The names that other modules import from `evaluate`.
 *
 * @module
 */

export { type AblatedPart, type Ablation } from './ablation.js';
export { compareProfiles, type CompareProfilesOptions } from './compare-profiles.js';
export { type Difference, differencesFrom, type QueryDifference, type Sampling, type Verdict } from './differences.js';
export { curveAt, type CurvePoint, directionOf, histogramOf } from './curves.js';
export { plotCurve } from './report/plot-curve.js';
export {
  compareLabelled,
  type EvaluateLabelledOptions,
  type LabelledDifference,
  type LabelledEvaluation,
  type LabelledProfile,
} from './evaluate-labelled.js';
export { drawnOrder, type EvaluateOptions, type Evaluation, type ProfileValues } from './evaluate-profiles.js';
export { checkLabel, type JudgedQuery, type Judgements } from './judged-query.js';
export { auc, LABELLED_MEASURES, type LabelledMeasureName } from './measures/labelled-measures.js';
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
export type { EvaluationReport, MovedQuery, ReportedAblation, ReportedCurve } from './report/report.js';
export { dataText, EARNS_TEXT, leadTexts, moveText, smallestText, valueColumns } from './report/words.js';
export { differenceText, estimateText, pText, queriesText, valueText } from './report/value-texts.js';
export { meanOf, type Random, seededRandom } from './significance/distributions.js';
export { type Interval } from './significance/intervals.js';
export { holm, pairedT, permutationTest, signTest, wilcoxon } from './significance/tests.js';

/**
 * The measures of rankings and their statistics, without Node: for pages, workers of pages and edge runtimes. Data sets,
 * profiles and reports are in `@assize/evaluate`.
 *
 * @module
 */

// Measures of judged queries.
export {
  type AskedMeasure,
  type Measured,
  type MeasureName,
  measureRun,
  MEASURES,
  parseMeasure,
} from './measures/measures.js';
export { curveAt, type CurvePoint } from './curves.js';
export { judgedShare, type JudgedRanking } from './measures/ranking-measures.js';
export type { Judgements } from './judged-query.js';
export { meanOf } from './significance/distributions.js';

// Measures of labels, without queries.
export { auc, LABELLED_MEASURES, type LabelledMeasureName } from './measures/labelled-measures.js';

// Whether a difference is real.
export { type Difference, differencesFrom, type QueryDifference, type Sampling, type Verdict } from './differences.js';
export type { Evaluation, ProfileValues } from './evaluate-profiles.js';
export type { Interval } from './significance/intervals.js';
export type { JudgedQuery } from './judged-query.js';

// Values as text.
export { differenceText, estimateText, pText, queriesText, valueText } from './report/value-texts.js';

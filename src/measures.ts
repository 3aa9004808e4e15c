/**
 * The measures of rankings and their statistics, without Node: for pages, workers of pages and edge runtimes. Data sets,
 * profiles and reports are in `assize/evaluate`.
 *
 * @module
 */

// Measures of judged queries.
export {
  type AskedMeasure,
  curveAt,
  type CurvePoint,
  judgedShare,
  type JudgedRanking,
  type Judgements,
  meanOf,
  type Measured,
  type MeasureName,
  measureRun,
  MEASURES,
  parseMeasure,
} from './evaluate/index.js';

// Measures of labels, without queries.
export { auc, LABELLED_MEASURES, type LabelledMeasureName } from './evaluate/index.js';

// Whether a difference is real.
export {
  type Difference,
  differencesFrom,
  type Evaluation,
  type Interval,
  type JudgedQuery,
  type ProfileValues,
  type QueryDifference,
  type Sampling,
  type Verdict,
} from './evaluate/index.js';

// Values as text.
export { differenceText, estimateText, pText, queriesText, valueText } from './evaluate/index.js';

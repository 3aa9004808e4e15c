/**
 * How good a ranking is, by judgements, and whether a difference is real.
 *
 * @module
 */

export { checkLabel } from './check-label.js';
export {
  compareProfiles,
  type CompareProfilesOptions,
  type Difference,
  type QueryDifference,
} from './compare-profiles.js';
export type { Dataset, DatasetOptions } from './dataset/dataset.js';
export { readJudgements } from './dataset/judgement-file.js';
export { readDataset } from './dataset/read-dataset.js';
export { evaluateProfiles, type EvaluateOptions, type Evaluation, type ProfileValues } from './evaluate-profiles.js';
export type { JudgedQuery } from './judged-query.js';
export type { JudgedRanking } from './judged-ranking.js';
export type { Judgements } from './judgements.js';
export { judge, type Measured, measureRun } from './measure-run.js';
export { auc, averagePrecisionOf, type Labelled } from './measures/binary.js';
export { type MeasureName, MEASURES } from './measures/measure-table.js';
export { type AskedMeasure, parseMeasure } from './measures/parse-measure.js';
export { kendallTauB, spearman } from './measures/rank-correlation.js';
export { benjaminiHochberg, holm } from './significance/multiple.js';
export { pairedT, type TestResult, wilcoxon } from './significance/paired-tests.js';
export { type Random, seededRandom } from './significance/random.js';
export { bootstrapMean, type BootstrapOptions, type Interval, permutationTest } from './significance/resampling.js';
export { readQrels, readRun, type Run, type ScoredId, writeRun } from './trec/read-trec.js';

/**
 * How good a ranking is, by judgements, and whether a difference is real.
 *
 * @module
 */

export {
  ablateLabelled,
  ablateProfile,
  type Ablation,
  type AblatedPart,
  type PartEarning,
  type FixedPart,
  type ProfilePart,
} from './ablation.js';
export { checkLabel, type JudgedQuery, type Judgements } from './judged-query.js';
export {
  compareProfiles,
  type CompareProfilesOptions,
  type Difference,
  type QueryDifference,
  type Verdict,
} from './compare-profiles.js';
export type { CurvePoint } from './curves.js';
export { type Dataset, type DatasetOptions, readDataset } from './dataset/read-dataset.js';
export { readJudgements } from './dataset/judge-queries.js';
export {
  type DataSketch,
  leakWarnings,
  overlapOf,
  readSketch,
  sketchOf,
  sketchText,
  tunedOnWarning,
} from './dataset/leaks.js';
export { type JudgedPair, pairLines, readPairs } from './dataset/pairs.js';
export {
  type DrawnTies,
  drawnOrder,
  evaluateProfiles,
  type EvaluateOptions,
  type Evaluation,
  type ProfileValues,
} from './evaluate-profiles.js';
export {
  type CheckedExpectations,
  checkExpectations,
  type CheckExpectationsOptions,
} from './expect/check-expectations.js';
export { type ExpectedCase, type Expectations, needCandidates, readExpectations } from './expect/expectations.js';
export type { JudgedRanking } from './measures/ranking-measures.js';
export {
  compareLabelled,
  type LabelledDifference,
  evaluateLabelled,
  type EvaluateLabelledOptions,
  type LabelledEvaluation,
  type LabelledProfile,
} from './evaluate-labelled.js';
export {
  LABELLED_MEASURES,
  type LabelledMeasureName,
  auc,
  averagePrecisionOf,
  type Labelled,
  kendallTauB,
  spearman,
} from './measures/labelled-measures.js';
export {
  judge,
  type Measured,
  measureRun,
  type MeasureName,
  MEASURES,
  type AskedMeasure,
  parseMeasure,
} from './measures/measures.js';
export {
  compareInterleaved,
  type InterleavedComparison,
  type Credit,
  creditOf,
  type DraftedItem,
  type Team,
  teamDraft,
  type ShadowCounts,
  type ShadowedPipeline,
  type ShadowOptions,
  withShadow,
} from './online.js';
export { makeReport, type ReportOptions } from './report/make-report.js';
export type {
  EvaluationReport,
  JudgedMove,
  MovedQuery,
  ReportedAblation,
  ReportedCurve,
  ReportedProfile,
  ReportedValue,
} from './report/report.js';
export {
  benjaminiHochberg,
  holm,
  pairedT,
  type TestResult,
  wilcoxon,
  bootstrapMean,
  type BootstrapOptions,
  permutationTest,
  signTest,
} from './significance/tests.js';
export { type Random, seededRandom } from './significance/distributions.js';
export type { Interval } from './significance/intervals.js';
export { readQrels, readRun, type Run, type ScoredId, writeRun } from './trec.js';

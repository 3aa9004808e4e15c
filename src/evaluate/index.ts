/**
 * How good a ranking is, by judgements, and whether a difference is real.
 *
 * @module
 */

export { ablateLabelled } from './ablation/ablate-labelled.js';
export { ablateProfile, type Ablation } from './ablation/ablate-profile.js';
export type { AblatedPart, PartEarning } from './ablation/earnings.js';
export type { FixedPart, ProfilePart } from './ablation/variants.js';
export { checkLabel } from './check-label.js';
export {
  compareProfiles,
  type CompareProfilesOptions,
  type Difference,
  type QueryDifference,
  type Verdict,
} from './compare-profiles.js';
export type { CurvePoint } from './curves/curve.js';
export type { Dataset, DatasetOptions } from './dataset/dataset.js';
export { readJudgements } from './dataset/judgement-file.js';
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
export { readDataset } from './dataset/read-dataset.js';
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
export { type ExpectedCase, type Expectations, needCandidates, readExpectations } from './expect/read-expectations.js';
export type { JudgedQuery } from './judged-query.js';
export type { JudgedRanking } from './judged-ranking.js';
export type { Judgements } from './judgements.js';
export { compareLabelled, type LabelledDifference } from './labelled/compare-labelled.js';
export {
  evaluateLabelled,
  type EvaluateLabelledOptions,
  type LabelledEvaluation,
  type LabelledProfile,
} from './labelled/evaluate-labelled.js';
export { LABELLED_MEASURES, type LabelledMeasureName } from './labelled/labelled-measures.js';
export { judge, type Measured, measureRun } from './measure-run.js';
export { auc, averagePrecisionOf, type Labelled } from './measures/binary.js';
export { type MeasureName, MEASURES } from './measures/measure-table.js';
export { type AskedMeasure, parseMeasure } from './measures/parse-measure.js';
export { kendallTauB, spearman } from './measures/rank-correlation.js';
export { compareInterleaved, type InterleavedComparison } from './online/compare-interleaved.js';
export { type Credit, creditOf, type DraftedItem, type Team, teamDraft } from './online/team-draft.js';
export { type ShadowCounts, type ShadowedPipeline, type ShadowOptions, withShadow } from './online/with-shadow.js';
export { makeReport, type ReportOptions } from './report/make-report.js';
export type { JudgedMove } from './report/query-moves.js';
export type {
  EvaluationReport,
  MovedQuery,
  ReportedAblation,
  ReportedCurve,
  ReportedProfile,
  ReportedValue,
} from './report/report.js';
export { benjaminiHochberg, holm } from './significance/multiple.js';
export { pairedT, type TestResult, wilcoxon } from './significance/paired-tests.js';
export { type Random, seededRandom } from './significance/random.js';
export type { Interval } from './significance/intervals.js';
export { bootstrapMean, type BootstrapOptions, permutationTest } from './significance/resampling.js';
export { signTest } from './significance/sign-test.js';
export { readQrels, readRun, type Run, type ScoredId, writeRun } from './trec/read-trec.js';

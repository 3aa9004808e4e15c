/**
 * How good a ranking is, by judgements, and whether a difference is real.
 *
 * @module
 */

export type { Ablation, AblatedPart } from './ablation.js';
export { checkLabel, type JudgedQuery, type Judgements } from './judged-query.js';
export { compareProfiles, type CompareProfilesOptions } from './compare-profiles.js';
export type { Difference, QueryDifference, Verdict } from './differences.js';
export type { EvaluateOptions, Evaluation, ProfileValues } from './evaluate-profiles.js';
export {
  compareLabelled,
  type LabelledDifference,
  type EvaluateLabelledOptions,
  type LabelledEvaluation,
  type LabelledProfile,
} from './evaluate-labelled.js';
export { LABELLED_MEASURES, type LabelledMeasureName } from './measures/labelled-measures.js';
export {
  type Measured,
  measureRun,
  type MeasureName,
  MEASURES,
  type AskedMeasure,
  parseMeasure,
} from './measures/measures.js';
export type { EvaluationReport } from './report/report.js';
export type { Interval } from './significance/intervals.js';
export {
  ablateLabelled,
  ablateProfile,
  evaluateLabelled,
  evaluateProfiles,
  measureJudges,
  type NamedProfiles,
} from './open-profiles.js';
export { type Dataset, type DatasetOptions, readDataset } from './dataset/read-dataset.js';
export { readJudgements } from './dataset/judge-queries.js';
export { type JudgedPair, readPairs } from './dataset/pairs.js';
export type { JudgeCost } from './judge/ask-judge.js';
export type { JudgeAspect, JudgeMeasure, JudgeReport, MeasuredJudge } from './judge/judge-report.js';
export type { MeasureJudgesOptions } from './judge/measure-judges.js';
export {
  compareInterleaved,
  type InterleavedComparison,
  creditOf,
  type DraftedItem,
  teamDraft,
  type ShadowedPipeline,
  type ShadowOptions,
  withShadow,
} from './online.js';
export { makeReport, type ReportOptions } from './report/make-report.js';
export { readQrels, readRun, writeRun } from './trec.js';
export {
  assertScore,
  type Assertion,
  type AssertionContext,
  type AssertionResult,
  scoreAssertion,
  type ScoreAssertionOptions,
} from './promptfoo.js';

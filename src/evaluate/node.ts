/**
 * The names of `evaluate` that need Node.
 *
 * @module
 */

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
export { type Dataset, type DatasetOptions, readDataset } from './dataset/read-dataset.js';
export {
  type CheckedExpectations,
  checkExpectations,
  type CheckExpectationsOptions,
} from './expect/check-expectations.js';
export { type Expectations, needCandidates, readExpectations } from './expect/expectations.js';
export {
  compareInterleaved,
  creditOf,
  type DraftedItem,
  type InterleavedComparison,
  type ShadowedPipeline,
  type ShadowOptions,
  type Team,
  teamDraft,
  withShadow,
} from './online.js';
export {
  ablateLabelled,
  ablateProfile,
  evaluateLabelled,
  evaluateProfiles,
  type NamedProfiles,
} from './open-profiles.js';
export { queryWarnings } from './query-warnings.js';
export { makeReport, type ReportOptions } from './report/make-report.js';
export { readQrels, readRun, type Run, writeRun } from './trec.js';

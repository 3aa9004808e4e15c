/**
 * The names of `evaluate` that need Node.
 *
 * @module
 */

export { readJudgements } from './dataset/judge-queries.js';
export { leakWarnings, overlapOf, readSketch, sketchOf, tunedOnWarning } from './dataset/leaks.js';
export { type JudgedPair, pairLines, readPairs } from './dataset/pairs.js';
export { type Dataset, type DatasetOptions, readDataset } from './dataset/read-dataset.js';
export {
  compareInterleaved,
  creditOf,
  type DraftedItem,
  type InterleavedComparison,
  type ShadowedPipeline,
  type ShadowOptions,
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
export { makeReport, type ReportOptions } from './report/make-report.js';
export { readQrels, readRun, writeRun } from './trec.js';
export {
  type Answered,
  type Asked,
  type AskedScorer,
  askedText,
  askedYaml,
  type AskOptions,
  askWeights,
  type Question,
  type Reply,
} from './tune/ask/ask-weights.js';
export type { HeldOut } from './tune/held-out.js';
export type { LearntFrom, LeftAlone } from './tune/prepare-search.js';
export type { ParamBounds, TuneOptions } from './tune/tune-options.js';
export { tuneWeights } from './tune/tune-weights.js';
export {
  heldOutText,
  learntFromText,
  smallestGainText,
  tunedYaml,
  type TunedYamlOptions,
  tuningLead,
} from './tune/tuned-yaml.js';
export type { FoundParam, TunedChange, TunedScorer, Tuning } from './tune/tuning.js';

/**
 * Finds weights and curves by which a profile ranks judged queries better, and shows whether it does.
 *
 * @module
 */

export {
  askWeights,
  type Answered,
  type Asked,
  type AskOptions,
  type Question,
  type Reply,
  type AskedScorer,
  askedText,
  askedYaml,
} from './ask/ask-weights.js';
export type { CurvePoint } from '../evaluate/curves.js';
export type { TuneStep, TuneOptions, ParamBounds } from './tune-options.js';
export type { HeldOut } from './held-out.js';
export type { LearntFrom, LeftAlone } from './prepare-search.js';
export { type TunedYamlOptions, tunedYaml } from './tuned-yaml.js';
export { tuneWeights } from './tune-weights.js';
export type { FoundParam, TunedChange, TunedScorer, Tuning } from './tuning.js';

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
} from './ask/ask-weights.js';
export type { AskedScorer } from './ask/asked-scorers.js';
export { askedText, askedYaml } from './ask/asked-yaml.js';
export type { CurvePoint } from '../evaluate/curves/curve.js';
export type { TuneStep } from './effort.js';
export type { HeldOut } from './held-out/held-out.js';
export type { LearntFrom } from './prepare/learnable.js';
export type { TunedYamlOptions } from './output/extending-yaml.js';
export { tunedYaml } from './output/tuned-yaml.js';
export type { LeftAlone } from './prepare/tuned-entries.js';
export type { TuneOptions } from './tune-options.js';
export { tuneWeights } from './tune-weights.js';
export type { ParamBounds } from './params/tuned-params.js';
export type { FoundParam, TunedChange, TunedScorer, Tuning } from './tuning.js';

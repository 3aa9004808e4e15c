/**
 * The names that other modules import from `tune`.
 *
 * @module
 */

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
} from './ask/ask-weights.js';
export type { HeldOut } from './held-out.js';
export type { LearntFrom, LeftAlone } from './prepare-search.js';
export type { ParamBounds, TuneOptions } from './tune-options.js';
export { tuneWeights } from './tune-weights.js';
export {
  heldOutText,
  learntFromText,
  smallestGainText,
  tunedYaml,
  type TunedYamlOptions,
  tuningLead,
} from './tuned-yaml.js';
export type { FoundParam, TunedChange, TunedScorer, Tuning } from './tuning.js';

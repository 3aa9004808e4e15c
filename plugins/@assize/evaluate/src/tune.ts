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
} from './tune/ask/ask-weights.js';
export { heldOutText, learntFromText, type TunedYamlOptions, tunedYaml } from './tune/tuned-yaml.js';
export type { TuneOptions, ParamBounds } from './tune/tune-options.js';
export type { HeldOut } from './tune/held-out.js';
export type { LearntFrom, LeftAlone } from './tune/prepare-search.js';
export { tuneWeights } from './tune/tune-weights.js';
export type { FoundParam, TunedChange, TunedScorer, Tuning } from './tune/tuning.js';

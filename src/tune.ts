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
  heldOutText,
  learntFromText,
  type TuneOptions,
  type ParamBounds,
  type HeldOut,
  type LearntFrom,
  type LeftAlone,
  type TunedYamlOptions,
  tunedYaml,
  tuneWeights,
  type FoundParam,
  type TunedChange,
  type TunedScorer,
  type Tuning,
} from './evaluate/node.js';

/**
 * The plugin `core`: units for candidates of any kind. Every profile can use it.
 *
 * @module
 */
export { Alternatives, EachItem, ExpressionSignal } from './run-units.js';
export { BM25Scorer } from './bm25-scorer.js';
export { BoostedScorer, CompositeScorer } from './combined-scorers.js';
export { ComplexityScorer, CountScorer, DiversityScorer } from './list-scorers.js';
export { CoverageSelector } from './coverage-selector.js';
export { CurveScorer } from './curve-scorer.js';
export { DecayScorer, OutcomeScorer, ThresholdVeto } from './number-units.js';
export { GroupPack } from './group-pack.js';
export { LinearScorer } from './linear-scorer.js';
export { MmrSelector } from './mmr-selector.js';
export { ModelScorer } from './model-scorer.js';
export { NoveltyScorer, SimilarityVeto } from './nearest-neighbour.js';
export { OnnxScorer } from './onnx-scorer.js';
export { RankFusionScorer } from './rank-fusion-scorer.js';
export { SpreadSelector, WeightedPick } from './reordering-selectors.js';
export { ScaledScorer } from './scaled-scorer.js';
export { SemanticSimilarityScorer } from './semantic-similarity-scorer.js';

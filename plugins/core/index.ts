/**
 * The plugin `core`: units for candidates of any kind. Every profile can use it.
 *
 * @module
 */
export { Alternatives } from './run/alternatives.js';
export { BM25Scorer } from './words/bm25-scorer.js';
export { BoostedScorer } from './around/boosted-scorer.js';
export { ComplexityScorer } from './fields/complexity-scorer.js';
export { CompositeScorer } from './around/composite-scorer.js';
export { CoverageSelector } from './selection/coverage-selector.js';
export { CountScorer } from './fields/count-scorer.js';
export { CurveScorer } from './around/curve-scorer.js';
export { DecayScorer } from './fields/decay-scorer.js';
export { DiversityScorer } from './fields/diversity-scorer.js';
export { EachItem } from './run/each-item.js';
export { ExpressionSignal } from './run/expression-signal.js';
export { LinearScorer } from './models/linear-scorer.js';
export { MmrSelector } from './selection/mmr-selector.js';
export { ModelScorer } from './models/model-scorer.js';
export { NoveltyScorer } from './similarity/novelty-scorer.js';
export { OnnxScorer } from './models/onnx-scorer.js';
export { OutcomeScorer } from './fields/outcome-scorer.js';
export { RankFusionScorer } from './around/rank-fusion-scorer.js';
export { ScaledScorer } from './around/scaled-scorer.js';
export { SemanticSimilarityScorer } from './similarity/semantic-similarity-scorer.js';
export { SimilarityVeto } from './similarity/similarity-veto.js';
export { ThresholdVeto } from './fields/threshold-veto.js';

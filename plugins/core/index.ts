/**
 * The plugin `core`: units for candidates of any kind. Every profile can use it.
 *
 * @module
 */
export { Alternatives } from './alternatives.js';
export { BM25Scorer } from './bm25-scorer.js';
export { BoostedScorer } from './boosted-scorer.js';
export { ComplexityScorer } from './complexity-scorer.js';
export { CompositeScorer } from './composite-scorer.js';
export { CoverageSelector } from './coverage-selector.js';
export { CountScorer } from './count-scorer.js';
export { CurveScorer } from './curve-scorer.js';
export { DecayScorer } from './decay-scorer.js';
export { DiversityScorer } from './diversity-scorer.js';
export { EachItem } from './each-item.js';
export { ExpressionSignal } from './expression-signal.js';
export { LinearScorer } from './linear-scorer.js';
export { MmrSelector } from './mmr-selector.js';
export { ModelScorer } from './model-scorer.js';
export { NoveltyScorer } from './novelty-scorer.js';
export { OnnxScorer } from './onnx-scorer.js';
export { OutcomeScorer } from './outcome-scorer.js';
export { RankFusionScorer } from './rank-fusion-scorer.js';
export { ScaledScorer } from './scaled-scorer.js';
export { SemanticSimilarityScorer } from './semantic-similarity-scorer.js';
export { SimilarityVeto } from './similarity-veto.js';
export { ThresholdVeto } from './threshold-veto.js';

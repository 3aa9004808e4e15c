/**
 * The pack `cupel`: scorers for items that compete for a place in a language model's context, number for number as
 * Cupel computes them. Its CompositeScorer, ScaledScorer and DecayScorer are those of the pack `core`.
 *
 * @module
 */
export { FrequencyScorer } from './frequency-scorer.js';
export { KindScorer } from './kind-scorer.js';
export { MetadataKeyScorer } from './metadata-key-scorer.js';
export { MetadataTrustScorer } from './metadata-trust-scorer.js';
export { PriorityScorer } from './priority-scorer.js';
export { RecencyScorer } from './recency-scorer.js';
export { ReflexiveScorer } from './reflexive-scorer.js';
export { TagScorer } from './tag-scorer.js';

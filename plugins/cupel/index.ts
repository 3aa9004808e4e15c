/**
 * The plugin `cupel`: scorers for items that compete for a place in a language model's context, number for number as
 * Cupel computes them, and selectors that pack them into a budget and place them. Cupel's CompositeScorer, ScaledScorer
 * and DecayScorer are those of the plugin `core`.
 *
 * @module
 */
export { Chronological } from './chronological.js';
export { CountQuotaPack } from './count-quota-pack.js';
export { FrequencyScorer } from './frequency-scorer.js';
export { GreedyPack } from './greedy-pack.js';
export { KindScorer } from './kind-scorer.js';
export { KnapsackPack } from './knapsack-pack.js';
export { MetadataKeyScorer } from './metadata-key-scorer.js';
export { MetadataTrustScorer } from './metadata-trust-scorer.js';
export { PriorityScorer } from './priority-scorer.js';
export { QuotaPack } from './quota-pack.js';
export { RecencyScorer } from './recency-scorer.js';
export { ReflexiveScorer } from './reflexive-scorer.js';
export { TagScorer } from './tag-scorer.js';
export { TokenCountScorer } from './token-count-scorer.js';
export { UShaped } from './u-shaped.js';

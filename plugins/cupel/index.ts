/**
 * The plugin `cupel`: scorers for items that compete for a place in a language model's context, with the same numbers
 * as Cupel, and selectors that pack them into a budget and place them. Cupel's CompositeScorer, ScaledScorer and
 * DecayScorer are in the plugin `core`.
 *
 * @module
 */
export { Chronological, UShaped } from './placers.js';
export { CountQuotaPack } from './count-quota-pack.js';
export { FrequencyScorer } from './frequency-scorer.js';
export { GreedyPack } from './greedy-pack.js';
export { KindScorer, MetadataKeyScorer, MetadataTrustScorer, ReflexiveScorer, TagScorer } from './absolute-scorers.js';
export { KnapsackPack } from './knapsack-pack.js';
export { PriorityScorer, RecencyScorer } from './rank-scorers.js';
export { QuotaPack } from './quota-pack.js';
export { TokenCountScorer } from './token-count-scorer.js';

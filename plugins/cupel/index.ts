/**
 * The pack `cupel`: what selects and orders the context of a language model.
 *
 * @module
 */
export { Chronological } from './chronological.js';
export { CountQuotaPack } from './count-quota-pack.js';
export { GreedyPack } from './greedy-pack.js';
export { KnapsackPack } from './knapsack-pack.js';
export { QuotaPack } from './quota-pack.js';
export { TokenCountScorer } from './token-count-scorer.js';
export { UShaped } from './u-shaped.js';

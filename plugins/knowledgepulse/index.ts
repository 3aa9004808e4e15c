/**
 * The scoring of the KnowledgePulse SDK under its own names: a user changes the import and nothing else.
 *
 * @module
 */
export { evaluateValue } from './evaluate-value.js';
export type * from './evaluate-value.js';
export { VectorCache, type VectorCacheOptions } from './vector-cache.js';

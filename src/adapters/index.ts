/**
 * The names that other modules import from `adapters`.
 *
 * @module
 */

export { documentCandidates, rerankResult } from './rank-documents.js';

/**
 * The names that other modules import from `adapters`.
 *
 * @module
 */

export { documentsToRank } from './rank-documents.js';

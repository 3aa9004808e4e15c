/**
 * The names that other modules import from `adapters`.
 *
 * @module
 */

export {
  cutCount,
  documentCandidates,
  failureTexts,
  type RelevantDocument,
  relevantDocuments,
} from './rank-documents.js';

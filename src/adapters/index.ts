/**
 * What other modules use of `adapters`.
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

/**
 * A profile as a reranker: documents and a query in, documents with their relevance out.
 * What other rooms use of this one; frameworks have an entry each.
 *
 * @module
 */

export {
  documentCandidates,
  cutCount,
  failureTexts,
  type RelevantDocument,
  relevantDocuments,
} from './rank-documents.js';

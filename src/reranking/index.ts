/**
 * A profile as a reranker: documents and a query in, documents with their relevance out.
 * What other rooms use of this one; frameworks have an entry each.
 *
 * @module
 */

export { documentCandidates } from './document-candidates.js';
export { cutCount, failureTexts, type RelevantDocument, relevantDocuments } from './relevant-documents.js';

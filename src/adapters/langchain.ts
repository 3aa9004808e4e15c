/**
 * Uses a profile as a document compressor of LangChain.js.
 *
 * @module
 */
import type { Pipeline } from '../index.js';
import { checkReranker, rankDocuments, type RerankerOptions } from './rank-documents.js';

export type { RerankerOptions } from './rank-documents.js';

/** A document of LangChain.js: its `DocumentInterface`. */
export interface LangChainDocument {
  readonly pageContent: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly id?: string | undefined;
}

/** A document with its score. */
export type ScoredDocument<D extends LangChainDocument> = D & {
  readonly metadata: { readonly relevanceScore: number };
};

/** The interface of `BaseDocumentCompressor` of `@langchain/core`. */
export interface DocumentCompressor {
  /** Returns copies of the documents, of the same class, best first, with `metadata.relevanceScore`. */
  compressDocuments<D extends LangChainDocument>(documents: readonly D[], query: string): Promise<ScoredDocument<D>[]>;
}

/**
 * Creates a document compressor for LangChain.js, for example for its `ContextualCompressionRetriever`.
 *
 * A candidate is a document's metadata with its `id` and, in the field `serve.text` of the profile, its `pageContent`. The
 * query is stored in the context field `serve.query`. Refused and not selected documents are not returned.
 *
 * @throws AssizeError if the pipeline is not one (ASZ626), or an option is unknown (ASZ533)
 */
export function documentCompressor(pipeline: Pipeline, options: RerankerOptions = {}): DocumentCompressor {
  checkReranker('documentCompressor', pipeline, options);
  const { text } = pipeline.serve;
  return {
    async compressDocuments(given, query) {
      const candidates = given.map(({ pageContent, metadata, id }) => ({
        ...metadata,
        ...(id !== undefined && { id }),
        [text]: pageContent,
      }));
      const { documents } = await rankDocuments(pipeline, options, { candidates, query });
      return documents.map(({ index, relevance }) => withRelevance(given[index]!, relevance));
    },
  };
}

/** A copy of a document that keeps its class, which is unknown here. */
function withRelevance<D extends LangChainDocument>(document: D, relevanceScore: number): ScoredDocument<D> {
  return Object.assign(copyOf(document), { metadata: { ...document.metadata, relevanceScore } });
}

const copyOf = <D extends object>(value: D): D =>
  Object.create(Object.getPrototypeOf(value), Object.getOwnPropertyDescriptors(value));

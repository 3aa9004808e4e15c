/**
 * A profile as a document compressor of LangChain.js.
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

/** What `BaseDocumentCompressor` of `@langchain/core` declares. */
export interface DocumentCompressor {
  /** Copies of documents, of their own class, the best first, with `metadata.relevanceScore`. */
  compressDocuments<D extends LangChainDocument>(documents: readonly D[], query: string): Promise<ScoredDocument<D>[]>;
}

/**
 * A document compressor for LangChain.js, such as its `ContextualCompressionRetriever` takes.
 *
 * A candidate is a document's metadata, with its `id` and, as the profile's `serve.text`, its `pageContent`; the query is
 * the context's `serve.query`. What the profile refuses or leaves out is left out.
 *
 * @throws AssizeError where the pipeline is none (ASZ626), or an option is not known (ASZ533)
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

/** A copy of a document: LangChain's are of a class that is not known here. */
function withRelevance<D extends LangChainDocument>(document: D, relevanceScore: number): ScoredDocument<D> {
  return Object.assign(copyOf(document), { metadata: { ...document.metadata, relevanceScore } });
}

const copyOf = <D extends object>(value: D): D =>
  Object.create(Object.getPrototypeOf(value), Object.getOwnPropertyDescriptors(value));

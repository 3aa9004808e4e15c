/**
 * A profile as a node postprocessor of LlamaIndex.TS.
 *
 * @module
 */
import type { Pipeline } from '../index.js';
import { checkReranker, rankDocuments, type RerankerOptions } from './rank-documents.js';

export type { RerankerOptions } from './rank-documents.js';

/** A node of LlamaIndex.TS with its score: its `NodeWithScore`. */
export interface ScoredNode {
  readonly node: {
    readonly id_: string;
    readonly metadata: Readonly<Record<string, unknown>>;
    getContent(metadataMode?: string): string;
  };
  readonly score?: number | undefined;
}

/** A query of LlamaIndex.TS: a text, or parts, of which those that are texts are read. */
export type NodeQuery = string | readonly { readonly type: string }[];

/** What `BaseNodePostprocessor` of `@llamaindex/core` declares. */
export interface NodePostprocessor {
  /** The same nodes, the best first, with their new scores. Those given stay as they are. */
  postprocessNodes<N extends ScoredNode>(nodes: readonly N[], query?: NodeQuery): Promise<N[]>;
}

/** The content of a node without its metadata: `MetadataMode.NONE`. */
const TEXT_ALONE = 'NONE';

/**
 * A node postprocessor for LlamaIndex.TS, such as its query engines take.
 *
 * A candidate is a node's metadata, with its `id`, with the `score` that it came with and, as the profile's `serve.text`,
 * its text; the query is the context's `serve.query`. What the profile refuses or leaves out is left out.
 *
 * @throws AssizeError where the pipeline is none (ASZ626), or an option is not known (ASZ533)
 */
export function nodePostprocessor(pipeline: Pipeline, options: RerankerOptions = {}): NodePostprocessor {
  checkReranker('nodePostprocessor', pipeline, options);
  const { text } = pipeline.serve;
  return {
    async postprocessNodes(nodes, query) {
      const candidates = nodes.map(({ node, node: { id_: id }, score }) => ({
        ...node.metadata,
        id,
        ...(score !== undefined && { score }),
        [text]: node.getContent(TEXT_ALONE),
      }));
      const { documents } = await rankDocuments(pipeline, options, { candidates, query: queryText(query) });
      return documents.map(({ index, relevance }) => ({ ...nodes[index]!, score: relevance }));
    },
  };
}

function queryText(query: NodeQuery | undefined): string | undefined {
  if (typeof query !== 'object') return query;
  const texts = query.flatMap((part) => ('text' in part && typeof part.text === 'string' ? [part.text] : []));
  return texts.length === 0 ? undefined : texts.join('\n');
}

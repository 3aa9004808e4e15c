/**
 * Uses a profile as a node postprocessor of LlamaIndex.TS.
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

/** A query of LlamaIndex.TS: a text, or parts. Parts that are not texts are ignored. */
export type NodeQuery = string | readonly { readonly type: string }[];

/** The interface of `BaseNodePostprocessor` of `@llamaindex/core`. */
export interface NodePostprocessor {
  /** Returns copies of the nodes, best first, with new scores. The given nodes are not changed. */
  postprocessNodes<N extends ScoredNode>(nodes: readonly N[], query?: NodeQuery): Promise<N[]>;
}

/** The content of a node without its metadata: `MetadataMode.NONE`. */
const TEXT_ALONE = 'NONE';

/**
 * Creates a node postprocessor for LlamaIndex.TS, for example for its query engines.
 *
 * A candidate is a node's metadata with its `id`, its previous `score` and, in the field `serve.text` of the profile, its
 * text. The query is stored in the context field `serve.query`. Refused and not selected nodes are not returned.
 *
 * @throws AssizeError if the pipeline is not one (ASZ626), or an option is unknown (ASZ533)
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

/**
 * A profile as a reranking model of the AI SDK, and a reranking model of the AI SDK in a profile.
 *
 * @module
 */
import type { Pipeline } from '../index.js';
import { checkOptions, oneOf } from '../diagnostics/index.js';
import { documentCandidates } from './document-candidates.js';
import { checkReranker, rankDocuments, type RerankerOptions } from './rank-documents.js';
import { failureTexts } from './relevant-documents.js';
import type { RerankingModel, SpecificationVersion } from './reranking-model.js';

export { type AskedRerankingModel, type RerankerServiceOptions, rerankerService } from './reranker-service.js';
export type { RerankerOptions } from './rank-documents.js';
export type * from './reranking-model.js';

/** What a reranking model may be given besides its pipeline. */
export interface RerankingModelOptions<V extends SpecificationVersion = SpecificationVersion> extends RerankerOptions {
  /** The interface that it says it has: `v3`, which versions 6 and 7 of the AI SDK take, or `v4`, which 7 does. */
  readonly specificationVersion: V;
}

/** The provider's id, in messages, and the key of the `providerOptions` of a call. */
const PROVIDER = 'assize';

/**
 * A reranking model for the `rerank` of the AI SDK.
 *
 * A document that is a text becomes the candidate's `serve.text` of the profile, an object is the candidate; the query is
 * the context's `serve.query`, and `providerOptions: { assize: … }` is the rest of the context of one call. What the
 * profile refuses or leaves out is in no result. The result's `response.body` is the `Ranking`, which can explain.
 *
 * @throws AssizeError where the pipeline is none (ASZ626), or an option is not known (ASZ533)
 */
export function rerankingModel(pipeline: Pipeline, options?: RerankerOptions): RerankingModel<'v3'>;
export function rerankingModel<V extends SpecificationVersion>(
  pipeline: Pipeline,
  options: RerankingModelOptions<V>,
): RerankingModel<V>;
export function rerankingModel(
  pipeline: Pipeline,
  { specificationVersion = 'v3', ...others }: Partial<RerankingModelOptions> = {},
): RerankingModel {
  checkReranker('rerankingModel', pipeline, others);
  checkOptions('rerankingModel', { specificationVersion }, { specificationVersion: oneOf(['v3', 'v4']) });
  return {
    specificationVersion,
    provider: PROVIDER,
    modelId: pipeline.name,
    async doRerank({ documents: given, query, topN: top, abortSignal: abort, providerOptions }) {
      const candidates = documentCandidates(given.values, pipeline.serve.text);
      const context = providerOptions?.[PROVIDER];
      const call = { candidates, query, context, abort, top };
      const { documents, ranking } = await rankDocuments(pipeline, others, call);
      return {
        ranking: documents.map(({ index, relevance }) => ({ index, relevanceScore: relevance })),
        warnings: failureTexts(ranking).map((message) => ({ type: 'other', message })),
        response: { modelId: pipeline.name, body: ranking },
      };
    },
  };
}

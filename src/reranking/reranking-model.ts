/** The interfaces of reranking models of the AI SDK, which differ in their names alone. */
export type SpecificationVersion = 'v3' | 'v4';

/** A JSON object. */
type Fields = Readonly<Record<string, unknown>>;

/** Settings by provider. */
export type ProviderOptions = Readonly<Record<string, Fields>>;

/** What a reranking model is asked: the AI SDK's `RerankingModelV3CallOptions`. */
export interface RerankingCall {
  documents: { type: 'text'; values: string[] } | { type: 'object'; values: Fields[] };
  query: string;
  /** How many documents are wanted; all when not given. */
  topN?: number;
  abortSignal?: AbortSignal;
  providerOptions?: ProviderOptions;
  headers?: Record<string, string | undefined>;
}

/** What a reranking model answers. */
export interface RerankingResult {
  /** The best first; `index` is the position in the documents of the call. */
  ranking: { index: number; relevanceScore: number }[];
  warnings?: { type: 'other'; message: string }[];
  response?: { modelId?: string; body?: unknown };
}

/** A reranking model: the AI SDK's `RerankingModelV3` and `RerankingModelV4`. */
export interface RerankingModel<V extends SpecificationVersion = SpecificationVersion> {
  readonly specificationVersion: V;
  readonly provider: string;
  readonly modelId: string;
  doRerank(call: RerankingCall): PromiseLike<RerankingResult>;
}

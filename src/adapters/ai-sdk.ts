/**
 * Uses a profile as a reranking model of the AI SDK, and a reranking model of the AI SDK in a profile.
 *
 * @module
 */

import { timeoutSignal, type ServiceBinding } from '../sdk/index.js';
import { checkOptions, type OptionTypes, toAssizeError, describeValue, isObject } from '../base/index.js';
import type { Pipeline } from '../index.js';
import {
  abortable,
  quoteExternalText,
  EndpointError,
  retryAfterOf,
  type Reranker,
  RERANKERS,
  type Rerankers,
  type RerankRequest,
  scoresByIndex,
} from '../services/index.js';
import {
  checkReranker,
  documentCandidates,
  failureTexts,
  rankDocuments,
  type RerankerOptions,
} from './rank-documents.js';

export type { RerankerOptions } from './rank-documents.js';

/** The options of a reranking model. */
export interface RerankingModelOptions<V extends SpecificationVersion = SpecificationVersion> extends RerankerOptions {
  /** The declared interface version: `v3` for versions 6 and 7 of the AI SDK, or `v4` for version 7. */
  readonly specificationVersion: V;
}

/** The id of the provider in messages, and the key of `providerOptions` in a call. */
const PROVIDER = 'assize';

/**
 * Creates a reranking model for `rerank` of the AI SDK.
 *
 * Documents that are texts are stored in the candidate's field `serve.text` of the profile; objects are used as candidates.
 * The query is stored in the context field `serve.query`, and `providerOptions: { assize: … }` is the rest of the context
 * of a call. Refused and not selected documents are not returned. `response.body` of the result is the `Ranking`.
 *
 * @throws AssizeError if the pipeline is not one (ASZ626), or an option is unknown (ASZ533)
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
  checkOptions('rerankingModel', { specificationVersion }, { specificationVersion: { oneOf: ['v3', 'v4'] } });
  return {
    specificationVersion,
    provider: PROVIDER,
    modelId: pipeline.name,
    async doRerank({ documents: given, query, topN: top, abortSignal: signal, providerOptions }) {
      const candidates = documentCandidates(given.values, pipeline.serve.text);
      const context = providerOptions?.[PROVIDER];
      const call = { candidates, query, context, signal, top };
      const { documents, ranking } = await rankDocuments(pipeline, others, call);
      return {
        ranking: documents.map(({ index, relevance }) => ({ index, relevanceScore: relevance })),
        warnings: failureTexts(ranking).map((message) => ({ type: 'other', message })),
        response: { modelId: pipeline.name, body: ranking },
      };
    },
  };
}

/** The part of a reranking model of the AI SDK that is called, in any version. */
export interface AskedRerankingModel {
  readonly provider: string;
  readonly modelId: string;
  doRerank(call: RerankingCall): PromiseLike<{
    readonly ranking: readonly { readonly index: number; readonly relevanceScore: number }[];
  }>;
}

/** The options of each call to a reranking model. */
export interface RerankerServiceOptions {
  readonly providerOptions?: ProviderOptions;
  readonly headers?: Record<string, string>;
}

const OPTIONS: OptionTypes = { providerOptions: 'anything', headers: 'anything' };

/**
 * Binds a reranking model of the AI SDK for the `RerankerScorer`s of a profile:
 * `createPipeline(profile, { services: [rerankerService(cohere.reranking('rerank-v3.5'))] })`. The scorers set timeouts,
 * retries and budgets.
 *
 * @throws AssizeError if the model is not one (ASZ626), or an option is unknown (ASZ533)
 */
export function rerankerService(model: AskedRerankingModel, options: RerankerServiceOptions = {}): ServiceBinding {
  checkOptions('rerankerService', options, OPTIONS);
  if (!isObject(model) || typeof model['doRerank'] !== 'function') {
    const message = `rerankerService was given ${describeValue(model)}; expected a reranking model of the AI SDK`;
    throw toAssizeError([{ code: 'ASZ626', message, hint: "such as cohere.reranking('rerank-v3.5')" }]);
  }
  const value: Rerankers = {
    open({ url, model: named, keyEnv, options: fields, timeout }) {
      const idle = Object.entries({ url, model: named, key_env: keyEnv, options: fields }).find(([, set]) => set);
      if (idle) throw new TypeError(`${idle[0]} has no effect, because the reranking model is set in code: remove it`);
      return new BoundModel(model, options, timeout);
    },
  };
  return { token: RERANKERS, value };
}

class BoundModel implements Reranker {
  readonly name: string;

  constructor(
    private readonly model: AskedRerankingModel,
    private readonly options: RerankerServiceOptions,
    private readonly timeout: number,
  ) {
    this.name = `${model.modelId} of ${model.provider}`;
  }

  async rerank({ query, documents }: RerankRequest, abort: AbortSignal): Promise<readonly (number | undefined)[]> {
    const ranking = await this.#ask({ query, documents: { type: 'text', values: [...documents] } }, abort);
    const results = Array.isArray(ranking) ? ranking.map(readResult) : undefined;
    const scores = results
      ? scoresByIndex(documents.length, results)
      : `returned ${describeValue(ranking)} as its ranking`;
    if (typeof scores === 'string') throw new EndpointError('ASZ628', `${this.name} ${scores}`);
    return scores;
  }

  /** Stops waiting after the timeout, even if the model ignores the signal. */
  async #ask(call: RerankingCall, abort: AbortSignal): Promise<unknown> {
    const timeout = timeoutSignal(this.timeout);
    const abortSignal = AbortSignal.any([abort, timeout]);
    try {
      const asked = (async () => this.model.doRerank({ ...call, ...this.options, abortSignal }))();
      const answer: unknown = await abortable(asked, abortSignal);
      return isObject(answer) ? answer['ranking'] : answer;
    } catch (error) {
      abort.throwIfAborted();
      if (!timeout.aborted) throw failureOf(error, this.name);
      const message = `${this.name} did not answer within ${this.timeout} ms (its timeout)`;
      throw new EndpointError('ASZ627', message, { retry: { afterMs: undefined } });
    }
  }
}

const readResult = (result: unknown) => ({
  index: isObject(result) ? result['index'] : undefined,
  score: isObject(result) ? result['relevanceScore'] : undefined,
});

/** Statuses after which every call fails, because the key or the address is wrong. */
const FINAL: readonly unknown[] = [401, 403, 404];

/** Converts an error of the AI SDK. Its `APICallError` has a status, the headers, and whether a retry may help. */
function failureOf(error: unknown, name: string): EndpointError {
  const { isRetryable, responseHeaders, statusCode } = isObject(error) ? error : {};
  const message = error instanceof Error ? error.message : String(error);
  const afterMs = isObject(responseHeaders) ? retryAfterOf(headersOf(responseHeaders)) : undefined;
  return new EndpointError('ASZ627', `${name} does not answer: ${quoteExternalText(message.slice(0, 200))}`, {
    ...(isRetryable === true && { retry: { afterMs } }),
    isFinal: FINAL.includes(statusCode),
  });
}

const headersOf = (fields: Readonly<Record<string, unknown>>): Headers =>
  new Headers(Object.entries(fields).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])));

/** The interfaces of reranking models of the AI SDK, which differ only in their names. */
export type SpecificationVersion = 'v3' | 'v4';

/** A JSON object. */
type Fields = Readonly<Record<string, unknown>>;

/** Settings by provider. */
export type ProviderOptions = Readonly<Record<string, Fields>>;

/** A call to a reranking model: the AI SDK's `RerankingModelV3CallOptions`. */
export interface RerankingCall {
  documents: { type: 'text'; values: string[] } | { type: 'object'; values: Fields[] };
  query: string;
  /** The most documents to return; all by default. */
  topN?: number;
  abortSignal?: AbortSignal;
  providerOptions?: ProviderOptions;
  headers?: Record<string, string | undefined>;
}

/** The result of a reranking model. */
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

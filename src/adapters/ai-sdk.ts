/**
 * A profile as a reranking model of the AI SDK, and a reranking model of the AI SDK in a profile.
 *
 * @module
 */

import { timeoutSignal, type ServiceBinding } from '../sdk/index.js';
import {
  ANYTHING,
  checkOptions,
  oneOf,
  type OptionTypes,
  toAssizeError,
  describeValue,
  isObject,
} from '../base/index.js';
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

/** What of a reranking model of the AI SDK is asked, of whatever version. */
export interface AskedRerankingModel {
  readonly provider: string;
  readonly modelId: string;
  doRerank(call: RerankingCall): PromiseLike<{
    readonly ranking: readonly { readonly index: number; readonly relevanceScore: number }[];
  }>;
}

/** What each call to a reranking model has besides query and documents. */
export interface RerankerServiceOptions {
  readonly providerOptions?: ProviderOptions;
  readonly headers?: Record<string, string>;
}

const OPTIONS: OptionTypes = { providerOptions: ANYTHING, headers: ANYTHING };

/**
 * Binds a reranking model of the AI SDK, so that the `RerankerScorer`s of a profile ask it:
 * `createPipeline(profile, { services: [rerankerService(cohere.reranking('rerank-v3.5'))] })`. Time-outs, repetitions and
 * budgets are the scorer's.
 *
 * @throws AssizeError where the model is none (ASZ626), or an option is not known (ASZ533)
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
      if (idle) throw new TypeError(`${idle[0]} has no effect: the reranking model is given in code`);
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
    const scores = results ? scoresByIndex(documents.length, results) : `gave ${describeValue(ranking)} as its ranking`;
    if (typeof scores === 'string') throw new EndpointError('ASZ628', `${this.name} ${scores}`);
    return scores;
  }

  /** Also a model that heeds no signal is waited for no longer than the time-out. */
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

/** Statuses after which every call fails alike: the key or the address is wrong. */
const FINAL: readonly unknown[] = [401, 403, 404];

/** What the errors of the AI SDK say: its `APICallError` has a status, the headers, and whether asking again may help. */
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

import { type ServiceBinding, timeoutSignal } from '../contract/index.js';
import {
  checkOptions,
  describeValue,
  isObject,
  toAssizeError,
  type OptionTypes,
  ANYTHING,
} from '../diagnostics/index.js';
import { abortable } from '../services/requests.js';
import {
  EndpointError,
  quoteExternalText,
  RERANKERS,
  type Reranker,
  type Rerankers,
  type RerankRequest,
  retryAfterOf,
  scoresByIndex,
} from '../services/index.js';
import type { ProviderOptions, RerankingCall } from './reranking-model.js';

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

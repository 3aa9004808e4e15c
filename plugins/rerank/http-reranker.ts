import {
  boundedFetch,
  describeValue,
  EndpointError,
  isMap,
  keyRedactor,
  ownValue,
  quoteExternalText,
  type Reranker,
  type Rerankers,
  type RerankerSettings,
  type RerankRequest,
  type Retry,
  retryAfterOf,
  scoresByIndex,
  timeoutSignal,
} from '../../src/unit-sdk.js';

/** A reranker at one endpoint. */
class HttpReranker implements Reranker {
  readonly name: string;
  readonly #url: string;

  constructor(private readonly settings: RerankerSettings) {
    const { url, model } = settings;
    if (url === undefined) throw new TypeError('missing url: the address of the reranker');
    this.#url = url;
    this.name = model === undefined ? url : `${model} at ${url}`;
  }

  async rerank({ query, documents }: RerankRequest, abort: AbortSignal): Promise<readonly (number | undefined)[]> {
    const { settings, name } = this;
    const key = this.#key();
    const timeout = timeoutSignal(settings.timeout);
    const redact = keyRedactor(key);
    try {
      const response = await boundedFetch(this.#url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
        body: JSON.stringify({
          ...(settings.model !== undefined && { model: settings.model }),
          query,
          [settings.documents]: documents,
          ...settings.options,
        }),
        signal: AbortSignal.any([abort, timeout]),
      });
      const text = await response.text();
      if (!response.ok) throw rejection(response, redact(text), name, settings.keyEnv);
      return readAnswer(parseJson(redact(text), name), documents.length, name);
    } catch (error) {
      abort.throwIfAborted();
      if (error instanceof EndpointError) throw error;
      if (timeout.aborted) throw unanswered(`${name} did not answer within ${settings.timeout} ms (its timeout)`);
      throw unanswered(redact(`${name} cannot be reached, or broke off: ${rootMessage(error)}`));
    }
  }

  /** The key, read for each request, since it may be set after the pipeline is created. */
  #key(): string | undefined {
    const { keyEnv } = this.settings;
    if (keyEnv === undefined) return undefined;
    const key = process.env[keyEnv];
    if (key) return key;
    const state = key === undefined ? 'not set' : 'empty';
    const message = `the environment variable ${keyEnv}, which holds the key for ${this.name}, is ${state}`;
    throw new EndpointError('ASZ610', message, { isFinal: true });
  }
}

const unanswered = (message: string): EndpointError =>
  new EndpointError('ASZ611', message, { retry: { afterMs: undefined } });

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const found = text === '' ? 'nothing' : quoteExternalText(text.slice(0, 200));
    throw new EndpointError('ASZ612', `${name} sent ${found}, which is not JSON; check the address`);
  }
}

/** Statuses after which every request fails in the same way: the key or the address is wrong. */
const isFinal = (status: number): boolean =>
  status === 401 || status === 403 || status === 404 || (status >= 300 && status < 400);

const isBusy = (status: number): boolean => status === 408 || status === 409 || status === 429 || status >= 500;

function rejection({ status, headers }: Response, text: string, name: string, keyEnv: string | undefined) {
  const answer = text === '' ? `${status}` : `${status}: ${quoteExternalText(text.slice(0, 200))}`;
  const retry: Retry | undefined = isBusy(status) ? { afterMs: retryAfterOf(headers) } : undefined;
  const key = keyEnv === undefined ? 'needs a key, which key_env names' : `does not accept the key in ${keyEnv}`;
  const what =
    status === 401 || status === 403
      ? key
      : status >= 300 && status < 400
        ? 'redirects to another address: set url to that address'
        : isBusy(status)
          ? 'is busy, or fails'
          : 'does not accept the request';
  return new EndpointError('ASZ611', `${name} ${what} (${answer})`, {
    ...(retry && { retry }),
    isFinal: isFinal(status),
  });
}

/** The innermost cause, since the outer message of `fetch` has no details. */
function rootMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : rootMessage(error.cause);
}

/** Rerankers that use the request format of Cohere, Jina, Voyage, vLLM and text-embeddings-inference. */
export class HttpRerankers implements Rerankers {
  open(settings: RerankerSettings): Reranker {
    return new HttpReranker(settings);
  }
}

/**
 * Reads the answer of a reranker: `{ results: [{ index, relevance_score }] }` (Cohere, Jina, vLLM), `{ data: […] }`
 * (Voyage), or a list with `score` (text-embeddings-inference).
 *
 * @param size the number of documents
 * @returns their scores; undefined for a document without one
 * @throws EndpointError (ASZ612) if it contradicts itself or the request; then no part of it is used
 */
function readAnswer(answer: unknown, size: number, title: string): readonly (number | undefined)[] {
  const list = isMap(answer) ? (ownValue(answer, 'results') ?? ownValue(answer, 'data')) : answer;
  const scores = Array.isArray(list)
    ? scoresByIndex(size, list.map(readResult))
    : `sent ${describeValue(answer)}; expected a list of results`;
  if (typeof scores === 'string') throw new EndpointError('ASZ612', `${title} ${scores}`);
  return scores;
}

const readResult = (result: unknown) => ({
  index: isMap(result) ? ownValue(result, 'index') : undefined,
  score: isMap(result) ? (ownValue(result, 'relevance_score') ?? ownValue(result, 'score')) : undefined,
});

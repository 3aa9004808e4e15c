import { setTimeout } from 'node:timers/promises';
import { timeoutSignal, type ModelMessage, type Tracer } from '../../sdk/index.js';
import { AssizeError, messageWithCauses, toError } from '../../base/index.js';
import { CLOCK, type Clock, noTracer, systemClock, traced, TRACER } from '../host-services.js';
import { rethrow, importOptional, type OptionalPackage, OptionalPackageError } from '../optional-package.js';
import { boundedFetch, keyRedactor, type Fetch, ResponseTooLargeError, retryAfterOf } from '../requests.js';
import { estimateTokens, readCompletion, TokenBudget, usedTokens, quoteExternalText } from './chat-completion.js';
import type {
  LanguageModel,
  LanguageModelAnswer,
  LanguageModelQuestion,
  LanguageModels,
  LanguageModelSettings,
} from './language-model.js';

const DEFAULT_TIMEOUT = 20_000;
const DEFAULT_KEY_VARIABLE = 'OPENAI_API_KEY';
/** OpenAI's newer models reject `max_tokens`; other servers accept only `max_tokens`. */
const OPENAI_BASE_URL = 'https://api.openai.com/';

interface ApiKey {
  /** The environment variable. */
  readonly name: string;
  readonly value: string;
}

/** One model at one endpoint. */
class OpenAiModel implements LanguageModel {
  readonly #budget: TokenBudget;
  readonly #backoff: RequestBackoff;
  readonly #timeout: number;

  constructor(
    private readonly settings: LanguageModelSettings,
    clock: Clock,
    private readonly library: () => Promise<unknown>,
    private readonly tracer: Tracer = noTracer,
  ) {
    this.#budget = new TokenBudget(settings.totalTokens);
    this.#backoff = new RequestBackoff(clock);
    this.#timeout = settings.timeout ?? DEFAULT_TIMEOUT;
  }

  async ask(question: LanguageModelQuestion, abort?: AbortSignal): Promise<LanguageModelAnswer> {
    const message: ModelMessage = { kind: 'chat', model: this.settings.name };
    return traced(
      this.tracer,
      'model',
      message,
      () => this.#ask(question, abort),
      ({ model, tokens }) => void Object.assign(message, { answeredBy: model, tokens }),
    );
  }

  async #ask(question: LanguageModelQuestion, abort?: AbortSignal): Promise<LanguageModelAnswer> {
    abort?.throwIfAborted();
    const key = this.#key();
    const library = await importOpenAi(this.library);
    const client = this.#client(library, key?.value);
    const title = `${this.settings.name} at ${client.baseURL}`;
    const request = this.#request(question, client.baseURL);
    const estimate = estimateTokens(JSON.stringify([request.messages, question.answer])) + question.maxTokens;
    // Before the timeout starts: it waits for other requests, not for the endpoint.
    const charge = await this.#budget.reserve(estimate, abort);
    let used = 0;
    const timeout = timeoutSignal(this.#timeout);
    const signal = abort ? AbortSignal.any([abort, timeout]) : timeout;
    try {
      await this.#backOff(title, signal);
      used = estimate; // Stays charged after an abort, because the endpoint may have processed the request.
      const completion = await client.chat.completions.create(request, { signal });
      used = usedTokens(completion) ?? estimate;
      const redact = keyRedactor(key?.value);
      const { value, model } = readCompletion(completion, { title, maxTokens: question.maxTokens, redact });
      return { value, model: model ?? this.settings.name, tokens: used };
    } catch (thrown) {
      abort?.throwIfAborted();
      if (timeout.aborted) throw noAnswerError(`${title} did not answer within ${this.#timeout} ms (its timeout)`);
      if (thrown instanceof AssizeError) throw thrown;
      const { APIConnectionError: connectionError } = library.OpenAI;
      const failure = requestFailure(thrown, { title, keyName: key?.name, key: key?.value, connectionError });
      if (!failure.charged) used = 0;
      if (failure.busy) this.#backoff.backOff(failure.retryAfterMs);
      throw failure.error;
    } finally {
      charge(used);
    }
  }

  /** Waits as long as the endpoint has asked for. */
  async #backOff(title: string, signal: AbortSignal): Promise<void> {
    const seconds = Math.ceil(this.#backoff.remainingMs / 1000);
    if (this.#backoff.remainingMs > this.#timeout) {
      throw noAnswerError(`${title} asks for no requests for another ${seconds} s, which is longer than its timeout`);
    }
    await this.#backoff.wait(signal);
  }

  /** Reads the key for each request, because it may be set after the pipeline was created. */
  #key(): ApiKey | undefined {
    const { name: model, baseUrl, apiKeyEnv } = this.settings;
    const name = apiKeyEnv ?? (baseUrl === undefined ? DEFAULT_KEY_VARIABLE : undefined);
    if (name === undefined) return undefined;
    const value = process.env[name];
    if (value) return { name, value };
    const state = value === undefined ? 'not set' : 'empty';
    const elsewhere = apiKeyEnv === undefined ? ' (base_url names another endpoint than OpenAI’s)' : '';
    const message = `the environment variable ${name} with the key for ${model} is ${state}${elsewhere}`;
    throw new AssizeError([{ code: 'ASZ525', message }]);
  }

  #client({ OpenAI }: OpenAiLibrary, key: string | undefined): OpenAiClient {
    const { baseUrl } = this.settings;
    return new OpenAI({
      apiKey: key ?? 'none', // The client requires one.
      // Only OpenAI's own endpoint receives the organization and project from the environment.
      ...(baseUrl === undefined ? {} : { baseURL: baseUrl, organization: null, project: null }),
      maxRetries: 0, // An abort does not interrupt the client's wait for Retry-After.
      fetch: boundedFetch,
      timeout: 2 * this.#timeout, // Covers only the response's head. The signal covers everything and fires first.
    });
  }

  #request({ instructions, material, answer, maxTokens }: LanguageModelQuestion, baseUrl: string): ChatRequest {
    const { name, options = {} } = this.settings;
    const limited = 'max_tokens' in options || 'max_completion_tokens' in options;
    const limit = baseUrl.startsWith(OPENAI_BASE_URL) ? 'max_completion_tokens' : 'max_tokens';
    return {
      temperature: 0,
      ...(limited ? {} : { [limit]: maxTokens }),
      ...options,
      model: name,
      messages: [
        { role: 'system', content: instructions },
        { role: 'user', content: JSON.stringify(material) },
      ],
      response_format: { type: 'json_schema', json_schema: { ...answer, strict: true } },
    };
  }
}

const noAnswerError = (message: string): AssizeError => new AssizeError([{ code: 'ASZ526', message }]);

/**
 * Language models by OpenAI's chat completions API, which most endpoints support: OpenAI's own, Ollama, llama.cpp,
 * vLLM. The first request loads the package `openai`.
 */
export class OpenAiModels implements LanguageModels {
  static readonly inject = [CLOCK, TRACER];
  readonly #models = new Map<string, LanguageModel>();

  constructor(
    private readonly clock: Clock = systemClock,
    private readonly tracer: Tracer = noTracer,
    private readonly library: () => Promise<unknown> = () => import('openai').catch(rethrow),
  ) {}

  open(settings: LanguageModelSettings): LanguageModel {
    const { name, baseUrl, apiKeyEnv, timeout, totalTokens, options } = settings;
    const key = JSON.stringify([name, baseUrl, apiKeyEnv, timeout, totalTokens, options]);
    const model = this.#models.get(key) ?? new OpenAiModel(settings, this.clock, this.library, this.tracer);
    this.#models.set(key, model);
    return model;
  }
}

/** The milliseconds to wait after an endpoint failed without a `Retry-After`. */
const DEFAULT_BACKOFF_MS = 500;

/** Delays requests to an endpoint that is busy or failing. */
class RequestBackoff {
  #notBefore = 0;

  constructor(private readonly clock: Clock) {}

  /** The milliseconds to wait before the next request. */
  get remainingMs(): number {
    return Math.max(0, this.#notBefore - this.clock.now());
  }

  /** Waits until the next request may be sent. */
  async wait(abort: AbortSignal): Promise<void> {
    if (this.remainingMs > 0) await setTimeout(this.remainingMs, undefined, { signal: abort });
  }

  /** @param pause the milliseconds of the endpoint's `Retry-After` */
  backOff(pause: number = DEFAULT_BACKOFF_MS): void {
    this.#notBefore = this.clock.now() + pause;
  }
}

/** The target of a request, for messages, and its client. */
interface RequestTarget {
  /** The model and its endpoint. */
  readonly title: string;
  /** The environment variable of the key; undefined if no key was sent. */
  readonly keyName: string | undefined;
  /** The key. An endpoint may repeat it in its messages. */
  readonly key: string | undefined;
  /** The client's error class for a request without a response. */
  readonly connectionError: ConnectionErrorClass;
}

interface RequestFailure {
  readonly error: AssizeError;
  /** Whether the endpoint is busy, failing or unreachable, so that the next request should wait. */
  readonly busy: boolean;
  /** The endpoint's `Retry-After` in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** Whether the request may have used tokens although it failed. */
  readonly charged: boolean;
}

/** Converts an error of the client. */
function requestFailure(thrown: unknown, target: RequestTarget): RequestFailure {
  const status = statusOf(thrown);
  const headers = property(thrown, 'headers');
  const redact = keyRedactor(target.key);
  const message = redact(
    status === undefined
      ? noResponseMessage(thrown, target)
      : rejectionMessage(status, endpointMessage(thrown, status, redact), target),
  );
  return {
    // Without `cause`: the client's error contains the request's headers, with the key.
    error: new AssizeError([{ code: 'ASZ526', message }]),
    busy: status === undefined || isBusy(status),
    retryAfterMs: headers instanceof Headers ? retryAfterOf(headers) : undefined,
    charged: status === undefined && !(thrown instanceof target.connectionError),
  };
}

const isBusy = (status: number): boolean => status === 408 || status === 409 || status === 429 || status >= 500;

function statusOf(thrown: unknown): number | undefined {
  const status = property(thrown, 'status');
  return typeof status === 'number' ? status : undefined;
}

function rejectionMessage(status: number, reason: string, { title, keyName }: RequestTarget): string {
  const answer = reason === '' ? `${status}` : `${status}: ${reason}`;
  if (status === 401 || status === 403) {
    return keyName === undefined
      ? `${title} needs a key (${answer}): name its environment variable in api_key_env`
      : `${title} does not accept the key in ${keyName} (${answer})`;
  }
  if (status === 404) return `${title} was not found (${answer}): check its name and base_url`;
  if (status === 429) return `${title} is busy, or its quota is used up (${answer})`;
  if (status >= 300 && status < 400) return `${title} redirects (${answer}): set base_url to the final address`;
  if (isBusy(status)) return `${title} fails (${answer})`;
  return `${title} does not accept the request (${answer})`;
}

/** The client's message for an empty body. No property distinguishes it from a body with this text. */
const NO_BODY = 'status code (no body)';

/** The endpoint's own message: `{ error: { message } }`, `{ error: "…" }`, or a text, which is in the error's message. */
function endpointMessage(thrown: unknown, status: number, redact: (text: string) => string): string {
  const error = property(thrown, 'error');
  const reason = typeof error === 'string' ? error : property(error, 'message');
  if (typeof reason === 'string') return quoteExternalText(redact(reason));
  const { message } = toError(thrown);
  const text = message.startsWith(`${status} `) ? message.slice(`${status} `.length) : message;
  return text === NO_BODY ? '' : quoteExternalText(redact(text));
}

function noResponseMessage(thrown: unknown, { title, connectionError }: RequestTarget): string {
  const cause = toError(thrown);
  if (cause instanceof connectionError) return `${title} cannot be reached: ${rootCauseMessage(cause)}`;
  if (cause instanceof ResponseTooLargeError) return `${title} sends an answer that is too long: ${cause.message}`;
  if (cause instanceof SyntaxError) return `${title} sent a body that is not JSON, or is incomplete: ${cause.message}`;
  return `the connection to ${title} broke off before the answer was complete: ${rootCauseMessage(cause)}`;
}

/** The message of the innermost cause, because the client's own is only 'Connection error.'. */
const rootCauseMessage = (error: Error): string =>
  error.cause === undefined ? messageWithCauses(error) : rootCauseMessage(toError(error.cause));

const property = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

/** The options of a client. `null` prevents it from reading the environment. */
interface OpenAiClientOptions {
  readonly apiKey: string;
  readonly baseURL?: string;
  readonly organization?: null;
  readonly project?: null;
  readonly maxRetries: number;
  readonly timeout: number;
  readonly fetch: Fetch;
}

/** The request for a chat completion. */
interface ChatRequest {
  readonly model: string;
  readonly messages: readonly { readonly role: 'system' | 'user'; readonly content: string }[];
  readonly response_format: object;
  readonly [option: string]: unknown;
}

/** A client of one endpoint. */
interface OpenAiClient {
  readonly baseURL: string;
  readonly chat: {
    readonly completions: {
      create(request: ChatRequest, options: { readonly signal: AbortSignal }): PromiseLike<unknown>;
    };
  };
}

/** The error class for requests without a response. Errors of the endpoint have a status. */
type ConnectionErrorClass = new (...args: never[]) => Error & { readonly status: undefined };

/** The used part of `openai`. Declared here because the package and its types may be missing. */
interface OpenAiLibrary {
  readonly OpenAI: (new (
    options: OpenAiClientOptions,
  ) => OpenAiClient) & {
    readonly APIConnectionError: ConnectionErrorClass;
  };
}

const OPENAI: OptionalPackage<OpenAiLibrary> = {
  name: 'openai',
  neededBy: 'calling a language model',
  part: 'OpenAI client',
  isLibrary: (module): module is OpenAiLibrary =>
    typeof module === 'object' &&
    module !== null &&
    'OpenAI' in module &&
    typeof module.OpenAI === 'function' &&
    'APIConnectionError' in module.OpenAI,
};

/**
 * Imports the package. Called by the first request, because it takes a tenth of a second.
 *
 * @throws AssizeError (ASZ525) if it cannot be used
 */
async function importOpenAi(load: () => Promise<unknown>): Promise<OpenAiLibrary> {
  try {
    return await importOptional(OPENAI, load);
  } catch (error) {
    if (!(error instanceof OptionalPackageError)) throw error;
    throw new AssizeError([{ code: 'ASZ525', message: error.message }], error.message, { cause: error.cause });
  }
}

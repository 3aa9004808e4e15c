import { AssizeError, messageWithCauses, toError } from '../../base/index.js';
import { importOptional, type OptionalPackage, OptionalPackageError } from '../optional-package.js';
import { type Fetch, keyRedactor, ResponseTooLargeError, retryAfterOf } from '../requests.js';
import { quoteExternalText } from './chat-completion.js';

/** The target of a request, for messages, and its client. */
export interface RequestTarget {
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
export function requestFailure(thrown: unknown, target: RequestTarget): RequestFailure {
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
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly { readonly role: 'system' | 'user'; readonly content: string }[];
  readonly response_format: object;
  readonly [option: string]: unknown;
}

/** A client of one endpoint. */
export interface OpenAiClient {
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
export interface OpenAiLibrary {
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
export async function importOpenAi(load: () => Promise<unknown>): Promise<OpenAiLibrary> {
  try {
    return await importOptional(OPENAI, load);
  } catch (error) {
    if (!(error instanceof OptionalPackageError)) throw error;
    throw new AssizeError([{ code: 'ASZ525', message: error.message }], error.message, { cause: error.cause });
  }
}

import { AssizeError } from '../../diagnostics/problem.js';
import { messageWithCauses, toError } from '../error-message.js';
import { ResponseTooLargeError } from './bounded-fetch.js';
import { quoteExternalText } from './chat-completion.js';

/** Who was asked, as messages name it. */
export interface RequestTarget {
  /** The model and its endpoint. */
  readonly title: string;
  /** The environment variable of the key; undefined when none was sent. */
  readonly keyName: string | undefined;
  /** The key itself, which an endpoint might repeat in what it says. */
  readonly key: string | undefined;
}

/** Why a request brought no answer. */
export interface RequestFailure {
  readonly error: AssizeError;
  /** Whether the endpoint itself is busy, failing or out of reach, so that it should not be asked at once again. */
  readonly busy: boolean;
  /** How many milliseconds it asks to be left alone. */
  readonly retryAfterMs: number | undefined;
  /** Whether tokens may have been taken all the same. */
  readonly charged: boolean;
}

/** Takes a key out of what an endpoint says: some repeat it. */
export const keyRedactor =
  (key: string | undefined) =>
  (text: string): string =>
    key === undefined ? text : text.replaceAll(key, '[key]');

/** Names what a client threw. */
export function requestFailure(thrown: unknown, asked: RequestTarget): RequestFailure {
  const status = statusOf(thrown);
  const clean = keyRedactor(asked.key);
  const message = clean(
    status === undefined ? noResponseMessage(thrown, asked) : rejectionMessage(status, endpointMessage(thrown), asked),
  );
  return {
    // What was thrown holds the request's headers, the key among them: it is no cause to be printed.
    error: new AssizeError([{ code: 'ASZ526', message }]),
    busy: status === undefined || isBusy(status),
    retryAfterMs: retryAfterOf(thrown),
    charged: status === undefined && !isConnectionError(thrown),
  };
}

const isBusy = (status: number): boolean => status === 408 || status === 409 || status === 429 || status >= 500;

function statusOf(thrown: unknown): number | undefined {
  const status = property(thrown, 'status');
  return typeof status === 'number' ? status : undefined;
}

function rejectionMessage(status: number, said: string, { title, keyName }: RequestTarget): string {
  const answer = said === '' ? `${status}` : `${status}: ${said}`;
  if (status === 401 || status === 403) {
    return keyName === undefined
      ? `${title} wants a key (${answer}): api_key_env names the environment variable that holds it`
      : `${title} does not accept the key in ${keyName} (${answer})`;
  }
  if (status === 404) return `${title} is not there (${answer}): see its name and base_url`;
  if (status === 429) return `${title} is busy, or its quota is used up (${answer})`;
  if (status >= 300 && status < 400)
    return `${title} sends elsewhere (${answer}): its base_url should lead straight there`;
  if (isBusy(status)) return `${title} fails (${answer})`;
  return `${title} does not take the request (${answer})`;
}

/** What the endpoint itself says: `{ error: { message } }`, `{ error: "…" }`, or any text. */
function endpointMessage(thrown: unknown): string {
  const body = property(thrown, 'error');
  const said = typeof body === 'string' ? body : property(body, 'message');
  if (typeof said === 'string') return quoteExternalText(said);
  const text = toError(thrown).message.replace(/^\d{3} /, '');
  return text === 'status code (no body)' ? '' : quoteExternalText(text);
}

function noResponseMessage(thrown: unknown, { title }: RequestTarget): string {
  const cause = toError(thrown);
  if (isConnectionError(cause)) return `${title} cannot be reached: ${rootCauseMessage(cause)}`;
  if (cause instanceof ResponseTooLargeError) return `${title} sends no end of an answer: ${cause.message}`;
  if (cause instanceof SyntaxError) return `${title} sent a body that is not JSON, or half of it: ${cause.message}`;
  return `the connection to ${title} broke off before the answer was complete: ${rootCauseMessage(cause)}`;
}

/** The client's own classes for a request that got no response at all. */
const isConnectionError = (thrown: unknown): boolean =>
  ['APIConnectionError', 'APIConnectionTimeoutError'].includes(toError(thrown).constructor.name);

/** The reason at the bottom: 'Connection error.' alone helps nobody. */
const rootCauseMessage = (error: Error): string =>
  error.cause === undefined ? messageWithCauses(error) : rootCauseMessage(toError(error.cause));

/** `Retry-After` (seconds, or a date) and `retry-after-ms`. */
function retryAfterOf(thrown: unknown): number | undefined {
  const headers = property(thrown, 'headers');
  if (!(headers instanceof Headers)) return undefined;
  const milliseconds = Number(headers.get('retry-after-ms') ?? Number.NaN);
  if (milliseconds >= 0) return milliseconds;
  const after = headers.get('retry-after') ?? '';
  const seconds = after === '' ? Number.NaN : Number(after);
  if (seconds >= 0) return seconds * 1000;
  const date = Date.parse(after);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

const property = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

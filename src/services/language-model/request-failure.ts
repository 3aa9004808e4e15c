import { AssizeError, messageWithCauses, toError } from '../../diagnostics/index.js';
import { ResponseTooLargeError } from '../fetch.js';
import { quoteExternalText } from './chat-completion.js';
import type { ConnectionErrorClass } from './openai-library.js';

/** What a request went to, as messages name it, and by what client. */
export interface RequestTarget {
  /** The model and its endpoint. */
  readonly title: string;
  /** The environment variable of the key; undefined when none was sent. */
  readonly keyName: string | undefined;
  /** The key itself, which an endpoint might repeat in its messages. */
  readonly key: string | undefined;
  /** The client's class of errors for a request that got no response at all. */
  readonly connectionError: ConnectionErrorClass;
}

/** Why a request got no answer. */
export interface RequestFailure {
  readonly error: AssizeError;
  /** Whether the endpoint itself is busy, failing or out of reach, so that the next request should wait. */
  readonly busy: boolean;
  /** The milliseconds to wait that the endpoint gives. */
  readonly retryAfterMs: number | undefined;
  /** Whether the request may have used tokens all the same. */
  readonly charged: boolean;
}

/** A part of a key that is at least so long is taken out, too: a message may show the place at which a text was cut. */
const LEAST_PART = 8;

/** Takes a key out of an endpoint's text, which some repeat: all of it, and its beginning or its end where it was cut. */
export const keyRedactor =
  (key: string | undefined) =>
  (text: string): string => {
    if (key === undefined) return text;
    let left = text.replaceAll(key, '[key]');
    for (let size = key.length - 1; size >= LEAST_PART; size--) {
      left = left.replaceAll(key.slice(0, size), '[key]').replaceAll(key.slice(-size), '[key]');
    }
    return left;
  };

/** The failure that an error of the client stands for. */
export function requestFailure(thrown: unknown, target: RequestTarget): RequestFailure {
  const status = statusOf(thrown);
  const redact = keyRedactor(target.key);
  const message = redact(
    status === undefined
      ? noResponseMessage(thrown, target)
      : rejectionMessage(status, endpointMessage(thrown, status, redact), target),
  );
  return {
    // The client's error holds the request's headers, the key among them: it is no cause to be printed.
    error: new AssizeError([{ code: 'ASZ526', message }]),
    busy: status === undefined || isBusy(status),
    retryAfterMs: retryAfterOf(thrown),
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

/** The client's message in place of a body that is empty. No property tells that apart from a body of these words. */
const NO_BODY = 'status code (no body)';

/**
 * The endpoint's own message: `{ error: { message } }`, `{ error: "…" }`, or any text, which only the error's message
 * has.
 */
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
  if (cause instanceof ResponseTooLargeError) return `${title} sends no end of an answer: ${cause.message}`;
  if (cause instanceof SyntaxError) return `${title} sent a body that is not JSON, or half of it: ${cause.message}`;
  return `the connection to ${title} broke off before the answer was complete: ${rootCauseMessage(cause)}`;
}

/** The innermost cause: the client's own message is only 'Connection error.'. */
const rootCauseMessage = (error: Error): string =>
  error.cause === undefined ? messageWithCauses(error) : rootCauseMessage(toError(error.cause));

/** The milliseconds of `Retry-After` (seconds, or a date) or `retry-after-ms`. */
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

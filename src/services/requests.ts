import { AssizeError, type ProblemCode, toError } from '../diagnostics/index.js';

/** That asking again may help. */
export interface Retry {
  /** The milliseconds to wait that the endpoint gives. */
  readonly afterMs: number | undefined;
}

/** Why a request to a model got no answer that can be used. Thrown by a reranker it says whether to ask again. */
export class EndpointError extends AssizeError {
  /** Not by the brand of its base, which any of its kinds has. */
  static override [Symbol.hasInstance](value: unknown): value is EndpointError {
    return value instanceof AssizeError && 'isFinal' in value;
  }

  /** Present where asking again may help. */
  readonly retry: Retry | undefined;
  /** Whether every other request will fail alike. */
  readonly isFinal: boolean;

  constructor(
    code: ProblemCode,
    message: string,
    { retry, isFinal = false }: { readonly retry?: Retry; readonly isFinal?: boolean } = {},
  ) {
    super([{ code, message }]);
    this.retry = retry;
    this.isFinal = isFinal;
  }
}

/** The milliseconds of `Retry-After` (seconds, or a date) or `retry-after-ms`; undefined where there is neither. */
export function retryAfterOf(headers: Headers): number | undefined {
  const own = headers.get('retry-after-ms');
  if (own !== null && Number(own) >= 0) return Number(own);
  const after = headers.get('retry-after')?.trim() ?? '';
  if (after === '') return undefined;
  const seconds = Number(after);
  if (seconds >= 0) return seconds * 1000;
  // Against the endpoint's own clock, where it says the time.
  const until = Date.parse(after) - (Date.parse(headers.get('date') ?? '') || Date.now());
  return Number.isNaN(until) ? undefined : Math.max(0, until);
}

/** The part of `fetch` that libraries use here. */
export type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>;

/** More than any chat completion: a server that sends without end must not fill the memory. */
const MAX_RESPONSE_BYTES = 4_000_000;

/** A response that is longer than any chat completion. */
export class ResponseTooLargeError extends Error {
  constructor() {
    super(`more than ${MAX_RESPONSE_BYTES / 1_000_000} MB came`);
  }
}

/**
 * `fetch` for requests with text of users: follows no redirection, which would send that to another host, and aborts a
 * response that is too long, counted after decompression.
 */
export const boundedFetch: Fetch = async (input, init) => {
  const response = await fetch(input, { ...init, redirect: 'manual' });
  if (response.body === null) return response;
  let bytes = 0;
  const counted = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > MAX_RESPONSE_BYTES) controller.error(new ResponseTooLargeError());
      else controller.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(counted), response);
};

/** Lets one caller stop waiting for work that others share. */
export function abortable<T>(work: Promise<T>, abort: AbortSignal | undefined): Promise<T> {
  if (abort === undefined) return work;
  return new Promise((resolve, reject) => {
    const stop = () => reject(toError(abort.reason));
    if (abort.aborted) stop();
    abort.addEventListener('abort', stop, { once: true });
    void work.then(resolve, reject).finally(() => abort.removeEventListener('abort', stop));
  });
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

import { type ProblemCode, AssizeError, toError } from '../base/index.js';

/** Marks a failure after which a retry may succeed. */
export interface Retry {
  /** The endpoint's `Retry-After` in milliseconds. */
  readonly afterMs: number | undefined;
}

/** A request to a model that returned no usable response. Rerankers throw it to control retries. */
export class EndpointError extends AssizeError {
  /** Overrides the base class, which recognizes any AssizeError. */
  static override [Symbol.hasInstance](value: unknown): value is EndpointError {
    return value instanceof AssizeError && 'isFinal' in value;
  }

  /** Present if a retry may succeed. */
  readonly retry: Retry | undefined;
  /** Whether every other request will fail in the same way. */
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

/** The milliseconds of `retry-after-ms` or `Retry-After` (seconds or a date); undefined if there is neither. */
export function retryAfterOf(headers: Headers): number | undefined {
  const own = headers.get('retry-after-ms');
  if (own !== null && Number(own) >= 0) return Number(own);
  const after = headers.get('retry-after')?.trim() ?? '';
  if (after === '') return undefined;
  const seconds = Number(after);
  if (seconds >= 0) return seconds * 1000;
  // Relative to the endpoint's own clock, if its response has a date.
  const until = Date.parse(after) - (Date.parse(headers.get('date') ?? '') || Date.now());
  return Number.isNaN(until) ? undefined : Math.max(0, until);
}

/** The part of `fetch` that libraries use here. */
export type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>;

/** Larger than any chat completion. An endless response must not fill the memory. */
const MAX_RESPONSE_BYTES = 4_000_000;

/** Thrown if a response exceeds `MAX_RESPONSE_BYTES`. */
export class ResponseTooLargeError extends Error {
  constructor() {
    super(`the response has more than ${MAX_RESPONSE_BYTES / 1_000_000} MB`);
  }
}

/**
 * `fetch` for requests with text of users. Does not follow redirects, which would send the text to another host. Aborts a
 * response that is too long after decompression.
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

/** Rejects when `abort` is aborted, without stopping the work, which other callers may share. */
export function abortable<T>(work: Promise<T>, abort: AbortSignal | undefined): Promise<T> {
  if (abort === undefined) return work;
  return new Promise((resolve, reject) => {
    const stop = () => reject(toError(abort.reason));
    if (abort.aborted) stop();
    abort.addEventListener('abort', stop, { once: true });
    void work.then(resolve, reject).finally(() => abort.removeEventListener('abort', stop));
  });
}

/** The minimum length of a redacted part of a key. A message may contain a truncated key. */
const LEAST_PART = 8;

/** Removes a key from an endpoint's text: the whole key, or its beginning or end if the text truncates it. */
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

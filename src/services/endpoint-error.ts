import { AssizeError, type ProblemCode } from '../diagnostics/index.js';

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

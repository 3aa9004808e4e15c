import type { Fetch } from '../fetch.js';

/** Told how many bytes of an answer have come, of how many, where that is known. */
export type DownloadProgressListener = (url: string, loaded: number, length: number | undefined) => void;

/** A longer timer would go off at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * The requests of one load. A server may take as long as it needs while something arrives; once one request was
 * silent for too long, or somebody stopped the load, all of them end, and so does each that is made later.
 */
export class ModelDownload {
  /** Why the load was stopped. */
  failure: Error | undefined;
  readonly #stopped = new AbortController();

  /**
   * @param idleTimeoutMs how many milliseconds without an answer or a further byte are too many
   * @param onProgress    hears of every part of an answer
   */
  constructor(
    readonly idleTimeoutMs: number,
    private readonly onProgress: DownloadProgressListener = () => {},
  ) {}

  /** Ends what is under way. Gives the first reason that there was. */
  stop(reason: Error): Error {
    this.failure ??= reason;
    this.#stopped.abort(this.failure);
    return this.failure;
  }

  /** As `fetch` does, by way of the given one. */
  async fetch(fetch: Fetch, input: string | URL, init: RequestInit = {}): Promise<Response> {
    const { signal } = this.#stopped;
    signal.throwIfAborted();
    const response = await this.#withIdleTimeout(input, () => fetch(input, { ...init, signal }));
    if (response.body === null) return response;
    const { status, statusText, headers } = response;
    const length = Number(headers.get('content-length'));
    const body = this.#countedBody(input, response.body, length > 0 ? length : undefined);
    return new Response(body, { status, statusText, headers });
  }

  #countedBody(
    input: string | URL,
    body: ReadableStream<Uint8Array>,
    length: number | undefined,
  ): ReadableStream<Uint8Array> {
    let loaded = 0;
    const reader = body.getReader();
    return new ReadableStream({
      // Only while a reader waits does silence count: a slow disk is not a silent server.
      pull: async (controller) => {
        const { done, value } = await this.#withIdleTimeout(input, () => reader.read());
        if (done) return controller.close();
        loaded += value.length;
        this.onProgress(String(input), loaded, length);
        controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    });
  }

  async #withIdleTimeout<T>(input: string | URL, ask: () => Promise<T>): Promise<T> {
    const silent = () => this.stop(new Error(`${new URL(input).origin} was silent for ${this.idleTimeoutMs / 1000} s`));
    const timer = setTimeout(silent, Math.min(this.idleTimeoutMs, MAX_TIMER_MS));
    try {
      return await ask();
    } catch (error) {
      throw this.failure ?? error;
    } finally {
      clearTimeout(timer);
    }
  }
}

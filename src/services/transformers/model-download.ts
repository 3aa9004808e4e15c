import { timerMs } from '../../contract/index.js';
import type { Fetch } from '../fetch.js';

/** Receives how many bytes of a response have come, of how many where that is known. */
export type DownloadProgressListener = (url: string, loaded: number, length: number | undefined) => void;

/**
 * The requests of one load. A server may take as long as it needs while data arrives; once one request is silent for
 * too long, or the load is stopped, all of them end, and so does each that is made later.
 */
export class ModelDownload {
  /** Why the load was stopped. */
  failure: Error | undefined;
  readonly #stopped = new AbortController();

  /**
   * @param idleTimeoutMs the milliseconds without a response or a further byte after which the load fails
   * @param onProgress    called for every part of a response
   */
  constructor(
    readonly idleTimeoutMs: number,
    private readonly onProgress: DownloadProgressListener = () => {},
  ) {}

  /** Ends all requests. Gives the first reason to stop. */
  stop(reason: Error): Error {
    this.failure ??= reason;
    this.#stopped.abort(this.failure);
    return this.failure;
  }

  /** Fetches by the given `fetch`, with the time-out and the progress. */
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
      // Silence counts only while a read is pending: a slow disk is not a silent server.
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

  async #withIdleTimeout<T>(input: string | URL, receive: () => Promise<T>): Promise<T> {
    const silent = () => this.stop(new Error(`${new URL(input).origin} was silent for ${this.idleTimeoutMs / 1000} s`));
    const timer = setTimeout(silent, timerMs(this.idleTimeoutMs));
    try {
      return await receive();
    } catch (error) {
      throw this.failure ?? error;
    } finally {
      clearTimeout(timer);
    }
  }
}

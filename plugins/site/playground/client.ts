import type { CallMessage, PlaygroundCalls, ReplyMessage } from './protocol.js';

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Calls the engine in its worker. */
export class EngineClient {
  #worker: Worker;
  #calls = 0;
  readonly #waiting = new Map<number, Waiting>();

  constructor() {
    this.#worker = this.#start();
  }

  call<M extends keyof PlaygroundCalls>(
    method: M,
    ...args: Parameters<PlaygroundCalls[M]>
  ): ReturnType<PlaygroundCalls[M]> {
    this.#calls += 1;
    const message: CallMessage = { call: this.#calls, method, args };
    const reply = new Promise((resolve, reject) => this.#waiting.set(message.call, { resolve, reject }));
    this.#worker.postMessage(message); // oxlint-disable-line require-post-message-target-origin -- a worker has none
    return reply as ReturnType<PlaygroundCalls[M]>;
  }

  /** Ends a run that takes too long. The next call starts a new worker, which has read no candidates. */
  restart(): void {
    this.#worker.terminate();
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#worker = this.#start();
    for (const { reject } of waiting) reject(new Error('stopped'));
  }

  stop(): void {
    this.#worker.terminate();
  }

  #start(): Worker {
    const worker = new Worker(new URL('./engine/worker.ts', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<ReplyMessage>) => {
      const waiting = this.#waiting.get(data.call);
      this.#waiting.delete(data.call);
      if (data.error === undefined) waiting?.resolve(data.result);
      else waiting?.reject(new Error(data.error));
    });
    worker.addEventListener('error', ({ message }) => {
      for (const { reject } of this.#waiting.values()) reject(new Error(message || 'the worker failed'));
      this.#waiting.clear();
    });
    return worker;
  }
}

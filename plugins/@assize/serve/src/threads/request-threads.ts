import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { MessageChannel } from 'node:worker_threads';
import type { Piscina } from 'piscina';
import { toAssizeError } from 'assize';
import { messageWithCauses } from '../http/request-error.js';
import type { RunKind } from '../operations.js';
import { Slots } from '../http/slots.js';
import { isWorkFollowed } from './recorded-work.js';
import type { ProfileVersion, ThreadData, ThreadNotice, ThreadQuestion, ThreadReply, ThreadTask } from './messages.js';

/**
 * The file of a thread's code: that of the published bundle, also when run from the sources, since a thread runs
 * JavaScript. Undefined if it is missing, as in a program that was bundled with Assize.
 */
export function threadFile(): string | undefined {
  if (here === undefined) return undefined;
  const path = /\/src\/threads\/[^/]+$/.test(here) ? '../../dist/serve-thread.js' : './serve-thread.js';
  const file = fileURLToPath(new URL(path, here));
  return existsSync(file) ? file : undefined;
}

/** The URL of this file; undefined if a bundler has converted it to CommonJS. */
const here: string | undefined = import.meta.url;

/** Milliseconds to keep an idle thread, because loading its pipelines is expensive. */
const IDLE_MS = 60_000;

/** Milliseconds for a thread to react to an abort before it is terminated. */
const DEAF_MS = 1000;

/** A request for a thread. */
interface LargeRequest {
  readonly kind: RunKind;
  /** Transferred to the thread, so it cannot be read afterwards. */
  readonly body: Uint8Array;
  /** The active version of a profile; undefined if threads cannot use it. */
  readonly versionOf: (profile: string) => ProfileVersion | undefined;
}

/** Threads for large requests, so that these do not block small ones. Threads start on demand. */
export class RequestThreads {
  /** The turns of large requests, which take none of the main thread's turns while they wait. */
  readonly slots: Slots;
  #pool: Promise<Piscina<ThreadTask, ThreadReply>> | undefined;

  constructor(
    private readonly file: string,
    private readonly count: number,
    private readonly data: ThreadData,
  ) {
    this.slots = new Slots({ ...data.limits, concurrent: count, turnsPerTenant: Math.max(1, count >> 1) });
  }

  /**
   * Answers a request in a thread.
   *
   * @param signal passed on to the scorers; if they do not react, the thread is terminated
   * @throws AssizeError (ASZ519) if the thread ends early; the reason of an abort
   */
  async answer(request: LargeRequest, signal: AbortSignal): Promise<ThreadReply> {
    this.#pool ??= this.#start();
    const pool = await this.#pool;
    const { port1: port, port2: theirs } = new MessageChannel();
    const tell = (notice: ThreadNotice): void => port.postMessage(notice);
    port.on('message', (profile: ThreadQuestion) => tell({ kind: 'version', version: request.versionOf(profile) }));
    const deaf = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const stop = (): void => {
      tell({ kind: 'abort' });
      timer = setTimeout(() => deaf.abort(), DEAF_MS).unref();
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    const body = withBuffer(request.body);
    try {
      return await pool.run(
        { kind: request.kind, body, isFollowed: isWorkFollowed(), port: theirs },
        { signal: deaf.signal, transferList: [body.buffer, theirs] },
      );
    } catch (error) {
      signal.throwIfAborted();
      throw threadLost(error);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      port.close();
    }
  }

  /** Terminates every thread, busy or not. */
  async close(): Promise<void> {
    await (await this.#pool)?.destroy();
  }

  async #start(): Promise<Piscina<ThreadTask, ThreadReply>> {
    const { Piscina } = await import('piscina');
    const pool = new Piscina<ThreadTask, ThreadReply>({
      filename: this.file,
      minThreads: 0,
      maxThreads: this.count,
      idleTimeout: IDLE_MS,
      workerData: this.data,
      atomics: 'disabled', // Atomics.wait between tasks would block what a unit awaits
      recordTiming: false,
    });
    pool.on('error', () => {}); // an idle thread failed; another replaces it
    return pool;
  }
}

/** Bytes with their own buffer, which can be transferred. */
const withBuffer = (bytes: Uint8Array): Uint8Array<ArrayBuffer> =>
  bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength
    ? new Uint8Array(bytes.buffer)
    : new Uint8Array(bytes);

const threadLost = (error: unknown): Error =>
  toAssizeError([{ code: 'ASZ519', message: `the thread of the request ended: ${messageWithCauses(error)}` }], {
    cause: error,
  });

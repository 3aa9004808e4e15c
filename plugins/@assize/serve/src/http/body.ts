import { Readable } from 'node:stream';
import { parseJsonText, toError } from 'assize/internal';
import type { Deadline } from './deadline.js';
import type { ServeLimits } from './limits.js';
import { clientGone, malformed, type RequestError, tooBusy, tooLarge } from './request-error.js';

/** The file name of a request's body in problems, before line and column. */
export const BODY = 'body';

/** The limits of `Uploads`. */
type UploadLimits = Pick<ServeLimits, 'bodies' | 'bodiesPerTenant' | 'uploadsPerTenant'>;

/** The uploads of a tenant. */
interface TenantUploads {
  count: number;
  bytes: number;
}

/**
 * The uploads of all tenants and their bytes in memory, so that many large requests cannot exhaust it. Only received
 * bytes are counted: a large content-length costs other clients nothing.
 */
export class Uploads {
  readonly #tenants = new Map<string, TenantUploads>();
  #bytes = 0;

  constructor(private readonly limits: UploadLimits) {}

  /** The bytes in memory. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Begins an upload.
   *
   * @throws RequestError (ASZ594, 429) if the tenant has reached its limit
   */
  open(tenant: string | undefined): Upload {
    const own = (tenant === undefined ? undefined : this.#tenants.get(tenant)) ?? { count: 0, bytes: 0 };
    if (tenant !== undefined) {
      if (own.count >= this.limits.uploadsPerTenant)
        throw tooBusy(`you have ${own.count} uploads in progress, which is the limit`, 429);
      this.#tenants.set(tenant, own);
    }
    own.count++;
    const count = (bytes: number): void => {
      own.bytes += bytes;
      this.#bytes += bytes;
    };
    const leave = (): void => {
      own.count--;
    };
    const check = (more: number): void => {
      const { bodies, bodiesPerTenant } = this.limits;
      if (tenant !== undefined && own.bytes + more > bodiesPerTenant) {
        throw tooBusy(`your requests hold ${own.bytes} bytes in memory, which is the limit`, 429);
      }
      if (this.#bytes + more > bodies) throw tooBusy('the memory for request bodies is full');
    };
    const forget = (): void => {
      if (tenant !== undefined && own.count === 0 && own.bytes === 0) this.#tenants.delete(tenant);
    };
    return new Upload({ count, check, leave, forget });
  }
}

/** The functions by which an upload updates the counts of its tenant. */
interface UploadAccount {
  readonly count: (bytes: number) => void;
  /** @throws RequestError (ASZ594) if the memory limit is reached */
  readonly check: (more: number) => void;
  /** Called when the upload is complete. */
  readonly leave: () => void;
  /** Called when no bytes of the upload are held. */
  readonly forget: () => void;
}

/** The body of one request: whether it is complete, and the number of bytes in memory. */
export class Upload {
  #bytes = 0;
  #isComing = true;

  constructor(private readonly account: UploadAccount) {}

  /** @throws RequestError (ASZ594) if the limit of the tenant (429) or of the server (503) is reached */
  hold(bytes: number): void {
    this.account.check(bytes);
    this.#bytes += bytes;
    this.account.count(bytes);
  }

  release(bytes: number): void {
    this.#bytes -= bytes;
    this.account.count(-bytes);
  }

  /** Marks the body as complete, with this many bytes in memory; by default the bytes held so far. */
  received(bytes = this.#bytes): void {
    this.release(this.#bytes - bytes);
    if (this.#isComing) this.account.leave();
    this.#isComing = false;
  }

  /** Releases everything when the request ends, successfully or not. */
  end(): void {
    this.received(0);
    this.account.forget();
  }
}

/** The body of a web request as a stream of Node, so that both kinds of requests are read by the same code. */
export function webBody({ body }: Request): Readable {
  const readable = body === null ? Readable.from([]) : Readable.from(body, { objectMode: false });
  return readable.on('error', () => {}); // a client that disconnects: the reader sees `close`
}

/** The format of a request's body. */
export type BodyFormat = 'json' | 'ndjson';

const NDJSON = /^application\/(?:x-ndjson|ndjson|jsonl|x-jsonlines)\b/i;

export const isNdjson = (type: string): boolean => NDJSON.test(type);

/**
 * The format of a body by its content type.
 *
 * @throws RequestError for another type, such as that of a form, which any web page can send
 */
export function bodyFormat(request: Request): BodyFormat {
  const type = request.headers.get('content-type') ?? '';
  const encoding = request.headers.get('content-encoding') ?? 'identity';
  if (encoding !== 'identity')
    throw malformed(`the body has content-encoding ${encoding}; expected none`, undefined, 415);
  if (isNdjson(type)) return 'ndjson';
  if (/^application\/(?:[\w.-]+\+)?json\b/i.test(type)) return 'json';
  const found = type === '' ? 'the request has no content-type header' : `the content-type is ${type}`;
  const hint = /^text\/(?:csv|tab-separated-values)\b/i.test(type)
    ? 'send each row as an object: { "profile": "shop", "candidates": [{ "id": "a" }] }; assize rank reads CSV files'
    : "with curl: -H 'content-type: application/json'";
  throw malformed(`${found}; expected application/json or application/x-ndjson`, hint, 415);
}

/** The inputs for reading a body. */
export interface BodyReading {
  readonly limits: Pick<ServeLimits, 'body' | 'bodiesPerTenant'>;
  readonly upload: Upload;
  readonly deadline: Deadline;
  /** The length that the request announces; 0 if it announces none. */
  readonly announced: number;
  readonly incoming: Readable;
}

/** The memory that a part of a body takes in addition to its bytes: a body may arrive byte by byte. */
export const PART_BYTES = 128;

/**
 * The parts of a body. A part is held until the next one is requested, except for the bytes that `keeps` returns.
 *
 * @param most the most bytes of the body
 * @param keeps the number of bytes that the caller still holds when it requests the next part
 * @throws RequestError (ASZ593, ASZ594, ASZ595) if the body is too large, the memory limit is reached, or the body stalls
 */
export async function* bodyParts(
  most: number,
  { incoming, upload, deadline }: BodyReading,
  keeps: () => number,
): AsyncGenerator<Uint8Array, void> {
  let bytes = 0;
  let held = 0;
  deadline.now({ isReading: true });
  while (!incoming.readableEnded) {
    const part = incoming.read() as Buffer | null;
    if (part === null) {
      await untilReadable(incoming, deadline.signal); // oxlint-disable-line no-await-in-loop -- part by part
      continue;
    }
    deadline.now({ isReading: false });
    bytes += part.byteLength;
    if (bytes > most) throw bodyTooLarge(most);
    upload.hold(part.byteLength + PART_BYTES);
    held += part.byteLength + PART_BYTES;
    yield part;
    const left = Math.min(held, keeps());
    upload.release(held - left);
    held = left;
    deadline.now({ isReading: true });
  }
  deadline.now({ isReading: false });
}

/** Waits for more data or the end of the body. */
async function untilReadable(incoming: Readable, signal: AbortSignal): Promise<void> {
  if (incoming.destroyed) throw clientGone();
  signal.throwIfAborted();
  const events = ['readable', 'end', 'close'] as const;
  let stop = (): void => {};
  const happened = new Promise<void>((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    for (const event of events) incoming.on(event, resolve);
    signal.addEventListener('abort', onAbort);
    stop = () => {
      for (const event of events) incoming.off(event, resolve);
      signal.removeEventListener('abort', onAbort);
    };
  });
  await happened.finally(stop);
}

/** The limits for draining the unused rest of a body: milliseconds and bytes. */
const REST_MS = 500;
const REST_BYTES = 2 ** 20;

/**
 * Drains the rest of a body, so that its connection can carry another request. Behind a proxy that may be a request of
 * another caller, which would be lost if the connection were closed.
 *
 * @returns whether the body is complete; if not, the response must close the connection
 */
export function dropRest(incoming: Readable): Promise<boolean> {
  if (incoming.readableEnded) return Promise.resolve(true);
  if (incoming.destroyed) return Promise.resolve(false);
  return new Promise((resolve) => {
    let bytes = 0;
    const over = (): void => {
      clearTimeout(timer);
      incoming.off('data', onData).off('end', over).off('close', over);
      if (!incoming.readableEnded) incoming.pause();
      resolve(incoming.readableEnded);
    };
    const onData = (part: Buffer): void => {
      bytes += part.byteLength;
      if (bytes > REST_BYTES) over();
    };
    const timer = setTimeout(over, REST_MS);
    incoming.on('data', onData).on('end', over).on('close', over);
    incoming.resume();
  });
}

const bodyTooLarge = (most: number): RequestError =>
  tooLarge(
    `the body has more than ${most} bytes`,
    'split the request; POST /v1/score accepts any number of candidates as application/x-ndjson',
  );

/**
 * Reads a body as a whole. Its bytes are held until the request ends.
 *
 * @throws RequestError (ASZ593, ASZ594, ASZ595) if the body is too large, the memory limit is reached, or the body stalls
 */
export async function readBody(reading: BodyReading): Promise<Uint8Array> {
  const { limits, upload, announced } = reading;
  const most = Math.min(limits.body, limits.bodiesPerTenant);
  if (announced > most) throw bodyTooLarge(most);
  const body = await readAll(most, reading);
  upload.received(body.byteLength);
  return body;
}

/** Reads all parts. Avoids a generator, which would double the cost of a small body. */
function readAll(most: number, { incoming, upload, deadline }: BodyReading): Promise<Uint8Array> {
  const { signal } = deadline;
  const parts: Buffer[] = [];
  let bytes = 0;
  return new Promise<Uint8Array>((resolve, reject) => {
    const fail = (error: unknown): void => {
      stop();
      incoming.pause(); // the rest is not read
      reject(toError(error));
    };
    const onData = (part: Buffer): void => {
      deadline.touch();
      bytes += part.byteLength;
      try {
        if (bytes > most) throw bodyTooLarge(most);
        upload.hold(part.byteLength + PART_BYTES);
        parts.push(part);
      } catch (error) {
        fail(error);
      }
    };
    const onEnd = (): void => {
      stop();
      resolve(parts.length === 1 ? parts[0]! : Buffer.concat(parts));
    };
    const onClose = (): void => fail(clientGone());
    const onAbort = (): void => fail(signal.reason);
    const stop = (): void => {
      deadline.now({ isReading: false });
      incoming.off('data', onData).off('end', onEnd).off('error', onClose).off('close', onClose);
      signal.removeEventListener('abort', onAbort);
    };
    deadline.now({ isReading: true });
    incoming.on('data', onData).on('end', onEnd).on('error', onClose).on('close', onClose);
    if (signal.aborted) onAbort();
    else if (incoming.destroyed) onClose();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** @throws AssizeError (ASZ590) with the place of the error if it is not JSON */
export function parseBody(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw malformed('the body is not UTF-8');
  }
  return parseText(text);
}

/** @throws AssizeError (ASZ590) with the place of the error if the text of a body is not JSON, or is nested too deep */
export const parseText = (text: string): unknown => parseJsonText(text, BODY, 'ASZ590');

import type { IncomingMessage } from 'node:http';
import { SourceFile, AssizeError } from '../../base/index.js';
import { untilAborted } from '../../engine/index.js';
import { findJsonMistake, TOO_DEEP, tryParseJson } from '../../data/index.js';
import type { Deadline } from './deadline.js';
import type { ServeLimits } from './limits.js';
import { clientGone, malformed, type RequestError, tooBusy, tooLarge } from './request-error.js';

/** What requests are called in problems, before line and column. */
export const BODY = 'body';

/** The limits of `Uploads`. */
type UploadLimits = Pick<ServeLimits, 'bodies' | 'bodiesPerTenant' | 'uploadsPerTenant'>;

/** The uploads of a tenant. */
interface TenantUploads {
  count: number;
  bytes: number;
}

/**
 * The uploads of all tenants, and the bytes of them that are in memory: many large requests at once must not fill it.
 * Only bytes that have arrived are counted. What a client announces costs others nothing.
 */
export class Uploads {
  readonly #tenants = new Map<string, TenantUploads>();
  #bytes = 0;

  constructor(private readonly limits: UploadLimits) {}

  /** The bytes that are in memory. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Begins an upload.
   *
   * @throws RequestError (ASZ594, 429) if the tenant has as many as it may have
   */
  open(tenant: string | undefined): Upload {
    const own = (tenant === undefined ? undefined : this.#tenants.get(tenant)) ?? { count: 0, bytes: 0 };
    if (tenant !== undefined) {
      if (own.count >= this.limits.uploadsPerTenant) throw tooBusy(`you have ${own.count} uploads under way`, 429);
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
        throw tooBusy(`your requests have ${own.bytes} bytes in memory`, 429);
      }
      if (this.#bytes + more > bodies) throw tooBusy('other requests fill the memory');
    };
    const forget = (): void => {
      if (tenant !== undefined && own.count === 0 && own.bytes === 0) this.#tenants.delete(tenant);
    };
    return new Upload({ count, check, leave, forget });
  }
}

/** How an upload changes the numbers of its tenant. */
interface UploadAccount {
  readonly count: (bytes: number) => void;
  /** @throws RequestError (ASZ594) if there is no room for more bytes */
  readonly check: (more: number) => void;
  /** The tenant has one upload less. */
  readonly leave: () => void;
  /** Called when nothing of the upload is left. */
  readonly forget: () => void;
}

/** One request's body: whether it is still coming, and how many bytes of it are in memory. */
export class Upload {
  #bytes = 0;
  #isComing = true;

  constructor(private readonly account: UploadAccount) {}

  /** @throws RequestError (ASZ594) if there is no room for more bytes: 429 the tenant's, 503 the server's */
  hold(bytes: number): void {
    this.account.check(bytes);
    this.#bytes += bytes;
    this.account.count(bytes);
  }

  release(bytes: number): void {
    this.#bytes -= bytes;
    this.account.count(-bytes);
  }

  /** The body is there, with so many bytes in memory; with as many as were held if it is not given. */
  received(bytes = this.#bytes): void {
    this.release(this.#bytes - bytes);
    if (this.#isComing) this.account.leave();
    this.#isComing = false;
  }

  /** The request has ended, whatever came of it: nothing is held any longer. */
  end(): void {
    this.received(0);
    this.account.forget();
  }
}

/** What a request's body is. */
export type BodyFormat = 'json' | 'ndjson';

const NDJSON = /^application\/(?:x-ndjson|ndjson|jsonl|x-jsonlines)\b/i;

export const isNdjson = (type: string): boolean => NDJSON.test(type);

/**
 * The format of a body, as its type says.
 *
 * @throws RequestError where it is another, as that of a form, which a page of anybody can send
 */
export function bodyFormat(request: Request): BodyFormat {
  const type = request.headers.get('content-type') ?? '';
  const encoding = request.headers.get('content-encoding') ?? 'identity';
  if (encoding !== 'identity')
    throw malformed(`the body is encoded as ${encoding}; expected it as it is`, undefined, 415);
  if (isNdjson(type)) return 'ndjson';
  if (/^application\/(?:[\w.-]+\+)?json\b/i.test(type)) return 'json';
  const found = type === '' ? 'the request has no content-type' : `the content-type is ${type}`;
  throw malformed(
    `${found}; expected application/json or application/x-ndjson`,
    "with curl: -H 'content-type: application/json'",
    415,
  );
}

/** What reading a body needs besides its request. */
export interface BodyReading {
  readonly limits: Pick<ServeLimits, 'body' | 'bodiesPerTenant'>;
  readonly upload: Upload;
  readonly deadline: Deadline;
  readonly incoming: IncomingMessage;
}

/** What a part of a body takes beside its bytes: a body may come one byte at a time. */
export const PART_BYTES = 128;

/**
 * The parts of a body. Each is held until the next one is asked for, but for what `keeps` returns.
 *
 * @param most how many bytes there may be
 * @param keeps the number of bytes that the caller still holds when it asks for the next part
 * @throws RequestError (ASZ593, ASZ594, ASZ595) if the body is too large, there is no room, or it does not go on
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

/** Waits until there is something to read, or the end. */
async function untilReadable(incoming: IncomingMessage, signal: AbortSignal): Promise<void> {
  if (incoming.destroyed) throw clientGone();
  const events = ['readable', 'end', 'close'] as const;
  let stop = (): void => {};
  const happened = new Promise<void>((resolve) => {
    for (const event of events) incoming.on(event, resolve);
    stop = () => events.forEach((event) => incoming.off(event, resolve));
  });
  try {
    await untilAborted(happened, signal);
  } finally {
    stop();
  }
}

/** How long the rest of a body is read that is not needed, in milliseconds, and how much of it. */
const REST_MS = 500;
const REST_BYTES = 2 ** 20;

/**
 * Reads the rest of a body and drops it, so that its connection can have another request: through a proxy, that may be
 * one of another caller, and it would be lost if the connection were closed.
 *
 * @returns whether the body is whole; if not, its answer has to close the connection
 */
export function dropRest(incoming: IncomingMessage): Promise<boolean> {
  if (incoming.complete && incoming.readableEnded) return Promise.resolve(true);
  if (incoming.destroyed) return Promise.resolve(false);
  return new Promise((resolve) => {
    let bytes = 0;
    const over = (): void => {
      clearTimeout(timer);
      incoming.off('data', onData).off('end', over).off('close', over);
      if (!incoming.complete) incoming.pause();
      resolve(incoming.complete);
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
  tooLarge(`the body has more than ${most} bytes`, 'scores of any number come as application/x-ndjson: POST /v1/score');

/**
 * Reads a body as a whole. Its bytes are held until the request ends.
 *
 * @throws RequestError (ASZ593, ASZ594, ASZ595) if the body is too large, there is no room, or it does not go on
 */
export async function readBody(reading: BodyReading): Promise<Uint8Array> {
  const { limits, upload, incoming } = reading;
  const most = Math.min(limits.body, limits.bodiesPerTenant);
  if (Number(incoming.headers['content-length'] ?? 0) > most) throw bodyTooLarge(most);
  const body = await readAll(most, reading);
  upload.received(body.byteLength);
  return body;
}

/** Reads all parts: without a generator in between, which costs as much as the rest of what is done for a small body. */
function readAll(most: number, { incoming, upload, deadline }: BodyReading): Promise<Uint8Array> {
  const { signal } = deadline;
  const parts: Buffer[] = [];
  let bytes = 0;
  return new Promise<Uint8Array>((resolve, reject) => {
    const fail = (error: unknown): void => {
      stop();
      incoming.pause(); // what is left is not read
      reject(error instanceof Error ? error : new Error(String(error)));
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

/** @throws AssizeError (ASZ590) with the place where it is no JSON */
export function parseBody(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw malformed('the body is not UTF-8');
  }
  return parseText(text, BODY);
}

/** @throws AssizeError (ASZ590) with the place where a text is not JSON, or is nested too deep */
export function parseText(text: string, name: string): unknown {
  const parsed = tryParseJson(text);
  if (parsed) return parsed.data;
  const found = findJsonMistake(new SourceFile(name, text), 'line') ?? { message: TOO_DEEP };
  const message = found.message === TOO_DEEP ? `the ${name}: ${TOO_DEEP}` : `the ${name} is not JSON: ${found.message}`;
  throw new AssizeError([{ ...found, code: 'ASZ590', message }]);
}

import { open, stat } from 'node:fs/promises';
import { toAssizeError } from 'assize';
import { checkOptions, readSourceFile, ShardLines, toError } from 'assize/internal';
import { timerMs } from 'assize/sdk';
import { type BytesOfJob, digestOf, shardOf } from './job.js';

/** JSON Lines that can be read at any offset: a file, an object in a store, or anything with a `read` function. */
export interface ByteInput {
  /** The name on every machine. Problems show it, a URL without its query. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /**
   * The version that the store reports, which changes with the content. Without it, `createJob` reads the input once and
   * identifies each shard by its digest.
   */
  readonly etag?: string | undefined;
  /** The folder for the vectors of its texts, if it has one. */
  readonly vectors?: string | undefined;
  /** Reads the bytes from `from` up to, but not including, `to`. */
  read(from: number, to: number): Promise<Uint8Array>;
}

/** A name for messages: a URL without possible secrets, which are a password and the signature in its query. */
export const shownName = (name: string): string =>
  /^https?:/i.test(name) ? name.replace(/[?#].*$/s, '').replace(/^(https?:\/\/)[^/]*@/i, '$1') : name;

/** Reads a number of bytes at an offset. */
type ReadAt = (position: number, length: number) => Promise<Uint8Array>;

/**
 * Reads from an input, and checks that each read has the requested length.
 *
 * @throws AssizeError (ASZ577) if a read returns another number of bytes
 */
const readsOf =
  (input: ByteInput): ReadAt =>
  async (position, length) => {
    if (length === 0) return Buffer.alloc(0);
    const { buffer, byteOffset, byteLength } = await input.read(position, position + length);
    if (byteLength === length) return Buffer.from(buffer, byteOffset, byteLength);
    const found = `requested ${length} bytes from byte ${position}, received ${byteLength}`;
    throw inputChangedError(input.name, found);
  };

/** The error for an input that is not the job's input, or has changed. */
const inputChangedError = (name: string, found: string): Error =>
  toAssizeError([
    {
      code: 'ASZ577',
      message: `${shownName(name)} has changed: ${found}`,
      hint: 'create a new job of the current input',
    },
  ]);

/** The bytes per read when an input is read from its start. */
const READ_BYTES = 65_536;

/** Reads an input from its start. */
export async function* bytesOf(input: ByteInput): AsyncGenerator<Uint8Array, void> {
  for (let from = 0; from < input.size; from += READ_BYTES) {
    yield await readsOf(input)(from, Math.min(READ_BYTES, input.size - from));
  }
}

/**
 * A file as the input of a job.
 *
 * @param name the name in problems and on other machines; defaults to the path
 * @throws AssizeError if it does not exist (ASZ101), or can only be read from its start (ASZ581)
 */
export async function fileInput(path: string, name = path): Promise<ByteInput> {
  const found = await stat(path).catch(async (error: unknown) => {
    await readSourceFile(path); // throws the same failure as a problem
    throw error;
  });
  if (found.isDirectory()) await readSourceFile(path);
  if (!found.isFile()) throw notInPartsError(`${name} can only be read from the start`);
  return { name, size: found.size, vectors: `${path}.vectors`, read: (from, to) => readRange(path, from, to - from) };
}

async function readRange(path: string, position: number, length: number): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const bytes = Buffer.allocUnsafe(length);
    let done = 0;
    while (done < length) {
      // oxlint-disable-next-line no-await-in-loop -- sequential reads
      const { bytesRead } = await file.read(bytes, done, length - done, position + done);
      if (bytesRead === 0) break;
      done += bytesRead;
    }
    return bytes.subarray(0, done);
  } finally {
    await file.close();
  }
}

const LINES_HINT = 'write it to a file of JSON Lines first, one object per line';

/** The error for an input that is not JSON Lines, or not a file. */
export const notInPartsError = (message: string, hint = LINES_HINT): Error =>
  toAssizeError([{ code: 'ASZ581', message, hint }]);

/** The options of `httpInput`. They are not part of a job. */
export interface HttpInputOptions {
  /** Headers of each request, such as credentials. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The milliseconds without data after which a request is retried. Defaults to 30,000. */
  readonly timeout?: number | undefined;
}

const TIMEOUT_MS = 30_000;

/** The number of attempts of a request if the server or the network fails. */
const TRIES = 3;
const FIRST_WAIT_MS = 200;

/** Whether the name of an input is a URL. */
export const isUrl = (name: string): boolean => /^https?:\/\//i.test(name);

/**
 * An object on a server that supports range requests (RFC 9110, section 14): Amazon S3, a compatible store, or a web
 * server. All requests must return the same `ETag`.
 *
 * @throws AssizeError if the URL is invalid or the server does not respond (ASZ101), or it has no ranges (ASZ581)
 */
export async function httpInput(url: string, options: HttpInputOptions = {}): Promise<ByteInput> {
  checkOptions('httpInput', options, { headers: 'anything', timeout: { integerFrom: 1 } });
  const { headers = {}, timeout = TIMEOUT_MS } = options;
  const name = shownName(url);
  checkUrl(url, name);
  const request: RangeRequest = { url, headers, from: 0, to: 1, timeout };
  const first = (await answerOf(request, name)).response;
  if (first.status === 416)
    return { name: url, size: 0, etag: etagOf(first), read: () => Promise.resolve(new Uint8Array()) };
  const size = /\/(\d+)$/.exec(first.headers.get('content-range') ?? '')?.[1];
  if (first.status !== 206 || size === undefined) {
    throw notInPartsError(`${name} can only be read from the start: its server does not support range requests`);
  }
  const etag = etagOf(first);
  const condition = etag === undefined || etag.startsWith('W/') ? {} : { 'if-match': etag };
  return {
    name: url,
    size: Number(size),
    etag,
    read: async (from, to) => {
      const range = { ...request, headers: { ...headers, ...condition }, from, to };
      const { response, body } = await answerOf(range, `${name}, bytes ${from} to ${to - 1}`);
      if (response.status === 206 && etagOf(response) === etag) return body;
      throw inputChangedError(name, `its server has another version (status ${response.status})`);
    },
  };
}

/** @throws AssizeError (ASZ101) if the URL is invalid or has a password, which `fetch` would repeat in its error */
function checkUrl(url: string, name: string): void {
  if (!URL.canParse(url)) throw unreadableError(name, 'it is not a URL');
  const { username, password } = new URL(url);
  if (username === '' && password === '') return;
  throw unreadableError(name, 'its URL contains a user or a password', 'send them in the header authorization');
}

const etagOf = (response: Response): string | undefined => response.headers.get('etag') ?? undefined;

/** Whether a retry may help after a status: RFC 9110, sections 15.5.9 and 15.6, and 429 of RFC 6585. */
const isTemporary = (status: number): boolean => status === 408 || status === 429 || status >= 500;

/** A request for the bytes from `from` up to, but not including, `to`. */
interface RangeRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly from: number;
  readonly to: number;
  readonly timeout: number;
}

/** A server's response, with the bytes of the range. `body` is empty if the response is not a range. */
interface Answer {
  readonly response: Response;
  readonly body: Uint8Array;
}

/**
 * Sends a request, and retries it if the server or the network fails.
 *
 * @param place the input and the range, for the error
 */
async function answerOf(request: RangeRequest, place: string): Promise<Answer> {
  for (let tried = 1, wait = FIRST_WAIT_MS; ; tried++, wait *= 2) {
    // oxlint-disable-next-line no-await-in-loop -- sequential attempts
    const answer = await ask(request).catch(toError);
    if (answer instanceof Error) {
      if (tried === TRIES) throw unreadableError(place, toError(answer.cause ?? answer).message, triesHint(tried));
    } else {
      const { ok, status } = answer.response;
      if (ok || status === 412 || status === 416) return answer;
      if (!isTemporary(status) || tried === TRIES) {
        throw unreadableError(place, `its server responds with ${status}`, triesHint(tried));
      }
    }
    // oxlint-disable-next-line no-await-in-loop -- before the next attempt
    await new Promise((resolve) => void setTimeout(resolve, wait));
  }
}

/** One attempt. A connection that ends or goes silent before the last byte has failed. */
async function ask({ url, headers, from, to, timeout }: RangeRequest): Promise<Answer> {
  const silence = new AbortController();
  const tooLong = (): void => silence.abort(new Error(`its server did not respond for ${timeout / 1000} s`));
  const timer = setTimeout(tooLong, timerMs(timeout));
  try {
    const response = await fetch(url, {
      headers: { ...headers, range: `bytes=${from}-${to - 1}`, 'accept-encoding': 'identity' },
      redirect: 'manual',
      signal: silence.signal,
    });
    const isRange = response.status === 206 && response.body !== null;
    if (!isRange) await response.body?.cancel(); // a server without range support would send the whole body
    const body = isRange ? await bytesUpTo(to - from, response.body, () => timer.refresh()) : new Uint8Array();
    return { response, body };
  } finally {
    clearTimeout(timer);
  }
}

/** Reads a body, and stops when it is longer than `length`. */
async function bytesUpTo(length: number, body: AsyncIterable<Uint8Array>, onBytes: () => void): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    onBytes();
    chunks.push(chunk);
    bytes += chunk.byteLength;
    if (bytes > length) break;
  }
  return Buffer.concat(chunks);
}

const unreadableError = (place: string, reason: string, hint?: string): Error =>
  toAssizeError([{ code: 'ASZ101', message: `cannot read ${place}: ${reason}`, ...(hint !== undefined && { hint }) }]);

const triesHint = (tries: number): string | undefined => (tries > 1 ? `tried ${tries} times` : undefined);

/** Reads the lines of a shard. */
export const readLinesOf = (input: ByteInput, of: BytesOfJob, index: number): Promise<ShardLines> =>
  ShardLines.read(readsOf(input), shardOf(of, index), of.size);

/**
 * Reads the lines of a shard, and checks that they have not changed since the job was created.
 *
 * @throws AssizeError (ASZ577) if they have changed
 */
export async function readKnownLines(input: ByteInput, of: BytesOfJob, index: number): Promise<ShardLines> {
  const lines = await readLinesOf(input, of, index);
  const known = of.digests[index];
  if (known === undefined || digestOf(lines.bytes) === known) return lines;
  const { from, to } = shardOf(of, index);
  throw inputChangedError(of.name, `the lines that start between byte ${from} and byte ${to} are different`);
}

/** Reads unchanged lines of a job's input. Without an `etag`, reads and checks the whole shard of a line. */
export function knownLineReads(input: ByteInput, of: BytesOfJob): ReadAt {
  if (of.etag !== undefined) return readsOf(input);
  let last: { readonly index: number; readonly lines: Promise<ShardLines> } | undefined;
  return async (position, length) => {
    const index = Math.floor(position / of.shardBytes);
    if (last?.index !== index) last = { index, lines: readKnownLines(input, of, index) };
    const { bytes, offset } = await last.lines;
    return bytes.subarray(position - offset, position - offset + length);
  };
}

/** @throws AssizeError (ASZ577) if an input does not have the size and version of the job's input */
export function checkInput(input: ByteInput, of: BytesOfJob): void {
  const { name, size, etag } = of;
  if (input.size !== size) throw inputChangedError(name, `it has ${input.size} bytes, before ${size}`);
  if (input.etag === etag) return;
  throw inputChangedError(name, `its version is ${input.etag ?? 'unknown'}, before ${etag ?? 'unknown'}`);
}

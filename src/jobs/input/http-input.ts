import { timerMs } from '../../contract/index.js';
import { ANYTHING, checkOptions, integerFrom, toAssizeError, toError } from '../../diagnostics/index.js';
import { type ByteInput, inputChangedError, shownName } from './byte-input.js';
import { notInPartsError } from './file-input.js';

/** How `httpInput` asks. None of it is part of a job. */
export interface HttpInputOptions {
  /** Sent with each request: credentials, for example. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** For how many milliseconds a server may send nothing before a request has failed, and is tried again; 30,000 when not given. */
  readonly timeout?: number | undefined;
}

const TIMEOUT_MS = 30_000;

/** How often a request is tried where the server, or the way to it, fails. */
const TRIES = 3;
const FIRST_WAIT_MS = 200;

/** Whether the name of an input is a URL. */
export const isUrl = (name: string): boolean => /^https?:\/\//i.test(name);

/**
 * An object that a server gives by ranges: of Amazon S3, of any store with its interface, or a file behind a web server.
 * It is read by range requests (RFC 9110, section 14) that hold for one `ETag` only.
 *
 * @throws AssizeError where the URL is none, or the server does not answer (ASZ101), or gives no ranges (ASZ581)
 */
export async function httpInput(url: string, options: HttpInputOptions = {}): Promise<ByteInput> {
  checkOptions('httpInput', options, { headers: ANYTHING, timeout: integerFrom(1) });
  const { headers = {}, timeout = TIMEOUT_MS } = options;
  const name = shownName(url);
  checkUrl(url, name);
  const request: RangeRequest = { url, headers, from: 0, to: 1, timeout };
  const first = (await answerOf(request, name)).response;
  if (first.status === 416)
    return { name: url, size: 0, etag: etagOf(first), read: () => Promise.resolve(new Uint8Array()) };
  const size = /\/(\d+)$/.exec(first.headers.get('content-range') ?? '')?.[1];
  if (first.status !== 206 || size === undefined) {
    throw notInPartsError(`${name} can only be read from its beginning: its server gives no ranges`);
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
      throw inputChangedError(name, `its server gives another version (status ${response.status})`);
    },
  };
}

/** @throws AssizeError (ASZ101) where it is none that can be asked: `fetch` would repeat a password in its error */
function checkUrl(url: string, name: string): void {
  if (!URL.canParse(url)) throw unreadableError(name, 'it is no URL');
  const { username, password } = new URL(url);
  if (username === '' && password === '') return;
  throw unreadableError(name, 'its URL has a user or a password', 'send them as a header: authorization');
}

const etagOf = (response: Response): string | undefined => response.headers.get('etag') ?? undefined;

/** Statuses after which asking again may help: RFC 9110, sections 15.5.9 and 15.6, and 429 of RFC 6585. */
const isTemporary = (status: number): boolean => status === 408 || status === 429 || status >= 500;

/** A request for the bytes from an offset up to another. */
interface RangeRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly from: number;
  readonly to: number;
  readonly timeout: number;
}

/** What a server has answered, with its bytes: those of a range, and of anything else none. */
interface Answer {
  readonly response: Response;
  readonly body: Uint8Array;
}

/**
 * The answer to a request, which is tried again where the server fails, or the way to it.
 *
 * @param place what is read, for the error
 */
async function answerOf(request: RangeRequest, place: string): Promise<Answer> {
  for (let tried = 1, wait = FIRST_WAIT_MS; ; tried++, wait *= 2) {
    // oxlint-disable-next-line no-await-in-loop -- one try after another
    const answer = await ask(request).catch(toError);
    if (answer instanceof Error) {
      if (tried === TRIES) throw unreadableError(place, toError(answer.cause ?? answer).message, triesHint(tried));
    } else {
      const { ok, status } = answer.response;
      if (ok || status === 412 || status === 416) return answer;
      if (!isTemporary(status) || tried === TRIES) {
        throw unreadableError(place, `its server answers ${status}`, triesHint(tried));
      }
    }
    // oxlint-disable-next-line no-await-in-loop -- before the next try
    await new Promise((resolve) => void setTimeout(resolve, wait));
  }
}

/** One try. A connection that breaks off or goes silent in the middle of the bytes has failed as one that never was. */
async function ask({ url, headers, from, to, timeout }: RangeRequest): Promise<Answer> {
  const silence = new AbortController();
  const tooLong = (): void => silence.abort(new Error(`its server was silent for ${timeout / 1000} s`));
  const timer = setTimeout(tooLong, timerMs(timeout));
  try {
    const response = await fetch(url, {
      headers: { ...headers, range: `bytes=${from}-${to - 1}`, 'accept-encoding': 'identity' },
      redirect: 'manual',
      signal: silence.signal,
    });
    const isRange = response.status === 206 && response.body !== null;
    if (!isRange) await response.body?.cancel(); // a server without ranges would send all of it
    const body = isRange ? await bytesUpTo(to - from, response.body, () => timer.refresh()) : new Uint8Array();
    return { response, body };
  } finally {
    clearTimeout(timer);
  }
}

/** The bytes of a body, which is not read any further where it is longer than it should be. */
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

const triesHint = (tries: number): string | undefined => (tries > 1 ? `it was tried ${tries} times` : undefined);

import { toAssizeError, toError } from '../../diagnostics/index.js';
import { type ByteInput, inputChangedError } from './byte-input.js';
import { notInPartsError } from './file-input.js';

/** What a request of `httpInput` has besides its range. */
export interface HttpInputOptions {
  /** Sent with each request: credentials, for example. They are no part of a job. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** How often a request is tried where the server, or the way to it, fails. */
const TRIES = 3;
const FIRST_WAIT_MS = 200;

/** Whether the name of an input is a URL. */
export const isUrl = (name: string): boolean => /^https?:\/\//i.test(name);

/**
 * An object that a server gives by ranges: of Amazon S3, of any store with its interface, or a file behind a web server.
 * It is read by range requests (RFC 9110, section 14) that hold for one `ETag` only.
 *
 * @throws AssizeError where the server does not answer (ASZ101), or gives no ranges (ASZ581)
 */
export async function httpInput(url: string, { headers = {} }: HttpInputOptions = {}): Promise<ByteInput> {
  const name = url.replace(/[?#].*$/, ''); // a signed URL has its signature there
  const first = (await request(url, name, { ...headers, range: 'bytes=0-0' })).response;
  if (first.status === 416)
    return { name: url, size: 0, etag: etagOf(first), read: () => Promise.resolve(new Uint8Array()) };
  const size = /\/(\d+)$/.exec(first.headers.get('content-range') ?? '')?.[1];
  if (first.status !== 206 || size === undefined) {
    throw notInPartsError(`${name} can only be read from its beginning: its server gives no ranges`);
  }
  const etag = etagOf(first);
  return {
    name: url,
    size: Number(size),
    etag,
    read: async (from, to) => {
      const condition = etag === undefined || etag.startsWith('W/') ? {} : { 'if-match': etag };
      const range = `bytes=${from}-${to - 1}`;
      const { response, body } = await request(url, name, { ...headers, ...condition, range });
      if (response.status === 206 && etagOf(response) === etag) return body;
      throw inputChangedError(name, `its server gives another version (status ${response.status})`);
    },
  };
}

const etagOf = (response: Response): string | undefined => response.headers.get('etag') ?? undefined;

/** Statuses after which asking again may help: RFC 9110, sections 15.5.9 and 15.6, and 429 of RFC 6585. */
const isTemporary = (status: number): boolean => status === 408 || status === 429 || status >= 500;

/** What a server has answered, with its bytes: those of a range, and of anything else none. */
interface Answer {
  readonly response: Response;
  readonly body: Uint8Array;
}

async function request(url: string, name: string, headers: Readonly<Record<string, string>>): Promise<Answer> {
  for (let tried = 1, wait = FIRST_WAIT_MS; ; tried++, wait *= 2) {
    // oxlint-disable-next-line no-await-in-loop -- one try after another
    const answer = await ask(url, headers).catch(toError);
    if (answer instanceof Error) {
      if (tried === TRIES) throw unreadableError(name, toError(answer.cause ?? answer).message);
    } else {
      const { ok, status } = answer.response;
      if (ok || status === 412 || status === 416) return answer;
      if (!isTemporary(status) || tried === TRIES) throw unreadableError(name, `its server answers ${status}`);
    }
    // oxlint-disable-next-line no-await-in-loop -- before the next try
    await new Promise((resolve) => void setTimeout(resolve, wait));
  }
}

/** One try. A connection that breaks off in the middle of the bytes has failed as one that never was. */
async function ask(url: string, headers: Readonly<Record<string, string>>): Promise<Answer> {
  const response = await fetch(url, { headers: { ...headers, 'accept-encoding': 'identity' }, redirect: 'manual' });
  if (response.status === 206) return { response, body: new Uint8Array(await response.arrayBuffer()) };
  await response.body?.cancel(); // a server without ranges would send all of it
  return { response, body: new Uint8Array() };
}

const unreadableError = (name: string, reason: string): Error =>
  toAssizeError([{ code: 'ASZ101', message: `cannot read ${name}: ${reason}` }]);

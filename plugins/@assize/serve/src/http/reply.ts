import { type ServerResponse, STATUS_CODES } from 'node:http';
import { AssizeError, type Fault, faultOf, type Problem } from 'assize';
import { problemJson } from 'assize/internal';
import { RequestError } from './request-error.js';

/** The response to a request. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Null if the reply has no body. */
  readonly body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;
}

const JSON_HEADERS = { 'content-type': 'application/json' };

/** A reply whose JSON is already text. */
export const textReply = (body: string | Uint8Array<ArrayBuffer>): Reply => ({
  status: 200,
  headers: JSON_HEADERS,
  body,
});

export const jsonReply = (json: object, status = 200): Reply => ({ ...textReply(JSON.stringify(json)), status });

/** Whether `Response` is Node's own. Hono's adapter can replace it by a lighter one, which does not support streams. */
const isNative = (): boolean => Object.getPrototypeOf(Response) === Function.prototype;

let written: Response | undefined;

/** Tells Hono's adapter that the response has been written. This works only with Node's own `Response`. */
const writtenResponse = (): Response =>
  (written ??= new Response(null, { headers: { 'x-hono-already-sent': 'true' } }));

/**
 * Sends a reply. A complete body is written directly: a `Response` would turn it into a stream first, which doubles the
 * framework's cost per request.
 *
 * @param outgoing Node's own response; undefined in an app that another server calls
 */
export function sendReply({ status, headers, body }: Reply, outgoing: ServerResponse | undefined): Response {
  if (!outgoing || body === null || body instanceof ReadableStream || !isNative()) {
    return new Response(body, { status, headers });
  }
  if (!outgoing.destroyed) {
    outgoing.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
    outgoing.end(body);
  }
  return writtenResponse();
}

/** The response to a request that failed. */
interface ProblemAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** RFC 9457, with our `code`, `fault` and `problems`. */
  readonly body: {
    readonly type: string;
    readonly title: string | undefined;
    readonly status: number;
    readonly detail: string;
    readonly code?: string;
    readonly fault?: Fault;
    readonly problems?: readonly object[];
  };
}

/** The statuses of codes for which 400 (a fault of the caller) and 500 do not fit. */
const STATUSES: Readonly<Record<string, number>> = {
  ASZ591: 404,
  ASZ593: 413,
  ASZ594: 503,
  ASZ595: 503,
  ASZ596: 503,
  ASZ658: 503,
};
/** A temporary problem: a retry helps. */
const MOMENTARY = 'ASZ658';

/** An error as a response: 4xx if the caller can fix it, otherwise 5xx. The response to a bug contains no details. */
export function problemAnswer(error: unknown): ProblemAnswer {
  if (error instanceof RequestError) {
    const { status, headers, problems } = error;
    const fault = status < 500 ? 'caller' : faultOf(problems[0]?.code ?? 'ASZ590');
    return { status, headers, body: problemBody(status, problems, fault) };
  }
  if (error instanceof AssizeError) {
    const { problems, fault } = error;
    const code = problems[0]?.code ?? '';
    const status = STATUSES[code] ?? (fault === 'caller' ? 400 : 500);
    return {
      status,
      headers: code === MOMENTARY ? { 'retry-after': '1' } : {},
      body: problemBody(status, problems, fault),
    };
  }
  const detail = 'internal error: see the log of the server';
  return { status: 500, headers: {}, body: { type: 'about:blank', title: STATUS_CODES[500], status: 500, detail } };
}

const problemBody = (status: number, problems: readonly Problem[], fault: Fault): ProblemAnswer['body'] => ({
  type: 'about:blank',
  title: STATUS_CODES[status],
  status,
  detail: problems.map(detailOf).join('\n'),
  code: problems[0]?.code ?? 'ASZ590',
  fault,
  problems: problems.map(problemJson),
});

/** A client may show only the detail, so that it names the key. */
const detailOf = ({ message, path }: Problem): string =>
  path === undefined || path === '' || message.includes(path) ? message : `${path}: ${message}`;

/** The response to a request that failed, as a reply. */
export function problemReply(error: unknown): Reply {
  const { status, headers, body } = problemAnswer(error);
  return { ...jsonReply(body, status), headers: { ...headers, 'content-type': 'application/problem+json' } };
}

import { type ServerResponse, STATUS_CODES } from 'node:http';
import { type Fault, faultOf, AssizeError, type Problem, problemJson } from '../../base/index.js';
import { RequestError } from './request-error.js';

/** What is answered to a request. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Null: there is none. */
  readonly body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;
}

const JSON_HEADERS = { 'content-type': 'application/json' };

/** JSON that is text already. */
export const textReply = (body: string | Uint8Array<ArrayBuffer>): Reply => ({
  status: 200,
  headers: JSON_HEADERS,
  body,
});

export const jsonReply = (json: object, status = 200): Reply => ({ ...textReply(JSON.stringify(json)), status });

/** Whether `Response` is Node's own. A program may have let Hono's adapter put a lighter one in its place, which makes no stream. */
const isNative = (): boolean => Object.getPrototypeOf(Response) === Function.prototype;

let written: Response | undefined;

/** Tells Hono's adapter that the answer has been written. It hears this from Node's own responses alone. */
const writtenResponse = (): Response =>
  (written ??= new Response(null, { headers: { 'x-hono-already-sent': 'true' } }));

/**
 * Sends a reply. One that is there as a whole is written at once: a `Response` would make a stream of it first, which costs as much as the rest of
 * what the framework does for a request.
 *
 * @param outgoing Node's own response
 */
export function sendReply({ status, headers, body }: Reply, outgoing: ServerResponse): Response {
  if (body === null || body instanceof ReadableStream || !isNative()) {
    return new Response(body, { status, headers });
  }
  if (!outgoing.destroyed) {
    outgoing.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
    outgoing.end(body);
  }
  return writtenResponse();
}

/** What is answered in place of a result. */
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

/** The statuses of codes that have another than their fault. */
const STATUSES: Readonly<Record<string, number>> = {
  ASZ591: 404,
  ASZ593: 413,
  ASZ594: 503,
  ASZ595: 503,
  ASZ596: 503,
  ASZ658: 503,
};
/** What is over in a moment: asking again helps. */
const MOMENTARY = 'ASZ658';

/** An error as an answer: what the caller can mend is 4xx, what it cannot is 5xx. A bug says nothing of itself. */
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
  const detail = 'the server has failed; its log says more';
  return { status: 500, headers: {}, body: { type: 'about:blank', title: STATUS_CODES[500], status: 500, detail } };
}

const problemBody = (status: number, problems: readonly Problem[], fault: Fault): ProblemAnswer['body'] => ({
  type: 'about:blank',
  title: STATUS_CODES[status],
  status,
  detail: problems.map(({ message }) => message).join('\n'),
  code: problems[0]?.code ?? 'ASZ590',
  fault,
  problems: problems.map(problemJson),
});

/** The same, as it is sent. */
export function problemReply(error: unknown): Reply {
  const { status, headers, body } = problemAnswer(error);
  return { ...jsonReply(body, status), headers: { ...headers, 'content-type': 'application/problem+json' } };
}

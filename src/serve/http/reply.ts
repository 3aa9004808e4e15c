import type { ServerResponse } from 'node:http';

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

import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AssizeError } from '../../index.js';
import { z } from '../../sdk.js';
import { SpliceError } from '../save/splice-yaml.js';
import { pageAssets } from './page-assets.js';
import { AccessTokens } from '../../serve/access/index.js';
import { guard, HEADERS } from './request-guard.js';
import { NotSavedError, type StudioSession } from './studio-session.js';

/** A studio that can be opened. */
export interface Studio {
  /** The address of the page, with the token behind `#`, which no browser sends anywhere. */
  readonly url: string;
  close(): Promise<void>;
}

/** A request of more than any page sends. */
class TooLargeError extends Error {}

/** More than any settings are. */
const MAX_BODY = 1 << 20;

const step = z.union([z.string(), z.int().nonnegative(), z.strictObject({ id: z.string() })]);
const edit = z.strictObject({ path: z.array(step).min(1).max(20), value: z.json() });
const diffBody = z.strictObject({ edits: z.array(edit).max(10_000) });
/** Of a curve. */
const points = z.array(z.tuple([z.number(), z.number()])).max(1000);
const changeBody = z.strictObject({
  without: z.array(z.string()),
  params: z.record(z.string(), z.record(z.string(), z.union([z.number(), points]))),
});
const saveBody = diffBody.extend({ version: z.string() });

/** Serves the page of a session on this machine, and to nobody else. */
export async function serveStudio(session: StudioSession, port = 0): Promise<Studio> {
  const token = randomBytes(24).toString('base64url');
  const tokens = new AccessTokens([{ token }]);
  const server = createServer((request, response) => {
    answer(session, request, response, tokens).catch((error: unknown) => fail(response, error));
  });
  server.headersTimeout = 10_000;
  server.requestTimeout = 60_000;
  await new Promise<void>((listening, failed) => {
    server.once('error', failed);
    server.listen(port, '127.0.0.1', listening);
  });
  return { url: `http://127.0.0.1:${portOf(server)}/#token=${token}`, close: () => close(server) };
}

const portOf = (server: Server): number => (server.address() as AddressInfo | null)?.port ?? 0;

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((closed) => void server.close(() => closed()));
}

async function answer(
  session: StudioSession,
  request: IncomingMessage,
  response: ServerResponse,
  tokens: AccessTokens,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://studio');
  const route = `${request.method} ${url.pathname}`;
  const assets = pageAssets();
  const asset = request.method === 'GET' ? assets.get(url.pathname) : undefined;
  const refusal = guard(request, tokens, asset !== undefined);
  if (refusal) return send(response, refusal.status, { message: refusal.message });
  if (asset) return sendText(response, 200, asset.type, asset.text());
  switch (route) {
    case 'GET /api/data':
      return send(response, 200, await session.data());
    case 'GET /api/explain':
      return send(response, 200, session.explain(Number(url.searchParams.get('index'))));
    case 'GET /api/changed': {
      const gone = new AbortController();
      response.once('close', () => gone.abort());
      return send(response, 200, await session.changed(url.searchParams.get('version') ?? '', gone.signal));
    }
    case 'POST /api/change':
      return send(response, 200, await session.change(changeBody.parse(await bodyOf(request))));
    case 'POST /api/diff':
      return send(response, 200, await session.diff(diffBody.parse(await bodyOf(request)).edits));
    case 'POST /api/save': {
      const { edits, version } = saveBody.parse(await bodyOf(request));
      return send(response, 200, await session.save(edits, version));
    }
    default:
      return send(response, 404, { message: 'there is nothing here' });
  }
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_BODY) throw new TooLargeError(`the request has more than ${MAX_BODY} bytes`);
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
}

const send = (response: ServerResponse, status: number, data: object): void =>
  sendText(response, status, 'application/json', JSON.stringify(data));

function sendText(response: ServerResponse, status: number, type: string, text: string): void {
  if (response.destroyed) return;
  response.writeHead(status, { ...HEADERS, 'content-type': `${type}; charset=utf-8` });
  response.end(text);
}

/** What a person can mend is said; anything else is a failure of the studio. */
function fail(response: ServerResponse, error: unknown): void {
  if (error instanceof TooLargeError) {
    response.setHeader('connection', 'close'); // the rest of it is not read
    return send(response, 413, { message: error.message });
  }
  if (error instanceof NotSavedError) return send(response, 409, { message: error.message });
  if (error instanceof SpliceError || error instanceof z.ZodError || error instanceof SyntaxError) {
    return send(response, 400, { message: error.message });
  }
  const message = error instanceof Error ? error.message : String(error);
  send(response, error instanceof AssizeError ? 422 : 500, { message });
}

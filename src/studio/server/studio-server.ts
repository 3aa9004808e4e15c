import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toAssizeError, toError } from '../../diagnostics/index.js';
import { AssizeError } from '../../index.js';
import { z } from '../../sdk.js';
import { jsonText } from '../data/json-text.js';
import { NotSavedError } from '../save/not-saved.js';
import { SpliceError } from '../save/splice.js';
import { NotNowError, WeightFinder } from './find-weights.js';
import { type PageAsset, pageAsset } from './page-assets.js';
import { AccessTokens } from '../../serve/access/index.js';
import { guard, HEADERS } from './request-guard.js';
import { type PageRequest, ROUTES } from './routes.js';
import { NoSuchQueryError, type StudioSession } from './studio-session.js';

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

/** Serves the page of a session on this machine, and to nobody else. */
export async function serveStudio(session: StudioSession, port = 0): Promise<Studio> {
  const token = randomBytes(24).toString('base64url');
  const tokens = new AccessTokens([{ token }]);
  const served = { session, finder: new WeightFinder(session) };
  const server = createServer((request, response) => {
    answer(served, request, response, tokens).catch((error: unknown) => fail(response, error));
  });
  server.headersTimeout = 10_000;
  server.requestTimeout = 60_000;
  await listen(server, port);
  return { url: `http://127.0.0.1:${portOf(server)}/#token=${token}`, close: () => close(server) };
}

/** @throws AssizeError (ASZ597) where the port is taken, or none */
async function listen(server: Server, port: number): Promise<void> {
  try {
    await new Promise<void>((listening, failed) => {
      server.once('error', failed);
      server.listen(port, '127.0.0.1', listening);
    });
  } catch (error) {
    const cause = toError(error);
    const reason = 'code' in cause && cause.code === 'EADDRINUSE' ? 'the port is taken' : cause.message;
    const message = `cannot listen on 127.0.0.1:${port}: ${reason}`;
    throw toAssizeError([{ code: 'ASZ597', message, hint: 'without --port, one that is free is taken' }], { cause });
  }
}

const portOf = (server: Server): number => (server.address() as AddressInfo | null)?.port ?? 0;

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((closed) => void server.close(() => closed()));
}

/** What the requests of one server are about. */
type Served = Pick<PageRequest, 'session' | 'finder'>;

async function answer(
  served: Served,
  request: IncomingMessage,
  response: ServerResponse,
  tokens: AccessTokens,
): Promise<void> {
  const target = request.url ?? '/';
  if (!URL.canParse(target, 'http://studio')) return send(response, 404, { message: 'there is nothing here' });
  const { pathname, searchParams } = new URL(target, 'http://studio');
  const asset = request.method === 'GET' ? pageAsset(pathname) : undefined;
  const refusal = guard(request, tokens, asset !== undefined);
  if (refusal) return send(response, refusal.status, { message: refusal.message });
  if (asset) return sendAsset(request, response, asset);
  const name = `${request.method} ${pathname}`;
  const route = Object.hasOwn(ROUTES, name) ? ROUTES[name] : undefined;
  if (!route) return send(response, 404, { message: 'there is nothing here' });
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const result = await route({
    ...served,
    search: searchParams,
    body: () => bodyOf(request),
    tell: (step) => writeLine(response, { step }),
    gone: gone.signal,
  });
  if (response.headersSent) endLines(response, { result });
  else send(response, 200, result);
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
  sendText(response, status, 'application/json', jsonText(data));

/** Sends a file compressed, or 304 if the browser has it. */
function sendAsset({ headers }: IncomingMessage, response: ServerResponse, asset: PageAsset): void {
  if (response.destroyed) return;
  const accepted = (headers['accept-encoding'] ?? '').split(',').map((part) => part.trim().split(';')[0]);
  const encoding = accepted.includes('br') ? 'br' : accepted.includes('gzip') ? 'gzip' : 'identity';
  const cached = { ...HEADERS, 'cache-control': 'no-cache', etag: asset.etag, vary: 'accept-encoding' };
  if (headers['if-none-match'] === asset.etag) {
    response.writeHead(304, cached).end();
    return;
  }
  response.writeHead(200, {
    ...cached,
    'content-type': `${asset.type}; charset=utf-8`,
    'content-length': asset[encoding].byteLength,
    ...(encoding !== 'identity' && { 'content-encoding': encoding }),
  });
  response.end(asset[encoding]);
}

function sendText(response: ServerResponse, status: number, type: string, text: string): void {
  if (response.destroyed) return;
  response.writeHead(status, { ...HEADERS, 'content-type': `${type}; charset=utf-8` });
  response.end(text);
}

/** Long work answers in lines: its steps, then its result or what went wrong. */
function writeLine(response: ServerResponse, line: object): void {
  if (response.destroyed) return;
  if (!response.headersSent) response.writeHead(200, { ...HEADERS, 'content-type': 'application/x-ndjson' });
  response.write(`${JSON.stringify(line)}\n`);
}

function endLines(response: ServerResponse, line: object): void {
  writeLine(response, line);
  response.end();
}

/** What a person can mend is said; anything else is a failure of the studio. */
function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent) return endLines(response, { message: toError(error).message });
  if (error instanceof TooLargeError) {
    response.setHeader('connection', 'close'); // the rest of it is not read
    return send(response, 413, { message: error.message });
  }
  if (error instanceof NoSuchQueryError) return send(response, 404, { message: error.message });
  if (error instanceof NotSavedError || error instanceof NotNowError) {
    return send(response, 409, { message: error.message });
  }
  if (error instanceof SpliceError || error instanceof z.ZodError || error instanceof SyntaxError) {
    return send(response, 400, { message: error.message });
  }
  const { message } = toError(error);
  send(response, error instanceof AssizeError ? 422 : 500, { message });
}

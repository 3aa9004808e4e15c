import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { toError } from '../../base/index.js';
import { AssizeError } from '../../index.js';
import { z } from '../../sdk.js';
import { AccessTokens, hostsOf, listen, type Refusal, sourceRefusal } from '../../serve/index.js';
import { jsonText } from '../data/json-text.js';
import { MOST_POINTS, REPLIES } from '../data/studio-data.js';
import { NotSavedError } from '../save/save-file.js';
import { SpliceError } from '../save/splice.js';
import { NotNowError, WeightFinder } from './find-weights.js';
import { type PageAsset, pageAsset } from './page-assets.js';
import { NoSuchQueryError, type StudioSession } from './studio-session.js';

/** A running studio. */
export interface Studio {
  /** The address of the page, with the token after `#`, which browsers do not send to servers. */
  readonly url: string;
  close(): Promise<void>;
}

/** A request that is larger than any page sends. */
class TooLargeError extends Error {}

/** More bytes than any settings need. */
const MAX_BODY = 1 << 20;

/** Serves the page of a session only on this machine. */
export async function serveStudio(session: StudioSession, port = 0): Promise<Studio> {
  const token = randomBytes(24).toString('base64url');
  const tokens = new AccessTokens([{ token }]);
  const served = { session, finder: new WeightFinder(session) };
  const server = createServer((request, response) => {
    answer(served, request, response, tokens).catch((error: unknown) => fail(response, error));
  });
  server.headersTimeout = 10_000;
  server.requestTimeout = 60_000;
  const chosen = await listen(server, { host: '127.0.0.1', port }, 'without --port, a free port is used');
  return { url: `http://127.0.0.1:${chosen}/#token=${token}`, close: () => close(server) };
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((closed) => void server.close(() => closed()));
}

/** The state that the requests of a server share. */
type Served = Pick<PageRequest, 'session' | 'finder'>;

async function answer(
  served: Served,
  request: IncomingMessage,
  response: ServerResponse,
  tokens: AccessTokens,
): Promise<void> {
  const target = request.url ?? '/';
  if (!URL.canParse(target, 'http://studio')) return send(response, 404, { message: 'not found' });
  const { pathname, searchParams } = new URL(target, 'http://studio');
  const asset = request.method === 'GET' ? pageAsset(pathname) : undefined;
  const refusal = guard(request, tokens, asset !== undefined);
  if (refusal) return send(response, refusal.status, { message: `${refusal.message}: ${refusal.hint}` });
  if (asset) return sendAsset(request, response, asset);
  const name = `${request.method} ${pathname}`;
  const route = Object.hasOwn(ROUTES, name) ? ROUTES[name] : undefined;
  if (!route) return send(response, 404, { message: 'not found' });
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

/** Long work responds in lines: its steps, then its result or its error. */
function writeLine(response: ServerResponse, line: object): void {
  if (response.destroyed) return;
  if (!response.headersSent) response.writeHead(200, { ...HEADERS, 'content-type': 'application/x-ndjson' });
  response.write(`${JSON.stringify(line)}\n`);
}

function endLines(response: ServerResponse, line: object): void {
  writeLine(response, line);
  response.end();
}

/** Reports an error. Errors that the user cannot fix are internal errors of the studio. */
function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent) return endLines(response, { message: toError(error).message });
  if (error instanceof TooLargeError) {
    response.setHeader('connection', 'close'); // the rest of the body is not read
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

/** A request of the page that passed the guard. */
interface PageRequest {
  readonly session: StudioSession;
  readonly finder: WeightFinder;
  readonly search: URLSearchParams;
  /** @throws SyntaxError if it is not JSON */
  readonly body: () => Promise<unknown>;
  /** Writes a step of long work. The response then has a line per step, and the result as the last line. */
  readonly tell: (step: object) => void;
  /** Aborted when the page closes the request. */
  readonly gone: AbortSignal;
}

const query = z.int().nonnegative().default(0);
/** An id or a key, as profiles write them. It cannot be a name that objects inherit. */
const name = z
  .string()
  .regex(/^\w[\w.-]*$/)
  .refine((text) => !(text in {}), 'is a name that every object has');
const entry = z.strictObject({ id: name });
const entryList = z.enum(['signals', 'tier1_scorers', 'measures', 'tier2_scorers', 'adjustments', 'strategies']);
/** The points of a curve. */
const points = z.array(z.tuple([z.number(), z.number()])).max(MOST_POINTS);
const editOf = <P extends z.core.$ZodTuple, V extends z.ZodType>(path: P, value: V) => z.strictObject({ path, value });
/**
 * The values that the page can edit. Other edits are refused, so that a page under the control of another program cannot
 * add a plugin, a class or an address.
 */
const edit = z.union(
  [
    editOf(z.tuple([z.literal('tier2_scorers'), entry, z.literal('weight')]), z.number()),
    editOf(z.tuple([z.literal('weights'), z.literal('cases'), z.string(), name]), z.number()),
    editOf(z.tuple([entryList, entry, z.literal('params'), name]), z.union([z.number(), points])),
    editOf(z.tuple([entryList, entry, z.literal('enabled')]), z.boolean()),
    editOf(z.tuple([z.literal('select'), z.literal('top')]), z.int().nonnegative()),
    editOf(z.tuple([z.literal('select'), z.literal('min_score')]), z.number()),
  ],
  { error: 'expected a weight, a numeric param, a curve, enabled, select.top or select.min_score' },
);
const diffBody = z.strictObject({ edits: z.array(edit).max(10_000) });
const saveBody = diffBody.extend({ version: z.string() });
const changeBody = z.strictObject({
  without: z.array(z.string()),
  with: z.array(z.string()),
  params: z.record(z.string(), z.record(z.string(), z.union([z.number(), points]))),
  query,
});
const askBody = z.strictObject({ query });
const answerBody = z.strictObject({ question: z.string(), reply: z.enum(REPLIES) });

/** The routes of the page, by method and path. */
const ROUTES: Readonly<Record<string, (request: PageRequest) => Promise<object>>> = {
  'GET /api/data': ({ session }) => session.data(),
  'GET /api/queries': ({ session }) => session.allQueries(),
  'GET /api/explain': ({ session, search }) =>
    session.explain(Number(search.get('index')), Number(search.get('query') ?? 0)),
  'GET /api/changed': ({ session, search, gone }) => session.changed(search.get('version') ?? '', gone),
  'POST /api/change': async ({ session, body }) => {
    const { query: number, ...change } = changeBody.parse(await body());
    return session.change(change, number);
  },
  'POST /api/diff': async ({ session, body }) => session.diff(diffBody.parse(await body()).edits),
  'POST /api/save': async ({ session, body }) => {
    const { edits, version } = saveBody.parse(await body());
    return session.save(edits, version);
  },
  'POST /api/tune': ({ finder, tell, gone }) => finder.tune(tell, gone),
  'POST /api/end-tuning': async ({ finder }) => {
    if (!finder.endTuning()) throw new NotNowError('no search is running');
    return {};
  },
  'POST /api/ask': async ({ finder, body, tell, gone }) => finder.ask(askBody.parse(await body()).query, tell, gone),
  'POST /api/answer': async ({ finder, body }) => {
    const { question, reply } = answerBody.parse(await body());
    if (!finder.answer(question, reply)) throw new NotNowError('this question was answered already');
    return {};
  },
};

/** The headers of every response. */
const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** Accepts only host names of this machine, and requests of its own page. */
const RULES = { hosts: hostsOf('127.0.0.1', []), origins: new Set<string>() };

/**
 * Refuses requests that do not come from the page itself: another host name (DNS rebinding), another origin, or, for
 * private paths, a missing token.
 */
function guard({ headers }: IncomingMessage, tokens: AccessTokens, isPublic: boolean): Refusal | undefined {
  const refusal = sourceRefusal({ host: headers.host, origin: headers.origin }, RULES);
  if (refusal || isPublic || tokens.callerOf(headers.authorization)) return refusal;
  const message = 'the request has no valid token';
  return { status: 401, message, hint: 'open the address that the command line printed, which contains the token' };
}

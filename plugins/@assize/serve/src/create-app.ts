import { setTimeout as pause } from 'node:timers/promises';
import { Hono, type Context } from 'hono';
import { Uploads, dropRest, webBody } from './http/body.js';
import { serveMetrics, type ServeMetrics } from './http/metrics.js';
import { problemReply, sendReply, jsonReply, type Reply } from './http/reply.js';
import { tooBusy, RequestError } from './http/request-error.js';
import type { ServeLog, ServerParts, Caller } from './http/server-parts.js';
import { Slots } from './http/slots.js';
import type { ProfileEvent } from './profiles/served-profile.js';
import { ServedProfiles, shortName } from './profiles/served-profiles.js';
import { type AppOptions, type CheckedAppOptions, checkAppOptions } from './serve-options.js';
import { RequestThreads, threadFile } from './threads/request-threads.js';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AssizeError, toAssizeError } from 'assize';
import { toError } from 'assize/internal';
import { profilesJson, stateJson } from './profiles/profile-json.js';
import { openApi } from './routes/openapi.js';
import { type GivenRequest, runRequest } from './routes/run-request.js';
import { RUN_ROUTES } from './routes/run-routes.js';
import type { ServerAccess } from './http/access.js';

/** The routes as a function, for a server of your own. */
export interface AssizeApp {
  readonly profiles: ServedProfiles;
  /** Answers a request. The body is read from the web stream, with the same limits as in `startServer`. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Waits for the requests in progress, at most for `limits.grace`, and stops. Later requests get 503. */
  close(): Promise<void>;
}

/**
 * Creates the routes for another server: Hono, Express, Fastify, Next. The limits of connections (`request`, `idle`,
 * `drain`, `connections`) are up to that server, and so is access if there are no tokens.
 *
 * @param options.basePath the path under which the other server calls it, if it passes on the whole path: `/assize`
 * @throws AssizeError (ASZ597) if the folder cannot be read, or an option is invalid
 */
export async function createApp({
  basePath = '',
  ...options
}: AppOptions & { readonly basePath?: string } = {}): Promise<AssizeApp> {
  const checked = checkAppOptions({ basePath, ...options });
  const { server, app, close } = await createParts(checked, basePath);
  let closed: Promise<void> | undefined;
  return {
    profiles: server.profiles,
    fetch: async (request) =>
      closed ? sendReply(problemReply(tooBusy('the server is stopping')), undefined) : app.fetch(request, {}),
    close: () => (closed ??= settle(server).then(close)),
  };
}

/** The state of a server, and its routes as a Hono app. */
export async function createParts(options: CheckedAppOptions, basePath = '') {
  const server = await makeParts(options);
  const app = new Hono<AppTypes>();
  addRoutes(app, server, basePath);
  const close = async (): Promise<void> => {
    await Promise.all([server.profiles.close(), server.threads?.close()]);
  };
  return { server, app, close };
}

/** The interval at which a closing app looks for requests in progress, in milliseconds. */
const POLL_MS = 20;

/** Waits for the requests in progress, and aborts those that take longer than the grace time. */
async function settle({ deadlines, limits }: ServerParts): Promise<void> {
  const end = performance.now() + limits.grace;
  while (deadlines.size > 0 && performance.now() < end) await pause(POLL_MS); // oxlint-disable-line no-await-in-loop
  for (const deadline of deadlines) deadline.abort(tooBusy('the server is stopping'));
}

async function makeParts(options: CheckedAppOptions): Promise<ServerParts> {
  const { access, limits, log, pipeline, tryOut } = options;
  const slots = new Slots(limits);
  const opened: { profiles?: ServedProfiles } = {};
  const threads = requestThreads(options);
  const metrics = await serveMetrics(() => opened.profiles, threads ? [slots, threads.slots] : [slots]);
  const profiles = await ServedProfiles.open(options.profiles, {
    pipeline,
    tryOut,
    report: (event) => logProfileEvent(event, log, metrics),
  });
  opened.profiles = profiles;
  if (profiles.list().length === 0) {
    const message = 'the folder has no profiles: add NAME.yaml, for example with assize new profile';
    log.warn({ folder: profiles.folder }, message);
  }
  return {
    profiles,
    limits,
    slots,
    threads,
    uploads: new Uploads(limits),
    metrics,
    access,
    log,
    inline: options.inline ? pipeline : undefined,
    deadlines: new Set(),
    isStopping: false,
  };
}

/** Threads for large requests, if they can use the same options. Code cannot be sent to another thread. */
function requestThreads({ threads, pipeline, inline, limits }: CheckedAppOptions): RequestThreads | undefined {
  const { units, services = [], container, progress, ...plain } = pipeline;
  const file = threadFile();
  if (threads === 0 || units || services.length > 0 || container || progress || file === undefined) return undefined;
  return new RequestThreads(file, threads, { limits, inline, pipeline: plain });
}

/** Logs and counts an event of a profile. */
function logProfileEvent(event: ProfileEvent, log: ServeLog, metrics: ServeMetrics): void {
  switch (event.kind) {
    case 'loaded':
      metrics.reload(event.profile, 'loaded');
      log.info({ profile: event.profile, version: event.version }, 'a profile is active');
      for (const { message, hint } of event.warnings) {
        log.warn({ profile: event.profile, ...(hint !== undefined && { hint }) }, message);
      }
      return;
    case 'broken': {
      metrics.reload(event.profile, 'broken');
      const what = event.answersOn ? 'a profile is broken; its last version stays active' : 'a profile is broken';
      return log.error({ profile: event.profile }, `${what}\n${event.error.message}`);
    }
    case 'removed':
      metrics.reload(event.profile, 'removed');
      return log.info({ profile: event.profile }, 'a profile was removed');
    case 'restart_needed': {
      const message = 'modules of a plugin have changed: restart the server to load them';
      return log.warn({ profile: event.profile, modules: event.modules }, message);
    }
    case 'unreadable':
      return log.error({}, event.error.message);
  }
}

/** Answers an authorized request. */
type Handler = (given: GivenRequest, ended: (error?: unknown) => void) => Promise<Reply> | Reply;

type Method = 'GET' | 'POST';

/** Node's own request and response, if the app is called by our server. */
interface NodeBindings {
  readonly incoming?: IncomingMessage;
  readonly outgoing?: ServerResponse;
}

interface AppTypes {
  readonly Bindings: NodeBindings;
}

/**
 * Adds every route to a Hono app.
 *
 * @param base the path of the app: empty, or `/assize`
 */
function addRoutes(app: Hono<AppTypes>, server: ServerParts, base = ''): void {
  const methods = new Map<string, Method>();
  const add = (method: Method, path: string, handler: Handler, needsToken = true): void => {
    methods.set(base + path, method);
    app.on(method, base + path, (context) => handle(context, server, path, handler, needsToken));
  };
  for (const route of Object.values(RUN_ROUTES)) {
    for (const path of route.paths) {
      add('POST', path, (given, ended) => runRequest(route, given, server, ended));
    }
  }
  add('GET', '/v1/profiles', ({ caller }, ended) =>
    answered(jsonReply(profilesJson(server.profiles, caller.tenant)), ended),
  );
  add('GET', '/openapi.json', ({ request }, ended) => answered(descriptionReply(request, server, base), ended), false);
  add('GET', '/healthz', (_, ended) => answered(jsonReply({ status: 'alive' }), ended), false);
  add('GET', '/readyz', ({ request }, ended) => answered(readyReply(request, server), ended), false);
  add('GET', '/metrics', ({ caller }, ended) => metricsReply(caller, server, ended));
  app.options('*', ({ req, env }) => sendReply(preflight(req.raw, server), env.outgoing));
  app.notFound(({ req, env }) => sendReply(problemReply(notFound(req.raw, methods)), env.outgoing));
  app.onError((error, { env }) => sendReply(problemReply(error), env.outgoing));
}

/** Authorizes a request, answers it, and counts and logs the outcome. */
async function handle(
  { req, env }: Context<AppTypes>,
  server: ServerParts,
  path: string,
  handler: Handler,
  needsToken: boolean,
): Promise<Response> {
  const { raw: request } = req;
  const { access } = server;
  const incoming = env.incoming ?? webBody(request);
  const start = performance.now();
  let status = 500;
  const ended = (error?: unknown): void => {
    server.metrics.request(path, status, (performance.now() - start) / 1000);
    if (error !== undefined) logFailure(error, path, server, request.signal.aborted);
  };
  const send = async ({ headers, ...reply }: Reply): Promise<Response> => {
    const isOver = reply.body instanceof ReadableStream || request.method !== 'POST' || (await dropRest(incoming));
    const closes = env.outgoing !== undefined && (server.isStopping || !isOver);
    const more = { ...corsHeaders(request, access), ...(closes && { connection: 'close' }) };
    return sendReply({ ...reply, headers: { ...headers, ...more } }, env.outgoing);
  };
  try {
    checkOrigin(request, access);
    const caller = needsToken ? callerOf(request, access) : { tenant: undefined };
    // A request may end before its response exists. Counting it then would record a wrong status.
    let over: { readonly error: unknown } | undefined;
    let isKnown = false;
    const reply = await handler({ request, caller, incoming }, (error) => {
      over = { error };
      if (isKnown) ended(error);
    });
    ({ status } = reply);
    isKnown = true;
    if (over) ended(over.error);
    return await send(reply);
  } catch (error) {
    const reply = problemReply(error);
    ({ status } = reply);
    ended(error);
    return await send(reply);
  }
}

const answered = (reply: Reply, ended: () => void): Reply => {
  ended();
  return reply;
};

/** The description of the interface. Its examples name profiles that the caller may use. */
function descriptionReply({ headers }: Request, { access, profiles, inline }: ServerParts, base: string): Reply {
  const caller = access.callerOf(headers);
  const usable = (caller ? profiles.list(caller.tenant) : []).flatMap((one) =>
    one.pipeline ? [{ name: shortName(one, caller?.tenant), pipeline: one.pipeline }] : [],
  );
  return jsonReply(openApi(inline !== undefined, usable, base));
}

function readyReply(request: Request, server: ServerParts): Reply {
  const { ready: is, json } = readiness(server, mayReadDetails(request, server));
  return jsonReply(json, is ? 200 : 503);
}

/** Only a caller with a token for all tenants may read the names of all profiles. */
function mayReadDetails(request: Request, { access }: ServerParts): boolean {
  const caller = access.callerOf(request.headers);
  return caller !== undefined && caller.tenant === undefined;
}

async function metricsReply({ tenant }: Caller, server: ServerParts, ended: () => void): Promise<Reply> {
  if (tenant !== undefined) {
    const message = 'a token of one tenant does not give access to the metrics of all tenants';
    throw new RequestError(403, { code: 'ASZ592', message });
  }
  const text = await server.metrics.text().catch((error: Error) => {
    throw new RequestError(501, { code: 'ASZ597', message: error.message });
  });
  ended();
  return { status: 200, headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }, body: text };
}

function preflight(request: Request, { access }: ServerParts): Reply {
  try {
    checkOrigin(request, access);
    return { status: 204, headers: corsHeaders(request, access), body: null };
  } catch (error) {
    return problemReply(error);
  }
}

function notFound({ url, method }: Request, methods: ReadonlyMap<string, Method>): Error {
  const { pathname } = new URL(url);
  const expected = methods.get(pathname);
  if (expected) {
    const message = `${method} ${pathname} does not exist; use ${expected}`;
    return new RequestError(405, { code: 'ASZ591', message }, { allow: expected === 'GET' ? 'GET, HEAD' : expected });
  }
  const hint = 'GET /openapi.json lists the routes';
  return toAssizeError([{ code: 'ASZ591', message: `${method} ${pathname} does not exist`, hint }]);
}

/**
 * Logs an error that the caller cannot fix.
 *
 * @param isGone whether the client disconnected: then units were aborted, and their failure is not an error
 */
function logFailure(error: unknown, route: string, { log }: ServerParts, isGone: boolean): void {
  if (error instanceof RequestError || (error instanceof AssizeError && error.fault === 'caller')) return;
  if (isGone) return log.info({ route }, `the client disconnected; then: ${toError(error).message}`);
  if (error instanceof AssizeError) return log.error({ route }, error.message);
  log.error({ route, stack: error instanceof Error ? error.stack : String(error) }, 'a request failed');
}

/**
 * `GET /readyz`: whether the server is ready, and which profiles differ from their files.
 *
 * @param details whether the caller may see names and problems; others see counts
 */
function readiness({ profiles, isStopping }: ServerParts, details: boolean): { ready: boolean; json: object } {
  const all = profiles.list();
  const answering = all.filter(({ pipeline }) => pipeline !== undefined).length;
  const broken = all.filter(({ error, needsRestart }) => error !== undefined || needsRestart);
  const ready = !isStopping && (answering > 0 || all.length === 0);
  const json = {
    status: isStopping ? 'stopping' : !ready ? 'not ready' : broken.length > 0 ? 'degraded' : 'ready',
    profiles: all.length,
    answering,
    broken: details ? broken.map((one) => ({ name: one.name, ...stateJson(one, profiles.folder) })) : broken.length,
  };
  return { ready, json };
}

const refused = ({ status, message, hint }: ReturnType<ServerAccess['tokenRefusal']>): RequestError =>
  new RequestError(status, { code: 'ASZ592', message, hint }, status === 401 ? { 'www-authenticate': 'Bearer' } : {});

/** @throws RequestError (ASZ592) if the host name or the page's origin is not accepted */
function checkOrigin({ headers }: Request, access: ServerAccess): void {
  const refusal = access.sourceRefusal(headers);
  if (refusal) throw refused(refusal);
}

/** @throws RequestError (ASZ592) if a token is required and the right one is missing */
function callerOf({ headers }: Request, access: ServerAccess): Caller {
  const caller = access.callerOf(headers);
  if (caller) return caller;
  throw refused(access.tokenRefusal(headers));
}

/** The headers that let pages of other origins read a response. */
const corsHeaders = ({ headers }: Request, access: ServerAccess): Readonly<Record<string, string>> => {
  const origin = headers.get('origin');
  if (origin === null || !access.acceptsOrigin(origin)) return {};
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-headers': 'authorization, content-type',
    'access-control-allow-methods': 'GET, POST',
    'access-control-max-age': '600',
    vary: 'origin',
  };
};

import type { Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { timerMs } from '../sdk/index.js';
import { toAssizeError } from '../base/index.js';
import { importOptional, type OptionalPackage, OptionalPackageError } from '../services/index.js';
import { AccessTokens, hostInUrl, hostsOf } from './access.js';
import { addRoutes } from './app.js';
import { Uploads } from './http/body.js';
import { listen } from './http/listen.js';
import type { ServeLog, ServerParts } from './http/server-parts.js';
import { serveMetrics, type ServeMetrics } from './http/metrics.js';
import { tooBusy } from './http/request-error.js';
import { Slots } from './http/slots.js';
import type { ProfileEvent } from './profiles/served-profile.js';
import { ServedProfiles } from './profiles/served-profiles.js';
import { type CheckedOptions, checkServeOptions, type ServeOptions } from './serve-options.js';
import { RequestThreads, threadFile } from './threads/request-threads.js';

/** A running server. */
export interface AssizeServer {
  /** Its address: `http://127.0.0.1:8080`. */
  readonly url: string;
  readonly port: number;
  readonly profiles: ServedProfiles;
  /**
   * Stops the server. First it keeps answering for `limits.drain`, so that a proxy can notice: `/readyz` returns 503, and
   * each response closes its connection. Then it accepts no more connections, and requests that have not ended after
   * `limits.grace` are aborted.
   *
   * Call it again with a drain of 0 to skip the rest of the first step. Both promises resolve at the same end.
   *
   * @param options.drain replaces `limits.drain`
   */
  close(options?: { readonly drain?: number }): Promise<void>;
}

/**
 * Serves the profiles of a folder over HTTP.
 *
 * @throws AssizeError (ASZ597) if it cannot start: the folder cannot be read, the port is in use, a package is missing, or
 *   other machines could reach it without a token. Broken profiles are reported in the log and by `/readyz`.
 */
export async function startServer(options: ServeOptions = {}): Promise<AssizeServer> {
  const checked = checkServeOptions(options);
  const { host, limits } = checked;
  const { Hono, createAdaptorServer } = await serverLibraries();
  const server = await makeParts(checked);
  const app = addRoutes(new Hono(), server);
  const http = createAdaptorServer({
    fetch: app.fetch,
    overrideGlobalObjects: false,
    serverOptions: {
      // Silent and slow clients are disconnected.
      headersTimeout: Math.min(10_000, limits.request),
      requestTimeout: limits.request,
      connectionsCheckingInterval: Math.min(1000, limits.request),
      keepAliveTimeout: limits.idle,
    },
  }) as Server; // HTTP/2 is not enabled
  http.maxConnections = limits.connections;
  http.timeout = limits.request + limits.time; // closes idle connections, also of clients that do not read
  const port = await listen(http, checked).catch(async (error: unknown) => {
    await server.profiles.close();
    throw error;
  });
  let stopped: Promise<void> | undefined;
  const drained = new AbortController();
  const close = ({ drain = limits.drain }: { readonly drain?: number } = {}): Promise<void> => {
    if (drain === 0) drained.abort();
    return (stopped ??= stop(http, server, drain, drained.signal));
  };
  return { url: `http://${hostInUrl(host)}:${port}`, port, profiles: server.profiles, close };
}

async function makeParts(options: CheckedOptions): Promise<ServerParts> {
  const { host, tokens, allowHosts, cors, limits, log, pipeline, tryOut } = options;
  const access = new AccessTokens(tokens);
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
    log({ level: 'warning', message, folder: profiles.folder });
  }
  return {
    profiles,
    limits,
    slots,
    threads,
    uploads: new Uploads(limits),
    metrics,
    tokens: access,
    hosts: { hosts: hostsOf(host, allowHosts), origins: new Set(cors) },
    log,
    inline: options.inline ? pipeline : undefined,
    deadlines: new Set(),
    isStopping: false,
  };
}

/** Threads for large requests, if they can use the same options. Code cannot be sent to another thread. */
function requestThreads({ threads, pipeline, inline, limits }: CheckedOptions): RequestThreads | undefined {
  const { units, services = [], container, progress, ...plain } = pipeline;
  const file = threadFile();
  if (threads === 0 || units || services.length > 0 || container || progress || file === undefined) return undefined;
  return new RequestThreads(file, threads, { limits, inline, pipeline: plain });
}

/** The interval at which a stopping server closes idle connections, in milliseconds. */
const SWEEP_MS = 50;
/** Milliseconds for clients to read their last response after the grace time. Only clients that do not read use it up. */
const LAST_WORD_MS = 1000;

/**
 * Stops a server without losing requests of a proxy. Until a proxy notices the stop, it sends requests on kept or new
 * connections, and closing one at that moment would reset the request. So connections are closed with a response during
 * the drain time, and idle ones only after it.
 */
async function stop(http: Server, server: ServerParts, drain: number, drained: AbortSignal): Promise<void> {
  server.isStopping = true;
  if (drain > 0) await pause(timerMs(drain), undefined, { signal: drained }).catch(() => {});
  const closed = new Promise<void>((resolve) => void http.close(() => resolve()));
  const sweep = setInterval(() => http.closeIdleConnections(), SWEEP_MS);
  const over = setTimeout(() => {
    for (const deadline of server.deadlines) deadline.abort(tooBusy('the server is stopping'));
    setTimeout(() => http.closeAllConnections(), LAST_WORD_MS).unref();
  }, timerMs(server.limits.grace));
  await closed;
  clearInterval(sweep);
  clearTimeout(over);
  await Promise.all([server.profiles.close(), server.threads?.close()]);
}

/** Logs and counts an event of a profile. */
function logProfileEvent(event: ProfileEvent, log: ServeLog, metrics: ServeMetrics): void {
  switch (event.kind) {
    case 'loaded':
      metrics.reload(event.profile, 'loaded');
      log({ level: 'info', message: 'a profile is active', profile: event.profile, version: event.version });
      for (const { message, hint } of event.warnings) {
        log({ level: 'warning', message, profile: event.profile, ...(hint !== undefined && { hint }) });
      }
      return;
    case 'broken': {
      metrics.reload(event.profile, 'broken');
      const what = event.answersOn ? 'a profile is broken; its last version stays active' : 'a profile is broken';
      return log({ level: 'error', message: `${what}\n${event.error.message}`, profile: event.profile });
    }
    case 'removed':
      metrics.reload(event.profile, 'removed');
      return log({ level: 'info', message: 'a profile was removed', profile: event.profile });
    case 'restart_needed': {
      const message = 'modules of a plugin have changed: restart the server to load them';
      return log({ level: 'warning', message, profile: event.profile, modules: event.modules });
    }
    case 'unreadable':
      return log({ level: 'error', message: event.error.message });
  }
}

type HonoLibrary = Pick<typeof import('hono'), 'Hono'>;
type NodeServerLibrary = Pick<typeof import('@hono/node-server'), 'createAdaptorServer'>;

const has =
  <Library>(part: string) =>
  (module: unknown): module is Library =>
    typeof module === 'object' && module !== null && part in module;

const HONO: OptionalPackage<HonoLibrary> = { name: 'hono', neededBy: 'a server', part: 'Hono', isLibrary: has('Hono') };
const NODE_SERVER: OptionalPackage<NodeServerLibrary> = {
  name: '@hono/node-server',
  neededBy: 'a server',
  part: 'createAdaptorServer',
  isLibrary: has('createAdaptorServer'),
};

/**
 * Loads the packages that only a server needs.
 *
 * @throws AssizeError (ASZ597) with the install command
 */
async function serverLibraries(): Promise<HonoLibrary & NodeServerLibrary> {
  try {
    const [{ Hono }, { createAdaptorServer }] = await Promise.all([
      importOptional(HONO, () => import('hono')),
      importOptional(NODE_SERVER, () => import('@hono/node-server')),
    ]);
    return { Hono, createAdaptorServer };
  } catch (error) {
    if (!(error instanceof OptionalPackageError)) throw error;
    const hint = 'npm install hono @hono/node-server; and prom-client, for /metrics';
    throw toAssizeError([{ code: 'ASZ597', message: error.message, hint }], { cause: error });
  }
}

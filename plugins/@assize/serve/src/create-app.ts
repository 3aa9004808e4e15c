import { setTimeout as pause } from 'node:timers/promises';
import { Hono } from 'hono';
import { addRoutes, type AppTypes } from './app.js';
import { Uploads } from './http/body.js';
import { serveMetrics, type ServeMetrics } from './http/metrics.js';
import { problemReply, sendReply } from './http/reply.js';
import { tooBusy } from './http/request-error.js';
import type { ServeLog, ServerParts } from './http/server-parts.js';
import { Slots } from './http/slots.js';
import type { ProfileEvent } from './profiles/served-profile.js';
import { ServedProfiles } from './profiles/served-profiles.js';
import { type AppOptions, type CheckedAppOptions, checkAppOptions } from './serve-options.js';
import { RequestThreads, threadFile } from './threads/request-threads.js';

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

import type { Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { timerMs } from 'assize/sdk';
import { createParts } from './create-app.js';
import { createHttpServer, listen } from './http/listen.js';
import { tooBusy } from './http/request-error.js';
import type { ServerParts } from './http/server-parts.js';
import type { ServedProfiles } from './profiles/served-profiles.js';
import { checkServeOptions, type ServeOptions } from './serve-options.js';

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
 * @throws AssizeError (ASZ597) if it cannot start: the folder cannot be read, the port is in use, or other machines could
 *   reach it without a token. Broken profiles are reported in the log and by `/readyz`.
 */
export async function startServer(options: ServeOptions = {}): Promise<AssizeServer> {
  const { app: checked, host, port: wanted } = checkServeOptions(options);
  const { limits } = checked;
  const { server, app, close: closeApp } = await createParts(checked);
  const open = async (): Promise<{ readonly http: Server; readonly port: number }> => {
    const http = createHttpServer(app.fetch, {
      // Silent and slow clients are disconnected.
      headersTimeout: Math.min(10_000, limits.request),
      requestTimeout: limits.request,
      connectionsCheckingInterval: Math.min(1000, limits.request),
      keepAliveTimeout: limits.idle,
    });
    http.maxConnections = limits.connections;
    http.timeout = limits.request + limits.time; // closes idle connections, also of clients that do not read
    return { http, port: await listen(http, { host, port: wanted }) };
  };
  const { http, port } = await open().catch(async (error: unknown) => {
    await closeApp();
    throw error;
  });
  let stopped: Promise<void> | undefined;
  const drained = new AbortController();
  const close = ({ drain = limits.drain }: { readonly drain?: number } = {}): Promise<void> => {
    if (drain === 0) drained.abort();
    return (stopped ??= stop(http, server, drain, drained.signal).then(closeApp));
  };
  return { url: checked.access.urlOf(port), port, profiles: server.profiles, close };
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
}

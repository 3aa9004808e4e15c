import { randomBytes } from 'node:crypto';
import { ServerAccess } from './access.js';
import { createHttpServer, listen } from './listen.js';

/** The options of `serveLocally`. */
export interface LocalServerOptions {
  /** The port; a free one by default. */
  readonly port?: number;
  /** Whether a path needs no token, such as that of a page, which a browser requests without one. */
  readonly isOpen?: (path: string) => boolean;
  /**
   * The response to a request that is refused: with 421 because of its host name, with 403 because it comes from a page of
   * another origin, with 401 because it has no valid token.
   */
  readonly refused?: (status: 401 | 403 | 421, message: string) => Response;
}

/** A server that only this machine can reach. */
export interface LocalServer {
  /** Its address: `http://127.0.0.1:8080`. */
  readonly url: string;
  /** The token that requests must bring: `authorization: Bearer …`. */
  readonly token: string;
  /** Stops the server, and closes its connections. */
  readonly close: () => Promise<void>;
}

/**
 * Serves a web app to the user of this machine, on 127.0.0.1. Requests need a new random token. Requests to another host
 * name (DNS rebinding) and from pages of another origin are refused before the app sees them.
 *
 * ```ts
 * const { url, token, close } = await serveLocally(app.fetch, { isOpen: (path) => path === '/' });
 * ```
 *
 * @param fetch answers requests: the method of a Hono app, for example
 * @throws AssizeError (ASZ597) if it cannot listen
 */
export async function serveLocally(
  fetch: (request: Request) => Response | Promise<Response>,
  { port = 0, isOpen = () => false, refused = refusal }: LocalServerOptions = {},
): Promise<LocalServer> {
  const host = '127.0.0.1';
  const token = randomBytes(24).toString('base64url');
  const access = new ServerAccess({ host, tokens: [{ token }] });
  const checked = (request: Request): Response | Promise<Response> => {
    const { headers } = request;
    const source = access.sourceRefusal(headers);
    if (source) return refused(source.status, source.message);
    if (isOpen(new URL(request.url).pathname) || access.callerOf(headers)) return fetch(request);
    return refused(401, access.tokenRefusal(headers).message);
  };
  const server = createHttpServer(checked, { headersTimeout: 10_000, requestTimeout: 60_000 });
  const chosen = await listen(server, { host, port }, 'without a port, a free one is used');
  return {
    url: access.urlOf(chosen),
    token,
    close: () => {
      server.closeAllConnections();
      return new Promise((closed) => void server.close(() => closed()));
    },
  };
}

const refusal = (status: number, message: string): Response => new Response(`${message}\n`, { status });

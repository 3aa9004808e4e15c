import { randomBytes, timingSafeEqual } from 'node:crypto';
import { ServerAccess } from './access.js';
import { createHttpServer, listen } from './listen.js';

/** The options of `serveLocally`. */
export interface LocalServerOptions {
  /** The port; a free one by default. */
  readonly port?: number;
  /** Whether a path needs no token, such as that of a page, which a browser requests without one. */
  readonly isOpen?: (path: string) => boolean;
  /**
   * Lets a browser keep the token: a response to a request with the token sets a cookie, and requests of the server's own
   * pages are accepted with it. Browsers share cookies between all ports of an address, so the port is appended to the
   * name, and the cookie is sent only below the path. It cannot be read by scripts, and ends with the browser.
   */
  readonly cookie?: { readonly name: string; readonly path: string };
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
  { port = 0, isOpen = () => false, cookie, refused = refusal }: LocalServerOptions = {},
): Promise<LocalServer> {
  const host = '127.0.0.1';
  const token = randomBytes(24).toString('base64url');
  const access = new ServerAccess({ host, tokens: [{ token }] });
  const checked = (request: Request): Response | Promise<Response> => {
    const { headers } = request;
    const source = access.sourceRefusal(headers);
    if (source) return refused(source.status, source.message);
    const { pathname, port: ownPort } = new URL(request.url);
    const session = cookie && new SessionCookie(`${cookie.name}-${ownPort}`, cookie.path, token);
    if (access.callerOf(headers)) return session ? session.setOn(fetch(request)) : fetch(request);
    if (isOpen(pathname) || session?.isIn(headers)) return fetch(request);
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

/** A cookie with the token of a server. */
class SessionCookie {
  constructor(
    private readonly name: string,
    private readonly path: string,
    private readonly token: string,
  ) {}

  /**
   * Whether a request of a page of this server has the cookie. `SameSite` is not enough, because it ignores ports: pages of
   * other servers on this machine are of the same site.
   */
  isIn(headers: Headers): boolean {
    if (headers.get('sec-fetch-site') !== 'same-origin') return false;
    const expected = Buffer.from(`${this.name}=${this.token}`);
    return (headers.get('cookie') ?? '').split(/; */).some((one) => {
      const given = Buffer.from(one);
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
  }

  async setOn(reply: Response | Promise<Response>): Promise<Response> {
    const response = await reply;
    response.headers.append('set-cookie', `${this.name}=${this.token}; Path=${this.path}; HttpOnly; SameSite=Strict`);
    return response;
  }
}

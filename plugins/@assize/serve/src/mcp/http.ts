import { once } from 'node:events';
import { toAssizeError } from 'assize';
import { createHttpServer, listen } from '../http/listen.js';
import { createMcpHandler, type McpOptions } from './server.js';
import { ServerAccess } from '../http/access.js';

/** The address and the access rules of the server. */
export interface McpHttpOptions {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  readonly token: string | undefined;
  /** More accepted host names. */
  readonly allowedHosts: readonly string[];
}

/** A running HTTP server. */
interface McpHttpServer {
  readonly url: string;
  /** Waits for the calls in progress, and stops. */
  close(): Promise<void>;
}

const PATH = '/mcp';
/** The origins of a proxy that serves under this name. */
const originsOf = (name: string): readonly string[] => [`http://${name}`, `https://${name}`];

/** The most milliseconds to send a request. Silent clients are disconnected. */
const REQUEST_MS = 30_000;
const MAX_CONNECTIONS = 1000;

/**
 * Serves clients over streamable HTTP, at `/mcp`.
 *
 * @throws AssizeError (ASZ597) if it cannot listen, or other machines could call it without a token
 */
export async function serveMcpHttp(options: McpOptions, http: McpHttpOptions): Promise<McpHttpServer> {
  const { host, token, allowedHosts } = http;
  const access = new ServerAccess({
    host,
    allowHosts: allowedHosts,
    origins: allowedHosts.flatMap(originsOf),
    tokens: token === undefined ? [] : [{ token }],
  });
  if (access.isOpen) {
    const hint = 'set a token and name its environment variable: --token-env NAME';
    throw toAssizeError([
      { code: 'ASZ597', message: `anyone who can reach ${host} could call the server: a token is required`, hint },
    ]);
  }
  const handler = createMcpHandler(options);
  const server = createHttpServer(
    (request) => {
      if (new URL(request.url).pathname !== PATH) return new Response('see /mcp', { status: 404 });
      return refusalOf(request, access) ?? handler.fetch(request);
    },
    { requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS, connectionsCheckingInterval: 1000 },
  );
  server.maxConnections = MAX_CONNECTIONS;
  const chosen = await listen(server, http);
  server.on('error', options.report);
  return {
    url: `${access.urlOf(chosen)}${PATH}`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      await handler.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The refusal of a request as a response; undefined if it is accepted. */
function refusalOf({ headers }: Request, access: ServerAccess): Response | undefined {
  const refusal = access.sourceRefusal(headers);
  if (refusal) return refused(refusal);
  return access.callerOf(headers) ? undefined : refused(access.tokenRefusal(headers));
}

const refused = ({ status, message, hint }: ReturnType<ServerAccess['tokenRefusal']>): Response =>
  new Response(`${message}; ${hint}\n`, { status, headers: status === 401 ? { 'www-authenticate': 'Bearer' } : {} });

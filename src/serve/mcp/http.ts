import { once } from 'node:events';
import { createServer } from 'node:http';
import { toAssizeError } from '../../base/index.js';
import { importOptional, type OptionalPackage, rethrow } from '../../services/index.js';
import {
  AccessTokens,
  hostInUrl,
  type HostRules,
  hostsOf,
  isLoopback,
  type Refusal,
  sourceRefusal,
  tokenRefusal,
} from '../access.js';
import { listen } from '../http/listen.js';
import { createMcpHandler } from './server.js';
import type { McpOptions } from './limits.js';

type HonoNode = Pick<typeof import('@hono/node-server'), 'getRequestListener'>;

const HONO_NODE: OptionalPackage<HonoNode> = {
  name: '@hono/node-server',
  neededBy: 'assize mcp --port',
  part: 'getRequestListener',
  isLibrary: (module): module is HonoNode =>
    typeof module === 'object' && module !== null && 'getRequestListener' in module,
};

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
  if (!isLoopback(host) && token === undefined) {
    const hint = 'set a token and name its environment variable: --token-env NAME';
    throw toAssizeError([
      { code: 'ASZ597', message: `anyone who can reach ${host} could call the server: a token is required`, hint },
    ]);
  }
  const guard = {
    rules: { hosts: hostsOf(host, allowedHosts), origins: new Set(allowedHosts.flatMap(originsOf)) },
    tokens: new AccessTokens(token === undefined ? [] : [{ token }]),
  };
  const [{ getRequestListener }, handler] = await Promise.all([
    importOptional(HONO_NODE, () => import('@hono/node-server').catch(rethrow)),
    createMcpHandler(options),
  ]);
  const listener = getRequestListener(
    (request) => {
      if (new URL(request.url).pathname !== PATH) return new Response('see /mcp', { status: 404 });
      return refusalOf(request, guard) ?? handler.fetch(request);
    },
    { overrideGlobalObjects: false },
  );
  const server = createServer(
    { requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS, connectionsCheckingInterval: 1000 },
    (incoming, outgoing) => void listener(incoming, outgoing),
  );
  server.maxConnections = MAX_CONNECTIONS;
  const chosen = await listen(server, http);
  server.on('error', options.report);
  return {
    url: `http://${hostInUrl(host)}:${chosen}${PATH}`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      await handler.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The access rules. */
interface Guard {
  readonly rules: HostRules;
  readonly tokens: AccessTokens;
}

/** The refusal of a request as a response; undefined if it is accepted. */
function refusalOf({ headers }: Request, { rules, tokens }: Guard): Response | undefined {
  const refusal = sourceRefusal({ host: headers.get('host'), origin: headers.get('origin') }, rules);
  if (refusal) return refused(refusal);
  const authorization = headers.get('authorization');
  return tokens.callerOf(authorization) ? undefined : refused(tokenRefusal(authorization));
}

const refused = ({ status, message, hint }: Refusal): Response =>
  new Response(`${message}; ${hint}\n`, { status, headers: status === 401 ? { 'www-authenticate': 'Bearer' } : {} });

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

/** Where the server listens, and who may ask. */
export interface McpHttpOptions {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  readonly token: string | undefined;
  /** Further names that the server may be called by. */
  readonly allowedHosts: readonly string[];
}

/** A server over HTTP that has begun. */
interface McpHttpServer {
  readonly url: string;
  /** Waits for the calls that are under way, and stops. */
  close(): Promise<void>;
}

const PATH = '/mcp';
/** Of a proxy that gives a name to the server: pages of it may ask. */
const originsOf = (name: string): readonly string[] => [`http://${name}`, `https://${name}`];

/** How long a client may take for its request; one that says nothing is hung up on. */
const REQUEST_MS = 30_000;
const MAX_CONNECTIONS = 1000;

/**
 * Serves clients over streamable HTTP, at `/mcp`.
 *
 * @throws AssizeError (ASZ597) where it cannot listen, or anybody could ask
 */
export async function serveMcpHttp(options: McpOptions, http: McpHttpOptions): Promise<McpHttpServer> {
  const { host, token, allowedHosts } = http;
  if (!isLoopback(host) && token === undefined) {
    const hint = 'name the environment variable of a token: --token-env NAME';
    throw toAssizeError([{ code: 'ASZ597', message: `anybody who reaches ${host} could ask`, hint }]);
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

/** Who may ask. */
interface Guard {
  readonly rules: HostRules;
  readonly tokens: AccessTokens;
}

/** Why a request is not answered, as a response; undefined where it is. */
function refusalOf({ headers }: Request, { rules, tokens }: Guard): Response | undefined {
  const refusal = sourceRefusal({ host: headers.get('host'), origin: headers.get('origin') }, rules);
  if (refusal) return refused(refusal);
  const authorization = headers.get('authorization');
  return tokens.callerOf(authorization) ? undefined : refused(tokenRefusal(authorization));
}

const refused = ({ status, message, hint }: Refusal): Response =>
  new Response(`${message}; ${hint}\n`, { status, headers: status === 401 ? { 'www-authenticate': 'Bearer' } : {} });

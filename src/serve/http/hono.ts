import type { Server, ServerOptions } from 'node:http';
import { toAssizeError } from '../../base/index.js';
import { hasParts, importOptional, type OptionalPackage, OptionalPackageError, rethrow } from '../../services/index.js';

type HonoLibrary = Pick<typeof import('hono'), 'Hono'>;
type NodeServerLibrary = Pick<typeof import('@hono/node-server'), 'createAdaptorServer'>;
type Fetch = Parameters<NodeServerLibrary['createAdaptorServer']>[0]['fetch'];

const HONO: OptionalPackage<HonoLibrary> = {
  name: 'hono',
  neededBy: 'a server',
  part: 'Hono',
  isLibrary: hasParts<HonoLibrary>('Hono'),
};

const NODE_SERVER: OptionalPackage<NodeServerLibrary> = {
  name: '@hono/node-server',
  neededBy: 'a server',
  part: 'createAdaptorServer',
  isLibrary: hasParts<NodeServerLibrary>('createAdaptorServer'),
};

/** @throws AssizeError (ASZ597) with the install command */
export const honoLibrary = (): Promise<HonoLibrary> => serverLibrary(HONO, () => import('hono').catch(rethrow));

/**
 * Creates a server of Node that answers with a function from `Request` to `Response`.
 *
 * @throws AssizeError (ASZ597) with the install command
 */
export async function createHttpServer(fetch: Fetch, serverOptions: ServerOptions): Promise<Server> {
  const { createAdaptorServer } = await serverLibrary(NODE_SERVER, () => import('@hono/node-server').catch(rethrow));
  // Other code of the process keeps Node's own `Request` and `Response`.
  return createAdaptorServer({ fetch, overrideGlobalObjects: false, serverOptions }) as Server; // HTTP/2 is not enabled
}

/**
 * Loads a package that only a server needs, or a module that imports it.
 *
 * @throws AssizeError (ASZ597) with the install command
 */
export async function serverLibrary<L>(library: OptionalPackage<L>, load: () => Promise<unknown>): Promise<L> {
  try {
    return await importOptional(library, load);
  } catch (error) {
    if (!(error instanceof OptionalPackageError)) throw error;
    const hint = 'npm install hono @hono/node-server';
    throw toAssizeError([{ code: 'ASZ597', message: error.message, hint }], { cause: error });
  }
}

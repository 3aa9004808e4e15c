import { toAssizeError } from '../diagnostics/index.js';
import { importOptional, type OptionalPackage, OptionalPackageError } from '../services/index.js';

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
 * The packages that only a server needs.
 *
 * @throws AssizeError (ASZ597) that says what to install
 */
export async function serverLibraries(): Promise<HonoLibrary & NodeServerLibrary> {
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

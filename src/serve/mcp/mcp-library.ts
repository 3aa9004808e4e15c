import { importOptional, type OptionalPackage, rethrow } from '../../services/optional-package.js';

/** The package, with its types: nothing of them is in what is published. */
export type McpLibrary = typeof import('@modelcontextprotocol/server');
type McpStdio = typeof import('@modelcontextprotocol/server/stdio');

const LIBRARY: OptionalPackage<McpLibrary> = {
  name: '@modelcontextprotocol/server',
  neededBy: 'assize mcp',
  part: 'McpServer',
  isLibrary: (module): module is McpLibrary =>
    typeof module === 'object' && module !== null && 'McpServer' in module && 'createMcpHandler' in module,
};

const STDIO: OptionalPackage<McpStdio> = {
  ...LIBRARY,
  part: 'serveStdio',
  isLibrary: (module): module is McpStdio => typeof module === 'object' && module !== null && 'serveStdio' in module,
};

/** @throws OptionalPackageError where it is not installed, which says how to install it */
export const importMcp = (): Promise<McpLibrary> =>
  importOptional(LIBRARY, () => import('@modelcontextprotocol/server').catch(rethrow));

/** The same for standard input and output. */
export const importMcpStdio = (): Promise<McpStdio> =>
  importOptional(STDIO, () => import('@modelcontextprotocol/server/stdio').catch(rethrow));

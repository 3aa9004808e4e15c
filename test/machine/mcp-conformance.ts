import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * MCP's conformance tests and a Node that runs them: ASSIZE_TEST_MCP_CONFORMANCE, `node_modules/.bin/conformance` of a
 * folder with `@modelcontextprotocol/conformance`; otherwise undefined. They need Node 22: this one, or npm's package
 * `node` in the same folder. They are not a dependency: with Node they need 170 MB.
 */
export function mcpConformance(): { readonly node: string; readonly main: string } | undefined {
  const main = process.env['ASSIZE_TEST_MCP_CONFORMANCE'];
  if (main === undefined) return undefined;
  if (!existsSync(main)) throw new Error(`ASSIZE_TEST_MCP_CONFORMANCE: ${main} is not there`);
  const beside = join(dirname(main), 'node');
  if (existsSync(beside)) return { node: beside, main };
  if (Number(process.versions.node.split('.')[0]) >= 22) return { node: process.execPath, main };
  throw new Error(`ASSIZE_TEST_MCP_CONFORMANCE needs Node 22: run npm install node@22 in the folder of ${main}`);
}

import { existsSync } from 'node:fs';

/**
 * The command of the MCP Inspector: ASSIZE_TEST_INSPECTOR, `node_modules/.bin/mcp-inspector` of a folder in which it is
 * installed; otherwise undefined. It is not a dependency: it needs 240 packages of 150 MB.
 */
export function mcpInspector(): string | undefined {
  const named = process.env['ASSIZE_TEST_INSPECTOR'];
  if (named !== undefined && !existsSync(named)) throw new Error(`ASSIZE_TEST_INSPECTOR: ${named} is not there`);
  return named;
}

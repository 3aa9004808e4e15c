import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../../../../../src/base/package-root.js';
import { listedScenarios, mcpScenarios, mcpTally } from '../../../../../test/conformance/mcp.js';
import { mcpConformance } from '../../../../../test/machine/mcp-conformance.js';

const suite = mcpConformance();
const isBuilt = existsSync(join(packageRoot(), 'dist', 'bundle', 'cli.js'));
const { pass, notApplicable } = mcpScenarios();

test('the documentation has the reason of each scenario that does not apply', () => {
  const page = readFileSync(join(packageRoot(), 'test/fixtures/mcp-conformance/SOURCE.md'), 'utf8');
  for (const [reason, names] of Object.entries(notApplicable))
    expect(page).toContain(`| ${names.join(', ')} | ${reason} |`);
  expect(page).toContain(pass.join(', '));
});

describe.skipIf(!suite || !isBuilt)('MCP’s conformance tests (need a build, and ASSIZE_TEST_MCP_CONFORMANCE)', () => {
  test('every scenario passes, or has a reason why it does not apply', async () => {
    const known = [...pass, ...Object.values(notApplicable).flat()];
    expect((await listedScenarios(suite!)).toSorted()).toEqual(known.toSorted());
  });

  test('assize mcp passes the applicable scenarios', async () => {
    const tally = await mcpTally();
    expect(tally?.failed).toEqual([]);
    expect(tally?.passed).toBe(pass.length);
  });
});

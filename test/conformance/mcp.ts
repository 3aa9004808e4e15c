import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { packageRoot } from '../../src/base/package-root.js';
import { mcpConformance } from '../machine/mcp-conformance.js';
import { type Difference, skip, sum, type Tally } from './tally.js';

/** The scenarios for servers in MCP's conformance tests. */
interface Scenarios {
  readonly version: string;
  readonly pass: readonly string[];
  /** By the reason why they do not apply. */
  readonly notApplicable: Readonly<Record<string, readonly string[]>>;
}

export const mcpScenarios = (): Scenarios =>
  JSON.parse(readFileSync(join(packageRoot(), 'test/fixtures/mcp-conformance/scenarios.json'), 'utf8')) as Scenarios;

const run = promisify(execFile);

/** The scenarios for servers that the installed suite has. */
export async function listedScenarios({ node, main }: { node: string; main: string }): Promise<readonly string[]> {
  const { stdout } = await run(node, [main, 'list', '--server']);
  return [...stdout.matchAll(/^ {2}- (\S+)/gm)].map(([, name]) => name!);
}

/** Runs the applicable scenarios against `assize mcp`. Undefined if the suite is not installed. */
export async function mcpTally(): Promise<Tally | undefined> {
  const suite = mcpConformance();
  if (suite === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'assize-mcp-'));
  writeFileSync(join(folder, 'team.yaml'), 'tier2_scorers: [{ id: stars, expr: candidate.stars }]\n');
  const cli = join(packageRoot(), 'dist/bundle/cli.js');
  const server = spawn(process.execPath, [cli, 'mcp', '--profiles', folder, '--port', '0'], {
    stdio: ['ignore', 'ignore', 'pipe'], // it prints its address on standard error,
  });
  try {
    const [url] = (await once(createInterface(server.stderr), 'line')) as [string];
    const { pass, notApplicable } = mcpScenarios();
    const tallies: Tally[] = [skip('mcp-not-applicable', Object.values(notApplicable).flat().length)];
    for (const name of pass) {
      const args = [suite.main, 'server', '--url', url, '--scenario', name];
      // oxlint-disable-next-line no-await-in-loop -- one scenario after another
      const failure = await run(suite.node, args, { cwd: folder }).then(
        ({ stdout }) => (/Passed: (\d+)\/\1,/.test(stdout) && !stdout.includes('Passed: 0/') ? undefined : stdout),
        String,
      );
      const failed: Difference[] = failure === undefined ? [] : [{ name, expected: 'a pass', found: failure }];
      tallies.push({ passed: 1 - failed.length, failed, skipped: [] });
    }
    return sum(...tallies);
  } finally {
    server.kill();
    rmSync(folder, { recursive: true });
  }
}

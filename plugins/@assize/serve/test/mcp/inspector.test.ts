import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { packageRoot } from '../../../../../src/base/package-root.js';
import { serveMcpHttp } from '../../src/mcp/http.js';
import { DEFAULT_LIMITS } from '../../src/mcp/limits.js';
import { profilesOffer } from '../../src/mcp/server.js';
import { ServedProfiles } from '../../src/profiles/served-profiles.js';
import { mcpInspector } from '../../../../../test/machine/inspector.js';
import { profileFolder, scoring } from '../profile-folder.js';

const MAIN = join(packageRoot(), 'dist', 'bundle', 'cli.js');
const inspector = mcpInspector();
const folder = profileFolder({ 'team.yaml': scoring('candidate.stars') });
const overStdio = [process.execPath, MAIN, 'mcp', '--profiles', folder.path];
const run = promisify(execFile);

/** The output of the Inspector about a server. */
async function inspect(server: readonly string[], ...args: readonly string[]): Promise<Record<string, unknown>> {
  const { stdout } = await run(process.execPath, [inspector ?? '', '--cli', ...server, ...args]);
  return JSON.parse(stdout) as Record<string, unknown>;
}

const rank = (profile: string): readonly string[] => {
  const candidates = '[{"id":"a","stars":1},{"id":"b","stars":2}]';
  const args = ['--tool-arg', `profile=${profile}`, '--tool-arg', `candidates=${candidates}`];
  return ['--method', 'tools/call', '--tool-name', 'rank', ...args];
};

describe.skipIf(!inspector || !existsSync(MAIN))('the MCP Inspector (needs a build, and ASSIZE_TEST_INSPECTOR)', () => {
  test('lists the tools, and calls one', async () => {
    expect(await inspect(overStdio, '--method', 'tools/list')).toMatchObject({
      tools: ['list', 'rank', 'explain', 'compare', 'check', 'schema'].map((name) => ({ name })),
    });
    expect(await inspect(overStdio, ...rank('team'))).toMatchObject({
      structuredContent: { selected: [{ id: 'b', score: 2 }, { id: 'a' }] },
    });
    expect(await inspect(overStdio, ...rank('taem'))).toMatchObject({ isError: true });
  });

  test('reads the schema in parts', async () => {
    const schema = (uri: string) => inspect(overStdio, '--method', 'resources/read', '--uri', uri);
    expect(await schema('assize://schema')).toMatchObject({ contents: [{ mimeType: 'text/plain' }] });
    expect(await schema('assize://schema/DecayScorer')).toMatchObject({
      contents: [{ mimeType: 'application/json' }],
    });
  });

  test('works over HTTP, too', async () => {
    const profiles = await ServedProfiles.open(folder.path, { watch: false });
    onTestFinished(() => profiles.close());
    const server = await serveMcpHttp(
      {
        offer: profilesOffer({ profiles, limits: DEFAULT_LIMITS }),
        limits: DEFAULT_LIMITS,
        version: '1',
        report: () => {},
      },
      { host: '127.0.0.1', port: 0, token: undefined, allowedHosts: [] },
    );
    onTestFinished(() => server.close());
    expect(await inspect([server.url, '--transport', 'http'], ...rank('team'))).toMatchObject({
      structuredContent: { selected: [{ id: 'b' }, { id: 'a' }] },
    });
  });
});

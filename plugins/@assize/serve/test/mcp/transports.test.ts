import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { packageRoot } from '../../../../../src/base/package-root.js';
import { type McpHttpOptions, serveMcpHttp } from '../../src/mcp/http.js';
import { DEFAULT_LIMITS } from '../../src/mcp/limits.js';
import { profilesOffer } from '../../src/mcp/server.js';
import { ServedProfiles } from '../../src/profiles/served-profiles.js';
import { assize } from '../../../../../test/cli/run-here.js';
import { temporaryFolder } from '../../../../../test/temporary-folder.js';

const MAIN = join(packageRoot(), 'dist', 'bundle', 'cli.js');
const folder = temporaryFolder();
const write = (stars: string): void =>
  writeFileSync(join(folder, 'team.yaml'), `tier2_scorers: [{ id: stars, expr: ${stars} }]\n`);
write('candidate.stars');

let profiles: ServedProfiles;
beforeAll(async () => {
  profiles = await ServedProfiles.open(folder, { watch: false });
});
afterAll(async () => {
  await profiles.close();
});

const candidates = [
  { id: 'a', stars: 1 },
  { id: 'b', stars: 2 },
];
const rank = { name: 'rank', arguments: { profile: 'team', candidates } };

/** The first candidate of an answer. */
const bestOf = ({ structuredContent }: { readonly structuredContent?: unknown }): unknown =>
  (structuredContent as { readonly selected: readonly { readonly id: string; readonly score: number }[] }).selected[0];

async function http(options: Partial<McpHttpOptions> = {}, bytes = DEFAULT_LIMITS.bytes) {
  const errors: string[] = [];
  const limits = { ...DEFAULT_LIMITS, bytes };
  const server = await serveMcpHttp(
    { offer: profilesOffer({ profiles, limits }), limits, version: '1', report: ({ message }) => errors.push(message) },
    { host: '127.0.0.1', port: 0, token: undefined, allowedHosts: [], ...options },
  );
  onTestFinished(() => server.close());
  return { ...server, errors };
}

async function clientOf(url: string, headers: Record<string, string> = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  onTestFinished(() => client.close());
  return client;
}

/** A request by hand, with any headers: `fetch` does not allow another host. */
function post(url: string, headers: Record<string, string>, body = '{}'): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method: 'POST', headers: { 'content-type': 'application/json', ...headers } },
      (response) => {
        response.resume();
        resolve(response.statusCode);
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

describe('over HTTP', () => {
  test('several clients get their answers, concurrently', async () => {
    const { url } = await http();
    const clients = await Promise.all([clientOf(url), clientOf(url), clientOf(url)]);
    const answers = await Promise.all(clients.flatMap((client) => [client.callTool(rank), client.callTool(rank)]));
    for (const answer of answers) expect(bestOf(answer)).toMatchObject({ id: 'b', score: 2 });
  });

  test('rejects a page with another name or origin', async () => {
    const { url } = await http();
    expect(await post(url, { host: 'evil.example' })).toBe(421);
    expect(await post(url, { origin: 'https://evil.example' })).toBe(403);
    expect(await post(url.replace('/mcp', '/'), {})).toBe(404);
    const named = await http({ allowedHosts: ['mcp.example'] });
    expect(await post(named.url, { host: 'mcp.example', origin: 'https://mcp.example' })).toBe(400);
    expect(await post(named.url, { host: 'other.example' })).toBe(421);
  });

  test('with a token, there is no answer without it', async () => {
    const { url } = await http({ token: 'a-secret-of-the-tests' });
    expect(await post(url, {})).toBe(401);
    expect(await post(url, { authorization: 'Bearer a-secret-of-the-test' })).toBe(401);
    const client = await clientOf(url, { authorization: 'Bearer a-secret-of-the-tests' });
    expect(bestOf(await client.callTool(rank))).toMatchObject({ id: 'b' });
  });

  test('without one it listens on localhost only', async () => {
    await expect(http({ token: 'short' })).rejects.toMatchObject({ problems: [{ code: 'ASZ597' }] });
    await expect(http({ host: '0.0.0.0' })).rejects.toMatchObject({ problems: [{ code: 'ASZ597' }] });
  });

  test('reports a port in use', async () => {
    const { url } = await http();
    await expect(http({ port: Number(new URL(url).port) })).rejects.toMatchObject({ problems: [{ code: 'ASZ597' }] });
  });

  test('a body that is too large, missing, or not JSON-RPC affects no other client', async () => {
    const { url } = await http({}, 2000);
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { x: 'x'.repeat(3000) } });
    expect(await post(url, {}, text)).toBe(413);
    for (const body of ['', '{', '[]', '3', '{"jsonrpc":"2.0"}'])
      expect([400, 406]).toContain(await post(url, {}, body));
    expect(bestOf(await (await clientOf(url)).callTool(rank))).toMatchObject({ id: 'b' });
  });

  test('deeply nested arguments are answered with a problem', async () => {
    const { url, errors } = await http();
    for (const depth of [101, 20_000, 100_000]) {
      for (const tool of ['rank', 'explain', 'compare']) {
        const deep = '['.repeat(depth) + ']'.repeat(depth);
        const more = { rank: '', explain: ',"candidate":"a"', compare: ',"a":"a","b":"b"' }[tool];
        const args = `{"profile":"team","candidates":[{"id":"a","stars":1,"k":${deep}},{"id":"b","stars":2}]${more}}`;
        const response = await fetch(url, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            'mcp-protocol-version': '2025-06-18',
          },
          body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${tool}","arguments":${args}}}`,
        });
        expect(response.status, `${tool} ${depth}`).toBeLessThan(500);
        expect(await response.text(), `${tool} ${depth}`).toContain('nested more than 100 deep');
      }
    }
    expect(errors).toEqual([]);
  });

  test('silent connections block neither answers nor the shutdown', async () => {
    const { url } = await http();
    const { port, hostname } = new URL(url);
    const silent = Array.from({ length: 50 }, () => connect(Number(port), hostname).on('error', () => {}));
    await Promise.all(silent.map((socket) => once(socket, 'connect')));
    expect(bestOf(await (await clientOf(url)).callTool(rank))).toMatchObject({ id: 'b' });
  });
});

describe.skipIf(!existsSync(MAIN))('the built command', () => {
  test('serves a client over standard input and output, and uses a changed profile from the next call on', async () => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [MAIN, 'mcp', '--profiles', folder],
      stderr: 'pipe',
    });
    let said = '';
    transport.stderr?.on('data', (chunk: Buffer) => (said += String(chunk)));
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport);
    expect(client.getServerVersion()).toMatchObject({ name: 'assize' });
    expect(bestOf(await client.callTool(rank))).toMatchObject({ id: 'b', score: 2 });
    write('-candidate.stars');
    await expect.poll(async () => bestOf(await client.callTool(rank))).toMatchObject({ id: 'a' });
    write('candidate.');
    await expect.poll(() => said).toContain('team.yaml:1:');
    expect(bestOf(await client.callTool(rank))).toMatchObject({ id: 'a' });
    await client.close();
    write('candidate.stars');
  });

  test('exits with 0 when its input ends', async () => {
    const child = spawn(process.execPath, [MAIN, 'mcp', '--profiles', folder], { stdio: ['pipe', 'pipe', 'inherit'] });
    child.stdout.resume();
    child.stdin.end('no protocol\n');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('serves over HTTP until it is stopped, then exits with 0', async () => {
    const args = [MAIN, 'mcp', '--profiles', folder, '--port', '0', '--token-env', 'MCP_TEST_TOKEN'];
    const child = spawn(process.execPath, args, {
      stdio: 'pipe',
      env: { ...process.env, MCP_TEST_TOKEN: 'sixteen-characters' },
    });
    const [line] = (await once(createInterface({ input: child.stderr }), 'line')) as [string];
    const client = await clientOf(line, { authorization: 'Bearer sixteen-characters' });
    expect(bestOf(await client.callTool(rank))).toMatchObject({ id: 'b' });
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});

test('reports mistakes in the command line', async () => {
  const run = async (...args: readonly string[]) => {
    const { code, err } = await assize(['mcp', ...args]);
    return [code, err.split('\n')[0]];
  };
  expect(await run()).toEqual([2, 'error ASZ601 --profiles is missing']);
  expect(await run('--profiles', './none')).toEqual([1, expect.stringContaining('ASZ597')]);
  expect(await run('--profiles', folder, '--port', 'x')).toEqual([2, expect.stringContaining('--port')]);
  expect(await run('--profiles', folder, '--port', '0', '--token-env', 'NO_SUCH')).toEqual([
    2,
    'error ASZ601 the environment variable NO_SUCH, which holds the token, is not set',
  ]);
  expect(await run('--profiles', folder, '--port', '0', '--host', '0.0.0.0')).toEqual([
    1,
    expect.stringContaining('ASZ597 anyone who can reach 0.0.0.0 could call the server: a token is required'),
  ]);
});

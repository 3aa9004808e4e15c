import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createPipeline } from 'assize';
import { packageRoot } from '../../../../src/base/package-root.js';
import { assize } from '../../../../test/cli/run-here.js';
import { eventually } from '../../../../test/eventually.js';
import { profileFolder, type ProfileFolder } from './profile-folder.js';

const MAIN = join(packageRoot(), 'dist', 'bundle', 'cli.js');

const PROFILE = `tier2_scorers:
  - { id: novelty, class: NoveltyScorer, params: { vector: vector }, memory: ./seen.bin, on_absent: 1 }
`;

/** A server as a shell runs it. */
interface Running {
  readonly child: ChildProcess;
  readonly url: string;
  readonly said: () => string;
}

const started: ChildProcess[] = [];
afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
});

async function start({ path }: ProfileFolder, args: readonly string[] = [], env: object = {}): Promise<Running> {
  const child = spawn(process.execPath, [MAIN, 'serve', '--port', '0', ...args], {
    cwd: path,
    env: { ...process.env, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  started.push(child);
  let text = '';
  child.stderr?.on('data', (part: Buffer) => (text += part.toString()));
  await eventually(() => expect(text).toContain('listening at'));
  return { child, url: /listening at (\S+)/.exec(text)?.[1] ?? '', said: () => text };
}

const rank = (url: string, candidates: readonly object[], token = ''): Promise<Response> =>
  fetch(`${url}/v1/rank`, {
    method: 'POST',
    body: JSON.stringify({ profile: 'p', candidates }),
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
  });

describe.skipIf(!existsSync(MAIN))('assize serve (needs a build)', () => {
  test('needs only a folder, logs events, and ends on a signal', async () => {
    const folder = profileFolder({ 'p.yaml': PROFILE });
    const { child, url, said } = await start(folder);
    expect((await rank(url, [{ vector: [1, 0] }])).status).toBe(200);
    folder.replace('p.yaml', 'wieght: 1');
    await eventually(() => expect(said()).toContain('its last version stays active'));
    expect(said()).toContain('p.yaml:1:1 error ASZ201 unknown key wieght');
    expect(said()).not.toMatch(/^\s+at /m);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(said()).toContain('stopping: finishing the running requests');
  });

  test('reports why it does not start, and that there are no profiles', async () => {
    const folder = profileFolder();
    const { child, url, said } = await start(folder);
    expect(said()).toContain('the folder has no profiles');
    folder.write('p.yaml', PROFILE);
    await eventually(async () => expect((await rank(url, [{ vector: [1, 0] }])).status).toBe(200));
    const failing = async (...args: readonly string[]): Promise<string> => {
      const { code, err } = await assize(['serve', '--profiles', folder.path, ...args]);
      expect([code, err]).toEqual([
        args.includes('x') || args.includes('--open') ? 2 : 1,
        expect.not.stringMatching(/^ +at /m),
      ]);
      return err;
    };
    expect(await failing('--port', new URL(url).port)).toContain('ASZ597 cannot listen on');
    expect(await failing('--port', '80000')).toContain('a whole number from 0 to 65535');
    expect(await failing('--threads', 'x')).toContain('ASZ601 --threads');
    expect(await failing('--host', '0.0.0.0')).toContain('has no tokens');
    expect(await failing('--host', '0.0.0.0', '--open')).toContain('it is called --allow-anonymous now');
    expect(await failing('--tokens', 'missing.yaml')).toContain('ASZ101');
    child.kill('SIGKILL');
  });

  test('reads tokens from the environment and a file, and shows none', async () => {
    const folder = profileFolder({
      'acme/p.yaml': PROFILE,
      'tokens.txt': '{ acme: token-of-acme-acme, bolt: [token-of-bolt-bolt] }',
    });
    const args = ['--tokens', 'tokens.txt', '--log', 'json'];
    const { child, url, said } = await start(folder, args, { ASSIZE_TOKEN: 'token-of-everything' });
    const statuses = ['', 'token-of-acme-acme', 'token-of-bolt-bolt'].map(
      async (token) => (await rank(url, [], token)).status,
    );
    expect(await Promise.all(statuses)).toEqual([401, 200, 404]);
    expect(JSON.parse(said().split('\n')[0] ?? '')).toMatchObject({ level: 'info', profile: 'acme/p', version: 1 });
    expect(said()).not.toContain('token-of');
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('killed during a request at any time, leaves memory files intact', async () => {
    const folder = profileFolder({ 'p.yaml': PROFILE });
    for (const wait of [0, 3, 9]) {
      const { child, url } = await start(folder); // oxlint-disable-line no-await-in-loop -- one after another
      const requests = Array.from({ length: 30 }, (_, k) =>
        rank(url, [{ vector: [wait + 1, k] }]).catch(() => undefined),
      );
      await Promise.race(requests); // oxlint-disable-line no-await-in-loop
      await new Promise((resolve) => void setTimeout(resolve, wait)); // oxlint-disable-line no-await-in-loop
      child.kill('SIGKILL');
      await once(child, 'exit'); // oxlint-disable-line no-await-in-loop
      await Promise.all(requests); // oxlint-disable-line no-await-in-loop
      const pipeline = await createPipeline<object>(join(folder.path, 'p.yaml')); // oxlint-disable-line no-await-in-loop
      const { ranked } = await pipeline.rank([{ vector: [wait + 1, 0] }]); // oxlint-disable-line no-await-in-loop
      expect(ranked[0]?.score).toBeLessThan(1); // it has been seen
    }
    expect(readdirSync(folder.path)).toEqual(expect.arrayContaining(['p.yaml', 'seen.bin']));
  });
});

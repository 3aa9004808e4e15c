import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageRoot } from '../../../../src/base/package-root.js';
import { eventually } from '../../../../test/eventually.js';
import { freePort } from '../../../../test/machine/free-port.js';
import { profileFolder, scoring } from './profile-folder.js';

const root = packageRoot();
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
};
const recipe = readFileSync(join(root, 'config', 'container', 'Dockerfile'), 'utf8').replaceAll('\\\n', ' ');

/** The command of an instruction, which is a JSON list. */
const commandOf = (instruction: RegExp): readonly string[] =>
  JSON.parse(new RegExp(`^${instruction.source}CMD (\\[.*\\])$`, 'm').exec(recipe)?.[1] ?? '') as string[];

/** The installed packages besides this one, by name, with their versions. */
const installed = new Map(
  (/npm install --omit=dev "assize@\$ASSIZE" (.*)$/m.exec(recipe)?.[1] ?? '')
    .split(' ')
    .map((one): [string, string] => [one.slice(0, one.lastIndexOf('@')), one.slice(one.lastIndexOf('@') + 1)]),
);

test('installs this version, and the packages that a server needs', () => {
  expect(recipe).toContain(`ARG ASSIZE=${manifest.version}\n`);
  expect([...installed.keys()]).toEqual(['hono', '@hono/node-server', 'prom-client']);
  for (const [name, major] of installed) expect(manifest.peerDependencies[name]).toMatch(new RegExp(`^\\^${major}\\.`));
});

const built = existsSync(join(root, 'dist', 'bundle', 'cli.js')) && process.platform !== 'win32';

describe.skipIf(!built)('its steps, with the packed package (needs a build)', () => {
  const folder = profileFolder({ 'profiles/shop.yaml': scoring('candidate.x') });
  const app = folder.path;
  let port: number;
  let server: ChildProcess;
  let said = '';

  /** A command of the recipe, in the folder of the app. Its port may be taken here. */
  const run = ([command = '', ...args]: readonly string[], more: readonly string[] = []): ChildProcess =>
    spawn(
      command === 'node' ? process.execPath : command,
      [...args.map((arg) => arg.replace('8080', `${port}`)), ...more],
      {
        cwd: app,
        env: { PATH: process.env['PATH'], NODE_ENV: 'production', ASSIZE_TOKEN: 'token-of-everything' },
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
  const exitOf = async (child: ChildProcess): Promise<unknown> => (await once(child, 'exit'))[0] as unknown;

  beforeAll(async () => {
    const packed = spawnSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', app], { cwd: root });
    const [tarball] = JSON.parse(packed.stdout.toString()) as [{ readonly filename: string }];
    mkdirSync(join(app, 'node_modules', 'assize'), { recursive: true });
    spawnSync('tar', ['-xzf', tarball.filename, '--strip-components=1', '-C', 'node_modules/assize'], { cwd: app });
    for (const name of [...Object.keys(manifest.dependencies), ...installed.keys()]) {
      const link = join(app, 'node_modules', name);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(join(root, 'node_modules', name), link);
    }
    writeFileSync(join(app, 'package.json'), '{}');
    port = await freePort();
    server = run(commandOf(/^/), ['--port', String(port)]);
    server.stderr?.on('data', (part: Buffer) => (said += part.toString()));
  });
  afterAll(() => server.kill('SIGKILL'));

  test('serve requests with the token; the health check passes', async () => {
    await eventually(() => expect(said).toContain('listening at'));
    const rank = (headers: Readonly<Record<string, string>>): Promise<Response> =>
      fetch(`http://127.0.0.1:${port}/v1/rank`, {
        method: 'POST',
        body: JSON.stringify({ profile: 'shop', candidates: [{ id: 'a', x: 1 }] }),
        headers: { 'content-type': 'application/json', ...headers },
      });
    expect((await rank({})).status).toBe(401);
    const response = await rank({ authorization: 'Bearer token-of-everything' });
    expect(await response.json()).toMatchObject({ selected: [{ id: 'a', score: 1 }] });
    expect(await exitOf(run(commandOf(/HEALTHCHECK.* /)))).toBe(0);
  });

  test('stop on a signal, and the health check fails', async () => {
    server.kill('SIGTERM');
    expect(await exitOf(server)).toBe(0);
    expect(await exitOf(run(commandOf(/HEALTHCHECK.* /)))).toBe(1);
  });
});

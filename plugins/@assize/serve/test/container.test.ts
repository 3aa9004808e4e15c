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

/** The folders of the packages of this repository that the recipe installs, by name. */
const packages = new Map([
  ['assize', root],
  ['@assize/serve', join(root, 'plugins', '@assize', 'serve')],
]);

interface Manifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}
const manifests = [...packages.values()].map(
  (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest,
);
const recipe = readFileSync(join(root, 'config', 'container', 'Dockerfile'), 'utf8').replaceAll('\\\n', ' ');

/** The command of an instruction, which is a JSON list. */
const commandOf = (instruction: RegExp): readonly string[] =>
  JSON.parse(new RegExp(`^${instruction.source}CMD (\\[.*\\])$`, 'm').exec(recipe)?.[1] ?? '') as string[];

/** The installed packages by name, with their versions. */
const installed = new Map(
  (/npm install --omit=dev (.*)$/m.exec(recipe)?.[1] ?? '')
    .replaceAll('"', '')
    .split(' ')
    .map((one): [string, string] => [one.slice(0, one.lastIndexOf('@')), one.slice(one.lastIndexOf('@') + 1)]),
);

test('installs this version, and the package of the metrics', () => {
  for (const { version } of manifests) expect(recipe).toContain(`ARG ASSIZE=${version}\n`);
  const { 'prom-client': promClient = '', ...own } = Object.fromEntries(installed);
  expect(own).toEqual(Object.fromEntries([...packages.keys()].map((name) => [name, '$ASSIZE'])));
  expect(manifests[1]?.peerDependencies['prom-client']).toMatch(new RegExp(`^\\^${promClient}\\.`));
});

const built = existsSync(join(root, 'plugins', '@assize', 'serve', 'dist', 'verbs.js')) && process.platform !== 'win32';

describe.skipIf(!built)('its steps, with the packed packages (needs a build)', () => {
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
    for (const [name, from] of packages) {
      const packed = spawnSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', app], { cwd: from });
      const [tarball] = JSON.parse(packed.stdout.toString()) as [{ readonly filename: string }];
      const into = join('node_modules', name);
      mkdirSync(join(app, into), { recursive: true });
      spawnSync('tar', ['-xzf', tarball.filename, '--strip-components=1', '-C', into], { cwd: app });
    }
    for (const name of [...manifests.flatMap(({ dependencies }) => Object.keys(dependencies)), 'prom-client']) {
      const link = join(app, 'node_modules', name);
      mkdirSync(dirname(link), { recursive: true });
      if (!existsSync(link)) symlinkSync(join(root, 'node_modules', name), link);
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

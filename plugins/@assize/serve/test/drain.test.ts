import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { Agent, createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { packageRoot } from '../../../../src/base/package-root.js';
import { inEnoughTime } from '../../../../test/enough-time.js';
import { eventually } from '../../../../test/eventually.js';
import { freePort } from '../../../../test/machine/free-port.js';
import { openServer } from './open-server.js';
import { profileFolder, scoring } from './profile-folder.js';
import { temporaryFolder } from '../../../../test/temporary-folder.js';

const MAIN = join(packageRoot(), 'dist', 'bundle', 'cli.js');
const hasNginx = spawnSync('nginx', ['-v']).status === 0;
const folder = profileFolder({ 'p.yaml': scoring('candidate.x') });
const BODY = JSON.stringify({ profile: 'p', candidates: Array.from({ length: 20 }, (_, x) => ({ id: `${x}`, x })) });

const started = new Set<ChildProcess>();
afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
});

/** A server in a separate process. */
interface Backend {
  readonly port: number;
  readonly child: ChildProcess;
}

async function startBackend(drain: number): Promise<Backend> {
  const args = [MAIN, 'serve', '--port', '0', '--drain', String(drain)];
  const child = spawn(process.execPath, args, { cwd: folder.path, stdio: ['ignore', 'ignore', 'pipe'] });
  started.add(child);
  let text = '';
  child.stderr?.on('data', (part: Buffer) => (text += part.toString()));
  await eventually(() => expect(text).toContain('listening at'));
  return { port: Number(/listening at \S+:(\d+)/.exec(text)?.[1]), child };
}

/** The status of an answer; the error if there is none. */
const send = (port: number, agent: Agent, { path = '/v1/rank', body = BODY } = {}): Promise<number | string> =>
  new Promise((resolve) => {
    const method = body === '' ? 'GET' : 'POST';
    const headers =
      body === '' ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    httpRequest({ port, host: '127.0.0.1', path, method, agent, headers }, (response) => {
      response.on('error', (error) => resolve(error.message));
      response.on('end', () => resolve(response.statusCode ?? 0)).resume();
    })
      .on('error', (error: NodeJS.ErrnoException) => resolve(`${error.code}`))
      .end(body);
  });

const CLIENTS = 12;

/** Clients that send one request after another until they are stopped, and their answers. */
function load(
  port: number,
  { keepAlive = true } = {},
): { stop(): Promise<readonly (number | string)[]>; begun(): number } {
  const agent = new Agent({ keepAlive });
  const answers: (number | string)[] = [];
  let begun = 0;
  const state = { isOver: false };
  const client = async (): Promise<void> => {
    while (!state.isOver) {
      begun++;
      answers.push(await send(port, agent)); // oxlint-disable-line no-await-in-loop -- one after another
    }
  };
  const all = Array.from({ length: CLIENTS }, client);
  return {
    begun: () => begun,
    stop: async () => {
      state.isOver = true;
      await Promise.all(all);
      agent.destroy();
      expect(answers).toHaveLength(begun);
      return answers;
    },
  };
}

/** A proxy with keep-alive connections, which checks readiness of each backend, and never retries a request. */
async function startProxy(backends: readonly Backend[]): Promise<{ port: number; isReady(backend: Backend): boolean }> {
  const agent = new Agent({ keepAlive: true });
  const probes = new Agent({ keepAlive: true });
  const ready = new Set(backends);
  let next = 0;
  const proxy: Server = createServer((incoming, outgoing) => {
    const [...all] = ready;
    const { port } = all[next++ % all.length]!;
    const { method, url: path, headers } = incoming;
    const onward = httpRequest({
      port,
      host: '127.0.0.1',
      path,
      method,
      agent,
      headers: { ...headers, connection: 'keep-alive' },
    });
    onward.on('response', (response) => {
      outgoing.writeHead(response.statusCode!);
      response.pipe(outgoing);
    });
    onward.on('error', (error: NodeJS.ErrnoException) => outgoing.writeHead(502).end(`${error.code}`));
    incoming.pipe(onward);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const probe = setInterval(() => {
    for (const backend of ready) {
      void send(backend.port, probes, { path: '/readyz', body: '' }).then((status) => {
        if (status !== 200) ready.delete(backend);
      });
    }
  }, 50);
  onTestFinished(() => {
    clearInterval(probe);
    proxy.closeAllConnections();
    proxy.close();
    agent.destroy();
    probes.destroy();
  });
  return { port: (proxy.address() as AddressInfo).port, isReady: (backend) => ready.has(backend) };
}

/** nginx with two backends, configured like an ingress: a reload tells it which backends to use. */
async function startNginx(): Promise<{
  port: number;
  use(backends: readonly Backend[]): Promise<void>;
  pid(): number;
}> {
  const path = temporaryFolder('assize-nginx-');
  const port = await freePort();
  const file = join(path, 'nginx.conf');
  let child: ChildProcess | undefined;
  const write = (backends: readonly Backend[]): void =>
    writeFileSync(
      file,
      `daemon off; pid ${path}/pid; error_log ${path}/error.log notice; worker_processes 1; worker_shutdown_timeout 60s;
events {}
http {
  access_log off;
  client_body_temp_path ${path}/body; proxy_temp_path ${path}/proxy; fastcgi_temp_path ${path}/f; uwsgi_temp_path ${path}/u; scgi_temp_path ${path}/s;
  upstream assize { ${backends.map((one) => `server 127.0.0.1:${one.port};`).join(' ')} keepalive 32; }
  server {
    listen 127.0.0.1:${port};
    location / { proxy_pass http://assize; proxy_http_version 1.1; proxy_set_header Host $http_host; proxy_set_header Connection ""; proxy_next_upstream error timeout; }
  }
}`,
    );
  onTestFinished(() => {
    child?.kill('SIGQUIT');
  });
  const agent = new Agent();
  return {
    port,
    pid: () => child?.pid ?? 0,
    use: async (backends) => {
      write(backends);
      if (child) {
        const log = join(path, 'error.log');
        const before = spawnSync('grep', ['-c', 'gracefully shutting down', log]).stdout.toString();
        child.kill('SIGHUP');
        await eventually(() =>
          expect(spawnSync('grep', ['-c', 'gracefully shutting down', log]).stdout.toString()).not.toBe(before),
        );
        return;
      }
      child = spawn('nginx', ['-c', file, '-e', join(path, 'error.log')], { stdio: 'ignore' });
      started.add(child);
      await eventually(async () => expect(await send(port, agent, { path: '/healthz', body: '' })).toBe(200));
    },
  };
}

const isGone = ({ child }: Backend): boolean => child.exitCode !== null || child.signalCode !== null;

describe.skipIf(!existsSync(MAIN))(
  'SIGTERM under load, behind a proxy with keep-alive connections (needs a build)',
  () => {
    test('loses no started request, if the proxy checks readiness', async () => {
      const answers = await inEnoughTime(async (drain) => {
        const backends = [await startBackend(drain), await startBackend(0)] as const;
        const proxy = await startProxy(backends);
        const clients = load(proxy.port);
        await eventually(() => expect(clients.begun()).toBeGreaterThan(100));
        backends[0].child.kill('SIGTERM');
        await eventually(() => expect(proxy.isReady(backends[0])).toBe(false));
        const wasInTime = !isGone(backends[0]);
        if (!isGone(backends[0])) await once(backends[0].child, 'exit');
        expect(backends[0].child.exitCode).toBe(0);
        const after = clients.begun();
        await eventually(() => expect(clients.begun()).toBeGreaterThan(after + 100));
        const all = await clients.stop();
        backends[1].child.kill('SIGKILL');
        return wasInTime ? all : undefined;
      }, 2000);
      expect(answers.filter((status) => status !== 200)).toEqual([]);
    });

    test.skipIf(!hasNginx)('loses none behind nginx, which is reloaded (needs nginx)', async () => {
      const answers = await inEnoughTime(async (drain) => {
        const backends = [await startBackend(drain), await startBackend(0)] as const;
        const nginx = await startNginx();
        await nginx.use(backends);
        const clients = load(nginx.port, { keepAlive: false }); // a reload of nginx closes connections of its own clients
        await eventually(() => expect(clients.begun()).toBeGreaterThan(100));
        backends[0].child.kill('SIGTERM');
        await nginx.use([backends[1]]);
        const wasInTime = !isGone(backends[0]);
        if (!isGone(backends[0])) await once(backends[0].child, 'exit');
        const after = clients.begun();
        await eventually(() => expect(clients.begun()).toBeGreaterThan(after + 100));
        const all = await clients.stop();
        backends[1].child.kill('SIGKILL');
        return wasInTime ? all : undefined;
      }, 4000);
      expect(answers.filter((status) => status !== 200)).toEqual([]);
    });
  },
);

describe('a draining server', () => {
  test('reports it, answers with connection: close, and can be stopped immediately', async () => {
    const server = await openServer(folder, { limits: { drain: 2 ** 30 } });
    const stopped = server.close();
    const ready = await server.get('/readyz');
    expect([ready.status, ready.headers.get('connection'), await ready.json()]).toMatchObject([
      503,
      'close',
      { status: 'stopping' },
    ]);
    const response = await server.post('/v1/rank', BODY);
    expect([response.status, response.headers.get('connection')]).toEqual([200, 'close']);
    await Promise.all([server.close({ drain: 0 }), stopped]);
    await expect(server.get('/readyz')).rejects.toThrow(/fetch failed/);
  });
});

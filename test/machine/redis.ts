import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from './free-port.js';

/** Whether a redis-server is installed. */
export const hasRedis = spawnSync('redis-server', ['--version']).status === 0;

/** A separate Redis for a test, in memory alone. */
export interface RedisServer {
  readonly url: string;
  /** Ends it, and starts another one at the same address, without data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a Redis on a free port, with further options. */
export async function startRedis(...more: readonly string[]): Promise<RedisServer> {
  const port = await freePort();
  let server = await listening(port, more);
  const stop = async (): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    server.kill('SIGKILL');
    await once(server, 'exit');
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    async restart() {
      await stop();
      server = await listening(port, more);
    },
    stop,
  };
}

async function listening(port: number, more: readonly string[]): Promise<ChildProcess> {
  const options = [...more, '--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const server = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ready = new Promise<void>((resolve, reject) => {
    let said = '';
    server.once('exit', () => reject(new Error(`redis-server does not start: ${said}`)));
    server.stdout.on('data', (part) => {
      said += String(part);
      if (said.includes('Ready to accept connections')) resolve();
    });
  });
  await ready;
  return server;
}

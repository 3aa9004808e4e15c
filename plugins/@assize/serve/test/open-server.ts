import { afterAll } from 'vitest';
import { type AssizeServer, type ServeOptions, startServer } from '@assize/serve';
import { PATIENCE_MS } from '../../../../test/patience.js';
import type { ProfileFolder } from './profile-folder.js';

/** What else a request has. */
interface PostInit extends Omit<RequestInit, 'headers'> {
  readonly headers?: Readonly<Record<string, string>>;
}

/** An event in the log of a test. */
interface LogEntry {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly [field: string]: unknown;
}

/** A server of a test, and its log. */
export interface TestServer extends AssizeServer {
  readonly log: readonly LogEntry[];
  post(path: string, body: unknown, init?: PostInit): Promise<Response>;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
}

/** Starts a server on a free port, which closes after the tests of the file. */
export async function openServer({ path }: ProfileFolder, options: ServeOptions = {}): Promise<TestServer> {
  const log: LogEntry[] = [];
  const limits = { time: PATIENCE_MS, ...options.limits };
  const server = await startServer({
    profiles: path,
    port: 0,
    log: {
      info: (fields, message) => void log.push({ level: 'info', message, ...fields }),
      warn: (fields, message) => void log.push({ level: 'warn', message, ...fields }),
      error: (fields, message) => void log.push({ level: 'error', message, ...fields }),
    },
    ...options,
    limits,
  });
  afterAll(() => server.close());
  const { url, port, profiles } = server;
  return {
    url,
    port,
    profiles,
    close: (how) => server.close(how),
    log,
    post: (to, body, { headers, ...init } = {}) =>
      fetch(url + to, {
        method: 'POST',
        body: typeof body === 'string' ? body : JSON.stringify(body),
        headers: { 'content-type': 'application/json', ...headers },
        ...init,
      }),
    get: (from, headers = {}) => fetch(url + from, { headers }),
  };
}

/** The status of a response, and the codes of its problems. */
export async function problemOf(response: Response): Promise<readonly unknown[]> {
  const body = (await response.json()) as { readonly problems?: readonly { readonly code: string }[] };
  return [response.status, ...(body.problems ?? []).map(({ code }) => code)];
}

import { once } from 'node:events';
import type { Server, ServerOptions } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { toAssizeError } from 'assize';
import { toError } from 'assize/internal';

/** Answers a request. */
export type Fetch = Parameters<typeof createAdaptorServer>[0]['fetch'];

/** Creates a server of Node that answers with a function from `Request` to `Response`. */
export const createHttpServer = (fetch: Fetch, serverOptions: ServerOptions): Server =>
  // Other code of the process keeps Node's own `Request` and `Response`. HTTP/2 is not enabled, so it is a `Server`.
  createAdaptorServer({ fetch, overrideGlobalObjects: false, serverOptions }) as Server;

/** The address of a server. */
interface ListenAddress {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
}

/**
 * Makes a server listen. Later errors concern single connections, and do not end the process.
 *
 * @param hint how to choose another port
 * @returns the port
 * @throws AssizeError (ASZ597) if it cannot listen, for example because the port is taken
 */
export async function listen(
  server: Server,
  { host, port }: ListenAddress,
  hint = 'choose another port with --port; 0 picks a free one',
): Promise<number> {
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    const cause = toError(error);
    const reason = 'code' in cause && cause.code === 'EADDRINUSE' ? 'the port is in use' : cause.message;
    const message = `cannot listen on ${host}:${port}: ${reason}`;
    throw toAssizeError([{ code: 'ASZ597', message, hint }], { cause });
  }
  server.on('error', () => {});
  return (server.address() as AddressInfo).port;
}

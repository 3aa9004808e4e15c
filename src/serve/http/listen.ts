import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { errorCode, toAssizeError, toError } from '../../base/index.js';

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
    const reason = errorCode(cause) === 'EADDRINUSE' ? 'the port is in use' : cause.message;
    const message = `cannot listen on ${host}:${port}: ${reason}`;
    throw toAssizeError([{ code: 'ASZ597', message, hint }], { cause });
  }
  server.on('error', () => {});
  return (server.address() as AddressInfo).port;
}

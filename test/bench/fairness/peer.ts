/**
 * A client or an attacker of a server, in its own process. `sections/fairness.ts` starts both.
 *
 * @module
 */
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';

/** A command to a peer: a client sends a number of requests, an attacker starts or stops. */
export type PeerOrder = { readonly requests: number } | { readonly attack: boolean };

/** The latencies of a client in nanoseconds, and the statuses other than 200. */
export interface ClientReport {
  readonly times: readonly number[];
  readonly failures: readonly string[];
}

const port = Number(process.argv[2]);
const token = process.argv[3] ?? '';
const agent = new Agent({ keepAlive: true });

const candidates = (count: number): readonly object[] =>
  Array.from({ length: count }, (_, k) => ({ id: `item-${k}`, stars: k * 7, title: `Item number ${k}` }));
const SMALL = JSON.stringify({ profile: 'p', candidates: candidates(10) });

function post(path: string, body: string, type = 'application/json'): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': type,
      'content-length': Buffer.byteLength(body),
    };
    request({ port, host: '127.0.0.1', path, method: 'POST', agent, headers }, (response) => {
      response.on('end', () => resolve(response.statusCode ?? 0)).resume();
      response.on('error', reject);
    })
      .on('error', reject)
      .end(body);
  });
}

/** Sends one request after another. */
async function measure(requests: number): Promise<ClientReport> {
  const times: number[] = [];
  const failures: string[] = [];
  for (let k = 0; k < requests; k++) {
    const start = performance.now();
    const status = await post('/v1/rank', SMALL).catch(String); // oxlint-disable-line no-await-in-loop -- one after another
    times.push((performance.now() - start) * 1e6);
    if (status !== 200) failures.push(`${status}`);
  }
  return { times, failures };
}

const LINES = 'application/x-ndjson';
const ATTACKS: readonly (() => Promise<number>)[] = [
  () => post('/v1/rank', SMALL),
  () => post('/v1/rank', JSON.stringify({ profile: 'p', candidates: candidates(100) })),
  () => post('/v1/rank', JSON.stringify({ profile: 'p', candidates: candidates(1000) })),
  () => post('/v1/rank', `{"profile":"p"}\n${'\n'.repeat(2 ** 20)}`, LINES),
  () => post('/v1/rank', `{"profile":"p"}\n${'{"a":\n'.repeat(10_000)}`, LINES),
  () => post('/v1/rank', `{"profile":"p","candidates":[${'[],'.repeat(50_000)}`),
];
const ATTACKERS = 32;
const IDLE_UPLOADS = 20;
const TRICKLED = 40;

const state = { isAttacking: false };
let sockets: readonly Socket[] = [];

async function attackOnAndOn(of: number): Promise<void> {
  while (state.isAttacking) await ATTACKS[of % ATTACKS.length]!().catch(() => 0); // oxlint-disable-line no-await-in-loop -- at full rate
}

function open(path: string, type: string, body: string): Socket {
  const socket = connect(port, '127.0.0.1');
  const head = `host: localhost\r\nauthorization: Bearer ${token}\r\ncontent-type: ${type}\r\ncontent-length: ${2 ** 24}`;
  socket.on('error', () => {}).resume();
  socket.write(`POST ${path} HTTP/1.1\r\n${head}\r\n\r\n${body}`);
  return socket;
}

/** Requests at full rate, uploads that announce many bytes and send none, and streams that send a line now and then. */
function attack(): void {
  state.isAttacking = true;
  for (let k = 0; k < ATTACKERS; k++) void attackOnAndOn(k);
  const idle = Array.from({ length: IDLE_UPLOADS }, () => open('/v1/rank', 'application/json', ''));
  const trickled = Array.from({ length: TRICKLED }, () => open('/v1/score', LINES, '{"profile":"p"}\n'));
  sockets = [...idle, ...trickled];
  const drip = setInterval(() => {
    if (!state.isAttacking) clearInterval(drip);
    else for (const socket of trickled) socket.write('{"stars":1}\n');
  }, 50);
}

process.on('message', (order: PeerOrder) => {
  if ('requests' in order) void measure(order.requests).then((report) => process.send?.(report));
  else if (order.attack) attack();
  else {
    state.isAttacking = false;
    for (const socket of sockets) socket.destroy();
  }
});
process.on('disconnect', () => process.exit());
process.send?.('ready');

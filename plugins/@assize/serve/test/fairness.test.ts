import { connect, type Socket } from 'node:net';
import { once, setMaxListeners } from 'node:events';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Uploads } from '../src/http/body.js';
import { DEFAULT_LIMITS } from '../src/http/limits.js';
import { Slots } from '../src/http/slots.js';
import { inEnoughTime } from '../../../../test/enough-time.js';
import { eventually } from '../../../../test/eventually.js';
import { openServer, problemOf, type TestServer } from './open-server.js';
import { profileFolder, scoring } from './profile-folder.js';

const ALL = 'token-of-everything';
const [EVIL, GOOD] = ['token-of-evil-evil', 'token-of-good-good'];
const tokens = [{ token: ALL }, { token: EVIL, tenant: 'evil' }, { token: GOOD, tenant: 'good' }];
const folder = profileFolder({ 'evil/p.yaml': scoring('candidate.x'), 'good/p.yaml': scoring('candidate.x') });
const candidates = [{ id: 'a', x: 1 }];
const as = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
const rank = (server: TestServer, token: string, body: unknown = { profile: 'p', candidates }): Promise<Response> =>
  server.post('/v1/rank', body, as(token));

/** A request of raw bytes, and the answer so far. */
interface RawRequest {
  readonly socket: Socket;
  readonly answer: () => string;
}

/** Opens a connection of the test, and begins a request on it. */
async function begin(
  { port }: TestServer,
  { path = '/v1/rank', token = EVIL, type = 'application/json', length = 16 * 2 ** 20, body = '' } = {},
): Promise<RawRequest> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let text = '';
  socket.on('data', (part) => (text += part));
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(
    [
      `POST ${path} HTTP/1.1`,
      'host: localhost',
      `authorization: Bearer ${token}`,
      `content-type: ${type}`,
      `content-length: ${length}`,
      '',
      body,
    ].join('\r\n'),
  );
  return { socket, answer: () => text };
}

const many = <R>(count: number, make: (k: number) => Promise<R>): Promise<R[]> =>
  Promise.all(Array.from({ length: count }, (_, k) => make(k)));

const NEVER = new AbortController().signal;
setMaxListeners(0, NEVER);

describe('turns', () => {
  const tenants = ['a', 'b', 'c', undefined];

  test('are given round by round to tenants, in order of arrival, regardless of earlier requests', async () => {
    const arrivals = fc.array(fc.constantFrom(...tenants), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(arrivals, fc.integer({ min: 1, max: 3 }), async (given, concurrent) => {
        const slots = new Slots({ concurrent, waiting: 100, perTenant: 100, turnsPerTenant: concurrent });
        const first = await many(concurrent, () => slots.take('first', NEVER));
        const started: string[] = [];
        const all = given.map(async (tenant, k) => {
          // Every third is a part of a stream, which was admitted before.
          const giveBack = await (k % 3 === 2 ? slots.takeAgain(tenant, NEVER) : slots.take(tenant, NEVER));
          started.push(`${tenant} ${k}`);
          expect(slots.running).toBeLessThanOrEqual(concurrent);
          giveBack();
        });
        expect(slots.waiting).toBe(given.length);
        for (const giveBack of first) giveBack();
        await Promise.all(all);
        // By rounds: the first request of each tenant, then the second of each that has two.
        const queues = new Map<string | undefined, string[]>();
        for (const [k, tenant] of given.entries())
          queues.set(tenant, [...(queues.get(tenant) ?? []), `${tenant} ${k}`]);
        const rounds = Array.from({ length: given.length }, (_, r) =>
          [...queues.values()].flatMap((own) => own[r] ?? []),
        );
        expect(started).toEqual(rounds.flat());
        expect([slots.running, slots.waiting]).toEqual([0, 0]);
      }),
    );
  });

  test('the first request of a tenant in an iteration of the event loop does not wait for long requests of another', async () => {
    const slots = new Slots({ concurrent: 8, waiting: 100, perTenant: 100, turnsPerTenant: 4 });
    let time = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => time);
    onTestFinished(() => clock.mockRestore());
    const started: string[] = [];
    const run = async (tenant: string): Promise<void> => {
      const giveBack = await slots.take(tenant, NEVER);
      started.push(tenant);
      time += 10; // a request that computes for 10 ms
      giveBack();
    };
    const all: Promise<void>[] = [];
    for (const tenant of ['evil', 'evil', 'evil', 'good', 'good']) {
      all.push(run(tenant));
      for (let k = 0; k < 5; k++) await Promise.resolve(); // oxlint-disable-line no-await-in-loop -- it runs if it may
    }
    await Promise.all(all);
    // One of each per iteration.
    expect(started).toEqual(['evil', 'good', 'evil', 'good', 'evil']);
  });

  test('one tenant never has all slots, even if no other needs one', async () => {
    const slots = new Slots({ concurrent: 4, waiting: 10, perTenant: 10, turnsPerTenant: 2 });
    const evil = [slots.take('evil', NEVER), slots.take('evil', NEVER), slots.take('evil', NEVER)];
    const [giveBack] = await Promise.all(evil.slice(0, 2));
    expect([slots.running, slots.waiting]).toEqual([2, 1]);
    const good = await slots.take('good', NEVER);
    expect([slots.running, slots.waiting]).toEqual([3, 1]);
    giveBack!();
    await evil[2];
    good();
    expect([slots.running, slots.waiting]).toEqual([2, 0]);
  });

  test('if the queue is full, the last request of the largest tenant gives its place to another tenant', async () => {
    vi.useFakeTimers({ toFake: ['performance'] }); // on a slow machine the turns would be spread over several iterations
    onTestFinished(() => void vi.useRealTimers());
    const slots = new Slots({ concurrent: 1, waiting: 4, perTenant: 10, turnsPerTenant: 1 });
    const giveBack = await slots.take('evil', NEVER);
    const outcomes: string[] = [];
    const take = (tenant: string, name: string): Promise<void> =>
      slots.take(tenant, NEVER).then(
        (back) => {
          outcomes.push(name);
          back();
        },
        (error: Error) => void outcomes.push(`${name}: ${error.message}`),
      );
    const all = ['e1', 'e2', 'e3', 'e4'].map((name) => take('evil', name));
    all.push(take('evil', 'e5'), take('good', 'g1'), take('good', 'g2'), take('good', 'g3'));
    await Promise.all([all[4], all[7]]);
    giveBack();
    await Promise.all(all);
    const refused = ['e4', 'e3', 'e5', 'g3'].map((name) => `${name}: the server is busy`);
    expect(outcomes.slice(0, 4).toSorted()).toEqual(refused.toSorted());
    expect(outcomes.slice(4)).toEqual(['e1', 'g1', 'e2', 'g2']);
  });

  test('a request that is aborted while it waits leaves no state behind', async () => {
    const slots = new Slots({ concurrent: 1, waiting: 4, perTenant: 1, turnsPerTenant: 1 });
    const giveBack = await slots.take('good', NEVER);
    const client = new AbortController();
    const gone = [slots.take('evil', client.signal), slots.takeAgain('evil', client.signal)];
    client.abort(new Error('gone'));
    for (const one of gone) await expect(one).rejects.toThrow('gone'); // oxlint-disable-line no-await-in-loop
    giveBack();
    expect([slots.running, slots.waiting]).toEqual([0, 0]);
    (await slots.take('evil', NEVER))();
  });
});

describe('uploads', () => {
  test('with announced but missing bytes block no other request', async () => {
    const server = await openServer(folder, { tokens });
    const idle = await many(200, () => begin(server));
    for (let k = 0; k < 20; k++) expect((await rank(server, GOOD)).status).toBe(200); // oxlint-disable-line no-await-in-loop
    expect((await rank(server, EVIL)).status).toBe(200);
    expect(idle.map(({ answer }) => answer()).join('')).toBe('');
  });

  test('are limited per tenant, by number and by received bytes', async () => {
    const limits = { body: 100_000, bodies: 400_000, uploadsPerTenant: 3 };
    const server = await openServer(folder, { tokens, limits });
    const idle = await many(3, () => begin(server, { length: 100_000 }));
    await eventually(async () => expect(await problemOf(await rank(server, EVIL))).toEqual([429, 'ASZ594']));
    for (const { socket } of idle) socket.write('x'.repeat(40_000)); // 120,000 of 100,000
    await eventually(() => expect(idle.map(({ answer }) => answer()).join('')).toContain('HTTP/1.1 429 '));
    expect((await rank(server, GOOD)).status).toBe(200);
    for (const { socket } of idle) socket.destroy();
    await eventually(async () => expect((await rank(server, EVIL)).status).toBe(200));
  });

  test('that stall end with 408, as JSON, as lines, and in a stream that has begun to answer', async () => {
    const types = ['application/json', 'application/x-ndjson'];
    const server = await inEnoughTime(async (stall) => {
      const one = await openServer(folder, { tokens, limits: { stall } });
      return (await rank(one, GOOD)).status === 200 ? one : undefined;
    });
    const idle = await many(2, (k) => begin(server, { type: types[k]!, body: '{"profile":"p"' }));
    const lines = { path: '/v1/score', type: types[1]!, body: '{"profile":"p"}\n{"id":"a","x":1}\n' };
    const stream = await begin(server, lines);
    for (const { answer } of idle) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      await eventually(() => expect(answer()).toMatch(/^HTTP\/1\.1 408 [^]*"code":"ASZ595"/));
    }
    await eventually(() => expect(stream.answer()).toMatch(/"score":1[^]*\{"problem":[^]*"status":408/));
  });

  test('count the bytes in memory, and nothing after they end', () => {
    const uploads = new Uploads({ ...DEFAULT_LIMITS, bodies: 1000, bodiesPerTenant: 400, uploadsPerTenant: 2 });
    const [one, two] = [uploads.open('evil'), uploads.open('evil')];
    expect(() => uploads.open('evil')).toThrow('you have 2 uploads in progress, which is the limit');
    one.hold(300);
    expect(() => two.hold(101)).toThrow('your requests hold 300 bytes in memory, which is the limit');
    one.received(200);
    two.hold(200);
    const three = uploads.open('evil');
    const others = ['a', 'b', undefined].map((tenant) => uploads.open(tenant));
    others[0]!.hold(400);
    others[2]!.hold(200);
    expect(() => others[1]!.hold(1)).toThrow('the memory for request bodies is full');
    for (const upload of [one, two, three, ...others]) {
      upload.end();
      upload.end();
    }
    expect(uploads.bytes).toBe(0);
    for (const upload of [uploads.open('evil'), uploads.open('evil')]) upload.hold(200);
  });

  test('of single bytes count their own overhead', async () => {
    const server = await openServer(folder, { tokens, limits: { body: 100_000, bodies: 400_000 } });
    const socket = connect(server.port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    let answer = '';
    socket.on('data', (part) => (answer += part)).on('error', () => {});
    const head = `host: localhost\r\nauthorization: Bearer ${EVIL}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked`;
    socket.write(`POST /v1/rank HTTP/1.1\r\n${head}\r\n\r\n${'1\r\n \r\n'.repeat(2000)}`);
    await eventually(() => expect(answer).toContain('HTTP/1.1 429 '));
  });
});

describe('streams of lines', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await openServer(folder, { tokens, limits: { concurrent: 2, waiting: 0 } });
  });
  const type = 'application/x-ndjson';
  const noTurns = async (): Promise<void> =>
    expect(await (await server.get('/metrics', as(ALL).headers)).text()).toMatch(/running 0\n[^]*waiting 0\n/);

  test('that trickle use a slot only while candidates are scored', async () => {
    const body = '{"profile":"p"}\n{"id":"a","x":1}\n';
    const streams = await many(40, () => begin(server, { path: '/v1/score', type, body }));
    for (const { answer } of streams) await eventually(() => expect(answer()).toContain('"score":1')); // oxlint-disable-line no-await-in-loop
    await noTurns();
    for (let k = 0; k < 20; k++) expect((await rank(server, GOOD)).status).toBe(200); // oxlint-disable-line no-await-in-loop
    for (const { socket } of streams) socket.write('{"id":"b","x":2}\n');
    for (const { answer } of streams) await eventually(() => expect(answer()).toContain('"score":2')); // oxlint-disable-line no-await-in-loop
  });

  test('without a reader use no slot, whether their candidates arrive at once or line by line', async () => {
    const rows = Array.from({ length: 20_000 }, (_, x) => ({ x, id: 'x'.repeat(200) }));
    const body = JSON.stringify({ profile: 'p', candidates: rows });
    const request = async (path: string): Promise<Socket> => {
      const socket = connect(server.port, '127.0.0.1');
      onTestFinished(() => void socket.destroy());
      socket.on('error', () => {});
      socket.pause();
      const head = `host: localhost\r\nauthorization: Bearer ${EVIL}\r\naccept: ${type}`;
      socket.write(
        `POST ${path} HTTP/1.1\r\n${head}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      );
      await once(socket, 'readable');
      return socket;
    };
    await many(4, (k) => request(k % 2 === 0 ? '/v1/score' : '/v1/rank'));
    await eventually(noTurns);
    for (let k = 0; k < 20; k++) expect((await rank(server, GOOD)).status).toBe(200); // oxlint-disable-line no-await-in-loop
  });
});

test('a tenant at full rate causes no failure for another', async () => {
  const server = await openServer(folder, { tokens });
  const state = { isOver: false };
  const broken = `{"profile":"p","candidates":[${'[],'.repeat(20_000)}!`;
  const rows = JSON.stringify({ profile: 'p', candidates: Array.from({ length: 1000 }, (_, x) => ({ x })) });
  const lines = { 'content-type': 'application/x-ndjson' };
  const blank = `{"profile":"p"}\n${'\n'.repeat(1_000_000)}`;
  const wrong = `{"profile":"p"}\n${'{"a":\n'.repeat(100_000)}`;
  const attacks: readonly (() => Promise<Response>)[] = [
    () => rank(server, EVIL),
    () => rank(server, EVIL, rows),
    () => rank(server, EVIL, broken),
    () => server.post('/v1/rank', blank, { headers: { ...lines, ...as(EVIL).headers } }),
    () => server.post('/v1/score', wrong, { headers: { ...lines, ...as(EVIL).headers } }),
    () => server.post('/v1/explain', { profile: 'p', candidates, candidate: { index: 0 } }, as(EVIL)),
  ];
  const statuses = new Set<number>();
  const attack = async (k: number): Promise<void> => {
    while (!state.isOver) {
      const response = await attacks[k % attacks.length]!().catch(() => undefined); // oxlint-disable-line no-await-in-loop
      if (response) statuses.add(response.status);
      await response?.text().catch(() => ''); // oxlint-disable-line no-await-in-loop -- the next one after this answer
    }
  };
  await many(20, () => begin(server));
  const attackers = many(24, attack);
  const answers: number[] = [];
  for (let k = 0; k < 60; k++) answers.push((await rank(server, GOOD)).status); // oxlint-disable-line no-await-in-loop
  state.isOver = true;
  await attackers;
  expect(answers).toEqual(answers.map(() => 200));
  expect(statuses).toContain(200);
  expect(server.log.filter(({ level }) => level === 'error')).toEqual([]);
});

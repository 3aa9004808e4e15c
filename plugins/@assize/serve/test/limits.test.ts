import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { defineScorer, z } from 'assize/sdk';
import { DEFAULT_LIMITS } from '../src/http/limits.js';
import { Slots } from '../src/http/slots.js';
import { checkServeOptions } from '../src/serve-options.js';
import { openServer, problemOf, type TestServer } from './open-server.js';
import { inEnoughTime } from '../../../../test/enough-time.js';
import { eventually } from '../../../../test/eventually.js';
import { profileFolder, scoring } from './profile-folder.js';

/** The waiting runs, each until it is released or aborted. */
const waiting: { readonly letGo: () => void; readonly signal: AbortSignal }[] = [];

/** A scorer that waits for an external event. */
class Waits {
  static readonly meta = defineScorer({ summary: 'Waits.', params: z.strictObject({}) });
  async prepare(_: object, { abort }: { readonly abort: AbortSignal }) {
    await new Promise<void>((resolve, reject) => {
      abort.addEventListener('abort', () => reject(abort.reason), { once: true });
      waiting.push({ letGo: resolve, signal: abort });
    });
    return () => 1;
  }
}

const folder = profileFolder({
  'fast.yaml': scoring('1.0'),
  'waits.yaml': 'tier2_scorers: [{ id: waits, class: Waits }]',
  'acme/waits.yaml': 'tier2_scorers: [{ id: waits, class: Waits }]',
});
const candidates = [{ id: 'a' }];
const waits = { profile: 'waits', candidates };
const pipeline = { units: { Waits } };
const letAllGo = (): void => {
  for (const { letGo } of waiting.splice(0)) letGo();
};
const metricsOf = async (server: TestServer, token?: string): Promise<string> =>
  (await server.get('/metrics', token === undefined ? {} : { authorization: `Bearer ${token}` })).text();

describe('requests beyond the limits', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await openServer(folder, { limits: { body: 10_000, bodies: 15_000, candidates: 5, detailed: 2 } });
  });

  test('a body with a large length is not read, and one without a length is cut off', async () => {
    const large = JSON.stringify({ profile: 'fast', candidates, context: { text: 'x'.repeat(20_000) } });
    expect(await problemOf(await server.post('/v1/rank', large))).toEqual([413, 'ASZ593']);
    let parts = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        parts++;
        if (parts > 200_000) controller.close();
        else controller.enqueue(new Uint8Array(1000).fill(32));
      },
    });
    const init = { method: 'POST', body: endless, duplex: 'half', headers: { 'content-type': 'application/json' } };
    const response = await fetch(`${server.url}/v1/rank`, init as RequestInit).catch(() => undefined);
    if (response) expect(await problemOf(response)).toEqual([413, 'ASZ593']);
    expect(parts).toBeLessThan(100_000); // the capacity of two socket buffers
    expect((await server.post('/v1/rank', { profile: 'fast', candidates })).status).toBe(200);
  });

  test('too many candidates, and too many rows with details', async () => {
    const many = Array.from({ length: 6 }, () => ({}));
    expect(await problemOf(await server.post('/v1/rank', { profile: 'fast', candidates: many }))).toEqual([
      413,
      'ASZ593',
    ]);
    const few = many.slice(0, 3);
    for (const include of [['terms'], ['explanations'], ['warnings']]) {
      const response = await server.post('/v1/rank', { profile: 'fast', candidates: few, include }); // oxlint-disable-line no-await-in-loop
      expect(await problemOf(response)).toEqual([413, 'ASZ593']); // oxlint-disable-line no-await-in-loop
    }
    const headers = { 'content-type': 'application/x-ndjson' };
    const lines = ['{"profile":"fast"}', ...many.map(() => '{}')].join('\n');
    expect(await problemOf(await server.post('/v1/rank', lines, { headers }))).toEqual([413, 'ASZ593']);
    const scored = await server.post('/v1/score', lines, { headers });
    expect((await scored.text()).trimEnd().split('\n')).toHaveLength(7);
  });
});

describe('scores in lines', () => {
  test('are sent while candidates arrive, and end with a summary', async () => {
    const server = await openServer(folder);
    const encoder = new TextEncoder();
    const input = new TransformStream<Uint8Array, Uint8Array>();
    const writer = input.writable.getWriter();
    const send = (line: string): void => void writer.write(encoder.encode(`${line}\n`));
    send('{"profile":"fast"}');
    send('{"id":"first"}');
    const init = {
      method: 'POST',
      body: input.readable,
      duplex: 'half',
      headers: { 'content-type': 'application/x-ndjson' },
    };
    const response = await fetch(`${server.url}/v1/score`, init as RequestInit);
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    expect(JSON.parse((await reader.read()).value ?? '')).toMatchObject({ id: 'first', score: 1 });
    send('{"id":"second"}');
    expect(JSON.parse((await reader.read()).value ?? '')).toMatchObject({ id: 'second', index: 1 });
    send('no JSON');
    await writer.close();
    expect(JSON.parse((await reader.read()).value ?? '')).toMatchObject({
      problem: { problems: [{ code: 'ASZ103', place: { file: 'body', line: 4 } }] },
    });
  });
});

describe('a client that does not read', () => {
  test('is not read faster than it reads, and is disconnected after the time limit', async () => {
    let sent = 0;
    const headers = { 'content-type': 'application/x-ndjson' };
    const begin = ({ url }: TestServer): Promise<Response> => {
      sent = 0;
      const endless = new ReadableStream<Uint8Array>({
        pull(controller) {
          const line = sent === 0 ? '{"profile":"fast"}' : `{"id":"${'x'.repeat(1000)}"}`;
          sent++;
          controller.enqueue(new TextEncoder().encode(`${line}\n`));
        },
      });
      return fetch(`${url}/v1/score`, { method: 'POST', body: endless, duplex: 'half', headers });
    };
    const { server, response } = await inEnoughTime(async (time) => {
      const one = await openServer(folder, { limits: { time } });
      const begun = await begin(one);
      return begun.status === 200 ? { server: one, response: begun } : undefined;
    });
    const ended = 'assize_http_requests_total{route="/v1/score",status="200"} 1';
    await eventually(async () => expect(await metricsOf(server)).toContain(ended));
    expect(sent).toBeLessThan(100_000); // the capacity of two socket buffers
    const last = (await response.text()).trimEnd().split('\n').at(-1) ?? '';
    expect(JSON.parse(last)).toMatchObject({ problem: { status: 503, code: 'ASZ595' } });
  });
});

describe('requests that take too long', () => {
  test('are aborted, including their scorers, and the client gets an error', async () => {
    const run = await inEnoughTime(async (time) => {
      const server = await openServer(folder, { pipeline, limits: { time } });
      const response = await server.post('/v1/rank', waits);
      expect(await problemOf(response)).toEqual([503, 'ASZ595']);
      expect(response.headers.get('retry-after')).toBe('1');
      return waiting.pop();
    });
    expect(run.signal.aborted).toBe(true);
  });

  test('a client that disconnects stops its run', async () => {
    const server = await openServer(folder, { pipeline });
    const client = new AbortController();
    const gone = server.post('/v1/rank', waits, { signal: client.signal }).catch(() => 'gone');
    await eventually(() => expect(waiting).toHaveLength(1));
    client.abort();
    expect(await gone).toBe('gone');
    await eventually(() => expect(waiting[0]?.signal.aborted).toBe(true));
    waiting.splice(0);
    await eventually(async () => expect(await metricsOf(server)).toContain('assize_requests_running 0'));
    expect(server.log.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('a run of many rows lets others run', async () => {
    let others = 0;
    /** A scorer that is slow until other requests are answered: if they never are, 20,000 rows take 20 s. */
    class Slow {
      static readonly meta = defineScorer({ summary: 'Is slow.', params: z.strictObject({}) });
      prepare() {
        return () => {
          if (others < 3) for (const end = performance.now() + 1; performance.now() < end; );
          return 1;
        };
      }
    }
    const withSlow = profileFolder({
      'fast.yaml': scoring('1.0'),
      'slow.yaml': 'tier2_scorers: [{ id: slow, class: Slow }]',
    });
    const server = await openServer(withSlow, { pipeline: { units: { Slow } } });
    const rows = Array.from({ length: 20_000 }, (_, n) => ({ n }));
    const state = { isOver: false };
    const large = server.post('/v1/rank', { profile: 'slow', candidates: rows });
    void large.then(() => (state.isOver = true));
    while (others < 3 && !state.isOver) {
      await server.post('/v1/rank', { profile: 'fast', candidates }); // oxlint-disable-line no-await-in-loop -- while it runs
      if (!state.isOver) others++;
    }
    expect([(await large).status, others]).toEqual([200, 3]);
  });
});

describe('more concurrent requests than slots', () => {
  const limits = { concurrent: 1, waiting: 2, perTenant: 2 };

  test('wait for a slot; the next one gets 429', async () => {
    const server = await openServer(folder, { pipeline, limits });
    const three = [waits, waits, waits].map((body) => server.post('/v1/rank', body));
    await eventually(async () => expect(await metricsOf(server)).toContain('assize_requests_waiting 2'));
    const fourth = await server.post('/v1/rank', waits);
    expect(await problemOf(fourth)).toEqual([503, 'ASZ594']);
    expect(fourth.headers.get('retry-after')).toBe('1');
    const letting = setInterval(letAllGo, 5);
    expect((await Promise.all(three)).map(({ status }) => status)).toEqual([200, 200, 200]);
    clearInterval(letting);
  });

  test('a client that disconnects before its turn does not use one', async () => {
    const slots = new Slots({ ...limits, waiting: 1, turnsPerTenant: 1 });
    const giveBack = await slots.take(undefined, new AbortController().signal);
    await expect(slots.take(undefined, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
    expect([slots.running, slots.waiting]).toEqual([1, 0]);
    giveBack();
    expect(slots.running).toBe(0);
  });
});

describe('silent clients', () => {
  /** The bytes that a connection received before it was closed. */
  const closed = (socket: Socket): Promise<string> =>
    new Promise((resolve) => {
      let text = '';
      socket.on('data', (part) => (text += part));
      socket.on('error', () => {});
      socket.on('close', () => resolve(text));
    });

  /** The limit also applies to active clients: a machine that pauses for that long cannot have sent its request. */
  const answers = (server: TestServer): Promise<void> =>
    eventually(async () => expect((await server.post('/v1/rank', { profile: 'fast', candidates })).status).toBe(200));

  test('1,000 silent connections are closed, and others are answered in the meantime', async () => {
    const server = await openServer(folder, { limits: { request: 500 } });
    const sockets = Array.from({ length: 1000 }, () => connect(server.port, '127.0.0.1'));
    const all = Promise.all(sockets.map(closed));
    await answers(server);
    for (const text of await all) expect(['', 'HTTP/1.1 408 R']).toContain(text.slice(0, 14));
  });

  test('one that sends a byte occasionally is closed, too', async () => {
    const server = await openServer(folder, { limits: { request: 500 } });
    const socket = connect(server.port, '127.0.0.1');
    const over = closed(socket);
    socket.write(
      'POST /v1/rank HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{',
    );
    const drip = setInterval(() => socket.write(' '), 50);
    expect(['', 'HTTP/1.1 408 R']).toContain((await over).slice(0, 14));
    clearInterval(drip);
    await answers(server);
  });
});

describe('a stopping server', () => {
  test('answers started requests, and rejects new ones', async () => {
    const server = await openServer(folder, { pipeline });
    const begun = server.post('/v1/rank', waits);
    await eventually(() => expect(waiting).toHaveLength(1));
    const stopped = server.close();
    await expect(server.get('/readyz')).rejects.toThrow(/fetch failed/);
    letAllGo();
    const response = await begun;
    expect([response.status, response.headers.get('connection')]).toEqual([200, 'close']);
    await stopped;
  });

  test('aborts requests that exceed the grace period', async () => {
    const server = await openServer(folder, { pipeline, limits: { grace: 50 } });
    const begun = server.post('/v1/rank', waits);
    await eventually(() => expect(waiting).toHaveLength(1));
    await server.close();
    expect(await problemOf(await begun)).toEqual([503, 'ASZ594']);
    expect(waiting.splice(0)[0]?.signal.aborted).toBe(true);
  });
});

test('a limit that is undefined has its default', () => {
  expect(checkServeOptions({ limits: { time: undefined } as object }).app.limits).toEqual(DEFAULT_LIMITS);
});

test('a profile that is removed during a request answers, and its shadow reports nothing', async () => {
  const own = profileFolder({
    'live.yaml': 'serve: { shadow: other }\ntier2_scorers: [{ id: waits, class: Waits }]',
    'other.yaml': scoring('1.0'),
  });
  const server = await openServer(own, { pipeline });
  const unheard: unknown[] = [];
  const hear = (reason: unknown): void => void unheard.push(reason);
  process.on('unhandledRejection', hear);
  onTestFinished(() => void process.off('unhandledRejection', hear));
  const response = server.post('/v1/rank', { profile: 'live', candidates });
  await eventually(() => expect(waiting).toHaveLength(1));
  own.remove('live.yaml');
  await eventually(async () => {
    await server.profiles.refresh();
    expect(server.profiles.has('live')).toBe(false);
  });
  letAllGo();
  expect((await response).status).toBe(200);
  await pause(10);
  expect(unheard).toEqual([]);
});

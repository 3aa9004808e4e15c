import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAdaptorServer } from '@hono/node-server';
import { startServer } from '@assize/serve';
import { Hono } from 'hono';
import { measure } from '../measure.js';
import { random } from '../random.js';
import type { Result } from '../result.js';
import type { Effort, Section } from '../section.js';

/** The number of candidates per request, and of requests per pass. */
const SIZES = [
  { size: 10, requests: 400 },
  { size: 100, requests: 200 },
  { size: 1000, requests: 40 },
];
const CLIENTS = 8;

const PROFILE = `
tier1_scorers: [{ id: unavailable, expr: '!candidate.available' }, { id: long, expr: candidate.tokens > 4000 }]
tier2_scorers:
  - { id: popularity, expr: 'min(candidate.stars / 1000, 1)', weight: 3 }
  - { id: size, expr: '1 - candidate.tokens / 5000', weight: 1 }
  - { id: fresh, class: DecayScorer, weight: 2, params: { field: age, curve: { type: exponential, half_life: 14d } } }
select: { top: 10 }
`;

const next = random(7);
const candidatesOf = (size: number) =>
  Array.from({ length: size }, (_, k) => ({
    id: `item-${k}`,
    stars: Math.floor(next() * 2000),
    tokens: Math.floor(next() * 5000),
    available: next() > 0.1,
    age: Date.now() - Math.floor(next() * 60 * 86_400_000),
    title: `Item number ${k}`,
  }));
const bodyOf = (size: number): string => JSON.stringify({ profile: 'items', candidates: candidatesOf(size) });

/** Posts the request, and returns the answer. */
const post = (port: number, agent: Agent, body: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    request({ port, host: '127.0.0.1', path: '/v1/rank', method: 'POST', agent, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => (text += part));
      response.on('end', () => resolve(text));
    })
      .on('error', reject)
      .end(body);
  });

/** A handler of the same framework that reads the same request and sends the same text, and does nothing else. */
async function bareServer(answer: string): Promise<{ readonly port: number; close(): void }> {
  const app = new Hono().post('/v1/rank', async ({ req }) => {
    const given: unknown = await req.json();
    return new Response(given === null ? '' : answer, { headers: { 'content-type': 'application/json' } });
  });
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as Server;
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return { port, close: () => void server.close() };
}

/** Requests of one size, to both. */
async function* oneSize(
  size: number,
  per: number,
  { port, agent, effort }: { readonly port: number; readonly agent: Agent; readonly effort: Effort },
): AsyncGenerator<Result> {
  const body = bodyOf(size);
  const answer = await post(port, agent, body);
  const bare = await bareServer(answer);
  try {
    if (!answer.includes('"selected":[{"rank":1,')) throw new Error(`the server answers otherwise: ${answer}`);
    if ((await post(bare.port, agent, body)) !== answer) throw new Error('the bare handler answers otherwise');
    const all = (to: number) => () => Promise.all(Array.from({ length: per }, () => post(to, agent, body)));
    const subjects = [
      { name: 'a bare handler', per, pass: all(bare.port) },
      { name: 'assize serve', per, pass: all(port) },
    ];
    // A real server has answered thousands of requests before a measurement.
    for (let k = 0; k < effort.of(10); k++) for (const { pass } of subjects) await pass(); // oxlint-disable-line no-await-in-loop
    const times = await measure(subjects, effort);
    const work = `POST of ${size} candidates`;
    yield times.result(work, 'a bare handler', 'request');
    yield times.result(work, 'assize serve', 'request', 'a bare handler');
  } finally {
    bare.close();
  }
}

export const serve: Section = {
  name: 'serve',
  title: 'A ranking over HTTP',
  about: `A POST of candidates of six fields to assize serve, which ranks them by two vetoes and three scorers, compared with a handler
of the same framework that parses the same body and returns the same text. ${CLIENTS} clients of the same process send one request after
another, so that their own time is in both.`,
  packages: ['hono', '@hono/node-server'],
  async *run(effort) {
    const folder = mkdtempSync(join(tmpdir(), 'assize-bench-'));
    writeFileSync(join(folder, 'items.yaml'), PROFILE);
    const server = await startServer({ profiles: folder, port: 0 });
    const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
    try {
      for (const { size, requests } of SIZES)
        yield* oneSize(size, effort.of(requests), { port: server.port, agent, effort }); // oxlint-disable-line no-await-in-loop
    } finally {
      agent.destroy();
      await server.close();
      rmSync(folder, { recursive: true });
    }
  },
};

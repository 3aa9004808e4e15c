import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { beforeEach, describe, expect, test } from 'vitest';
import type { RunMessage } from 'assize';
import { followWork, instrument } from '@assize/serve/telemetry';
import { isBuilt } from '../../../../test/scale/threads/folder.js';
import { openServer, type TestServer } from './open-server.js';
import { profileFolder } from './profile-folder.js';

const folder = profileFolder({
  'shop.yaml': `
tier1_scorers: [{ id: gone, expr: candidate.price > 90 }]
tier2_scorers: [{ id: price, expr: '1 - candidate.price / 100', on_error: 0 }]`,
  'words.yaml': `
tier1_scorers: [{ id: gone, expr: candidate.price > 90 }]
tier2_scorers: [{ id: words, class: BM25Scorer, params: { fields: text, query: query } }]`,
  'fails.yaml': "tier2_scorers: [{ id: half, expr: '1 / int(candidate.price)', on_error: fail }]",
});
const candidates = [
  { id: 'lamp', price: 40, text: 'a red lamp' },
  { id: 'sofa', price: 95, text: 'a sofa' },
  { id: 'desk', price: 'none', text: 'a desk' },
];
const context = { query: 'lamp' };
/** Candidates, refused and failures: the sofa is too expensive, and the price of the desk is unknown. */
const SHOP = [3, 2, 1];
const lines = [{ profile: 'shop' }, ...candidates].map((line) => JSON.stringify(line)).join('\n');

/** Candidates, refused and failures of a profile, from the server's metrics. */
async function countsOf(server: TestServer, profile: string): Promise<readonly number[]> {
  const text = await (await server.get('/metrics')).text();
  return ['candidates', 'refused', 'degraded'].map((name) =>
    Number(new RegExp(`assize_${name}_total\\{profile="${profile}"\\} (\\d+)`).exec(text)?.[1]),
  );
}

/** The metrics of requests, one after another. */
async function countsByRequest(server: TestServer): Promise<readonly (readonly number[])[]> {
  const requests: readonly (readonly [string, object])[] = [
    ['/v1/rank', {}],
    ['/v1/score', {}],
    ['/v1/explain', { candidate: 'nobody' }], // an error, after the run
  ];
  const all = [[0, 0, 0] as readonly number[]];
  // oxlint-disable no-await-in-loop -- one after another
  for (const [path, more] of requests) {
    await (await server.post(path, { profile: 'shop', candidates, ...more })).text();
    all.push(await countsOf(server, 'shop'));
  }
  // oxlint-enable no-await-in-loop
  return all.slice(1).map((counts, k) => counts.map((count, which) => count - all[k]![which]!));
}

describe('the metrics of a server', () => {
  test('are the same for each route', async () => {
    expect(await countsByRequest(await openServer(folder, { threads: 0 }))).toEqual([SHOP, SHOP, SHOP]);
  });

  test('include the rows of JSON Lines', async () => {
    const server = await openServer(folder, { threads: 0 });
    const headers = { 'content-type': 'application/x-ndjson' };
    const response = await server.post('/v1/score', lines, { headers });
    expect((await response.text()).trim().split('\n')).toHaveLength(4);
    expect(await countsOf(server, 'shop')).toEqual(SHOP);
  });

  test.skipIf(!isBuilt)('are the same for requests in threads (needs a build)', async () => {
    const server = await openServer(folder, { threads: 1, limits: { large: 1 } });
    expect(await countsByRequest(server)).toEqual([SHOP, SHOP, SHOP]);
  });
});

describe.skipIf(!isBuilt)("work of a thread is published in the server's process (needs a build)", () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await openServer(folder, { threads: 1, limits: { large: 1 } });
  });
  const rank = (profile: string) => server.post('/v1/rank', { profile, candidates: candidates.slice(0, 2), context });

  test('as nested spans, with the real times', async () => {
    const exporter = new InMemorySpanExporter();
    const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
    const stop = await instrument({ tracerProvider });
    expect((await rank('words')).status).toBe(200);
    stop();
    const spans = new Map(exporter.getFinishedSpans().map((span) => [span.name, span]));
    expect([...spans.keys()]).toEqual(['veto', 'prepare words', 'score', 'select', 'rank words']);
    const of = (name: string): ReadableSpan => spans.get(name)!;
    for (const [inner, outer] of [
      ['prepare words', 'score'],
      ['score', 'rank words'],
    ] as const) {
      expect(of(inner).parentSpanContext?.spanId).toBe(of(outer).spanContext().spanId);
      expect(milliseconds(of(inner).startTime) + ROUNDING_MS).toBeGreaterThanOrEqual(milliseconds(of(outer).startTime));
      expect(milliseconds(of(inner).endTime)).toBeLessThanOrEqual(milliseconds(of(outer).endTime) + ROUNDING_MS);
    }
    expect(milliseconds(of('rank words').startTime)).toBeGreaterThan(1e12); // since 1970, as OpenTelemetry counts
    expect(of('rank words').attributes).toMatchObject({ 'assize.candidates': 2, 'assize.refused': 1 });
  });

  test('with its duration, and the error of a failure; and not at all without subscribers', async () => {
    const runs: (readonly [RunMessage, number])[] = [];
    const stop = followWork('run', { end: (message, took) => void runs.push([message, took]) });
    expect((await rank('words')).status).toBe(200);
    expect((await server.post('/v1/rank', { profile: 'fails', candidates: [{ price: 0 }] })).status).toBe(500);
    stop();
    await rank('words');
    expect(runs.map(([{ profile, call, error }]) => [profile, call, error])).toEqual([
      ['words', 'rank', undefined],
      ['fails', 'rank', expect.objectContaining({ problems: [expect.objectContaining({ code: 'ASZ501' })] })],
    ]);
    for (const [{ elsewhere }, took] of runs) expect(elsewhere?.milliseconds).toBe(took);
  });
});

/** The rounding of milliseconds since 1970, after several conversions. */
const ROUNDING_MS = 0.001;

const milliseconds = ([seconds, nanoseconds]: readonly [number, number]): number => seconds * 1e3 + nanoseconds / 1e6;

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { packageRoot } from '../../../../src/base/package-root.js';
import type { ServeOptions } from '@assize/serve';
import { isBuilt } from '../../../../test/scale/threads/folder.js';
import { openServer, problemOf, type TestServer } from './open-server.js';
import { inEnoughTime } from '../../../../test/enough-time.js';
import { eventually } from '../../../../test/eventually.js';
import { profileFolder } from './profile-folder.js';

const SDK = pathToFileURL(join(packageRoot(), 'dist', 'bundle', 'sdk.js')).href;

/** 1 in a thread, 0 in the server's; and what a scorer must not do. */
const PLUGIN = `
import { isMainThread } from 'node:worker_threads';
import { scorer } from '${SDK}';
export const Where = scorer(() => (isMainThread ? 0 : 1));
export const Loops = scorer(({ loops }) => { while (loops); return 1; });
export const Exits = scorer(({ exits }) => { if (exits) process.exit(7); return 1; });
`;

const folder = profileFolder({
  'plugin.ts': PLUGIN,
  'where.yaml': 'plugins: [./plugin.ts]\ntier2_scorers: [{ id: where, class: Where }]',
  'seen.yaml': `plugins: [./plugin.ts]
tier2_scorers:
  - { id: where, class: Where }
  - { id: novelty, class: NoveltyScorer, params: { vector: vector }, on_absent: 0 }`,
  'similar.yaml': `plugins: [./plugin.ts]
measures: [{ id: near, class: SemanticSimilarityScorer, params: { text: text, embedder: lexical } }]
tier2_scorers: [{ id: where, class: Where }]`,
  'shadowed.yaml': 'serve: { shadow: where }\nplugins: [./plugin.ts]\ntier2_scorers: [{ id: where, class: Where }]',
  'loops.yaml': 'plugins: [./plugin.ts]\ntier2_scorers: [{ id: loops, class: Loops }]',
  'exits.yaml': 'plugins: [./plugin.ts]\ntier2_scorers: [{ id: exits, class: Exits }]',
  'shop.yaml': `
plugins: [cupel]
candidate: { pinned: candidate.?keep.orValue(false) }
tier1_scorers: [{ id: gone, expr: candidate.price > 90 }]
tier2_scorers:
  - { id: price, expr: 1 - candidate.price / 100, weight: 2 }
  - { id: words, class: BM25Scorer, params: { fields: text, query: query } }
select: { top: 5, pack: { cost: candidate.price, budget: 200, class: GreedyPack } }`,
});

/** Every request is large. */
const open = (options: ServeOptions = {}): Promise<TestServer> =>
  openServer(folder, { ...options, threads: 1, limits: { large: 1, ...options.limits } });

const scoreOf = async (server: TestServer, profile: string, candidate: object = {}): Promise<unknown> => {
  const response = await server.post('/v1/rank', { profile, candidates: [{ id: 'a', ...candidate }] });
  if (response.status !== 200) return problemOf(response);
  return ((await response.json()) as { selected: { score: number }[] }).selected[0]?.score;
};

describe.skipIf(!isBuilt)('large requests are answered in threads (needs a build)', () => {
  let server: TestServer;
  let here: TestServer;
  beforeAll(async () => {
    server = await open({ inline: true });
    here = await openServer(folder, { threads: 0, inline: true });
  });

  test('if their profile depends on nothing else in this process', async () => {
    expect(await scoreOf(server, 'where')).toBe(1);
    expect(await scoreOf(here, 'where')).toBe(0);
    expect(await scoreOf(server, 'seen')).toBe(0); // a memory
    expect(await scoreOf(server, 'shadowed')).toBe(0);
    expect(await scoreOf(server, 'similar')).toBe(0); // a service
    const small = await openServer(folder, { threads: 1 });
    expect(await scoreOf(small, 'where')).toBe(0);
  });

  const shop = fc.record(
    {
      id: fc.string({ maxLength: 3 }),
      price: fc.oneof(fc.double({ min: 0, max: 100 }), fc.constant('none')),
      text: fc.constantFrom('a red lamp', 'lamp', 'ünïcödé 💡', ''),
      keep: fc.boolean(),
    },
    { requiredKeys: ['price', 'text'] },
  );
  const include = ['terms', 'candidates', 'ranked', 'not_selected', 'explanations', 'warnings'];
  const own = { tier2_scorers: [{ id: 'price', expr: 'candidate.price' }] };

  test('with the same answer to the bit, for all options and mistakes', async () => {
    const answers = (path: string, body: object) =>
      Promise.all(
        [server, here].map(async (one) => {
          const response = await one.post(path, body);
          const text = (await response.text()).replace(/"id":"[\da-f]{8}-[^"]*"/, '');
          return [response.status, response.headers.get('content-type'), text];
        }),
      );
    const statuses = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.array(shop, { maxLength: 12 }), async (candidates) => {
        const call = { profile: 'shop', candidates, context: { query: 'lamp', now: 0 } };
        const requests: readonly [string, object][] = [
          ['/v1/rank', { ...call, include, offset: 1 }],
          ['/v1/rank', { ...call, profile: own, include }],
          ['/v1/score', { ...call, include: ['terms', 'candidates'] }],
          ['/v1/pack', { ...call, budget: 100 }],
          ['/v1/explain', { ...call, candidate: { index: 0 }, format: 'text' }],
          ['/v1/compare', { ...call, a: { index: 0 }, b: { index: 1 } }],
          ['/v1/rerank', { model: 'shop', query: 'lamp', documents: candidates, top_n: 2, return_documents: true }],
          ['/v1/rank', { ...call, weights: { prcie: 1 } }],
          ['/v1/rank', { ...call, profile: 'none' }],
          ['/v1/rank', { ...call, wieghts: 1 }],
        ];
        for (const [path, body] of requests) {
          const [there, same] = await answers(path, body); // oxlint-disable-line no-await-in-loop -- one after another
          expect(there).toEqual(same);
          statuses.add(`${path} ${there?.[0]}`);
        }
      }),
      { numRuns: 15 },
    );
    const paths = ['rank', 'score', 'pack', 'explain', 'compare', 'rerank'].map((name) => `/v1/${name} 200`);
    expect([...statuses]).toEqual(expect.arrayContaining([...paths, '/v1/rank 404', '/v1/rank 400']));
  });

  test('and are counted like others', async () => {
    const text = await (await server.get('/metrics')).text();
    expect(text).toMatch(/assize_candidates_total\{profile="where"\} 1/);
  });
});

describe.skipIf(!isBuilt)('a failure of a thread affects only its request (needs a build)', () => {
  test('an unresponsive one is terminated after the time limit', async () => {
    const server = await inEnoughTime(async (time) => {
      const one = await open({ limits: { time } });
      return (await scoreOf(one, 'loops')) === 1 ? one : undefined;
    }, 1000);
    expect(await scoreOf(server, 'loops', { loops: true })).toEqual([503, 'ASZ595']);
    expect((await server.get('/healthz')).status).toBe(200);
    await eventually(async () => expect(await scoreOf(server, 'loops')).toBe(1));
  });

  test('one that exits is replaced', async () => {
    const server = await open();
    expect(await scoreOf(server, 'exits', { exits: true })).toEqual([500, 'ASZ519']);
    expect(await scoreOf(server, 'exits')).toBe(1);
    expect(server.log.filter(({ level }) => level === 'error')).toMatchObject([
      { message: 'error ASZ519 the thread of the request ended: worker exited with code: 7' },
    ]);
  });

  test('a client that disconnects gives its thread to the next', async () => {
    const server = await open();
    const client = new AbortController();
    const body = { profile: 'loops', candidates: [{ loops: true }] };
    const gone = server.post('/v1/rank', body, { signal: client.signal }).catch(() => 'gone');
    await eventually(async () =>
      expect(await (await server.get('/metrics')).text()).toContain('assize_requests_running 1'),
    );
    client.abort();
    expect([await gone, await scoreOf(server, 'where')]).toEqual(['gone', 1]);
  });

  test('a stopping server terminates it after the grace period', async () => {
    const server = await open({ limits: { grace: 50 } });
    const begun = server.post('/v1/rank', { profile: 'loops', candidates: [{ loops: true }] });
    await eventually(async () =>
      expect(await (await server.get('/metrics')).text()).toContain('assize_requests_running 1'),
    );
    await server.close();
    expect(await problemOf(await begun)).toEqual([503, 'ASZ594']);
  });
});

describe.skipIf(!isBuilt)('a changed profile (needs a build)', () => {
  const version = (n: number): string => `
tier1_scorers: [{ id: veto, expr: 'candidate.id == "v"', reason: '${n}' }]
tier2_scorers: [{ id: one, expr: '${n}.0' }, { id: two, expr: '${n}.0 + 0.0' }]
`;

  test('is never older in a thread, and no answer is of two versions', async () => {
    folder.write('p.yaml', version(0));
    const server = await open();
    const request = { profile: 'p', candidates: [{ id: 'a' }, { id: 'v' }], include: ['terms'] };
    const seenBy = async (): Promise<number> => {
      const { selected, refused } = (await (await server.post('/v1/rank', request)).json()) as {
        readonly selected: readonly { readonly score: number; readonly scores: Readonly<Record<string, number>> }[];
        readonly refused: readonly { readonly reason: string }[];
      };
      const { score, scores } = selected[0]!;
      const numbers = new Set([score, ...Object.values(scores), Number(refused[0]?.reason)]);
      expect(numbers.size).toBe(1);
      return score;
    };
    for (const n of [1, 2, 3, 4]) {
      folder.replace('p.yaml', n === 3 ? 'wieght: 1' : version(n));
      // oxlint-disable-next-line no-await-in-loop -- one after another
      await Promise.all(Array.from({ length: 20 }, seenBy));
      if (n === 3) continue;
      await eventually(async () => expect(await seenBy()).toBe(n)); // oxlint-disable-line no-await-in-loop
    }
  });
});

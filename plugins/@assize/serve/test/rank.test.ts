import { getRequestListener } from '@hono/node-server';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createPipeline } from 'assize';
import { rankingJson } from '../../../../src/ranking/ranking-json.js';
import { openServer, problemOf, type TestServer } from './open-server.js';
import { profileFolder } from './profile-folder.js';

const SHOP = `
description: What the shop shows.
context: { country: { type: string, required: true } }
tier1_scorers: [{ id: not_sold_here, expr: '!(context.country in candidate.countries)' }]
tier2_scorers:
  - { id: rating, expr: candidate.rating / 5, weight: 2 }
  - { id: price, expr: '1 - min(candidate.price / 100, 1)', weight: 1 }
`;
const folder = profileFolder({
  'shop.yaml': SHOP,
  'broken.yaml': 'wieght: 1',
  'bag.yaml': `plugins: [cupel]
tier2_scorers: [{ id: value, expr: candidate.value }]
select: { pack: { cost: candidate.size, budget: 10, class: GreedyPack } }`,
  'relative.yaml': `tier2_scorers: [{ id: rank, class: BM25Scorer, params: { fields: text } }]`,
});
const candidates = [
  { id: 'lamp', rating: 4.5, price: 80, countries: ['DE', 'FR'] },
  { id: 'desk', rating: 2.5, price: 10, countries: ['DE'] },
  { id: 'sofa', rating: 5, price: 500, countries: ['FR'] },
];
const context = { country: 'DE', now: '2026-06-01' };

let server: TestServer;
beforeAll(async () => {
  server = await openServer(folder);
});

describe('a request that is wrong in a common way', () => {
  const problemsOf = async (body: unknown, type = 'application/json') => {
    const response = await server.post('/v1/rank', body, { headers: { 'content-type': type } });
    const { detail, problems = [] } = (await response.json()) as { detail: string; problems?: { hint?: string }[] };
    return [detail, ...problems.map(({ hint }) => hint)];
  };

  test.each([
    ['now', 1, 'unknown key now', 'it is part of the context: { "context": { "now": "2026-06-01" } }'],
    ['limit', 1, 'unknown key limit', 'the number of candidates to select is called top'],
    ['documents', [], 'unknown key documents', 'objects are called candidates; POST /v1/rerank accepts documents'],
    ['top', -1, 'top: expected a number of at least 0, found the number -1', undefined],
  ])('%s: %j', async (key, value, detail, hint) => {
    expect(await problemsOf({ profile: 'shop', candidates, context, [key]: value })).toEqual([detail, hint]);
  });

  test('candidates are missing, not a list, a list without a request, or CSV', async () => {
    expect(await problemsOf({ profile: 'shop', context })).toEqual([
      'no candidates were given, and profile shop has no strategies to make any',
      'pass candidates: a list of objects',
    ]);
    expect(await problemsOf({ profile: 'shop', candidates: {}, context })).toEqual([
      'candidates: expected a list of objects',
      undefined,
    ]);
    expect(await problemsOf(candidates)).toEqual([
      'expected a map, found a list',
      'send the list as candidates: { "profile": "shop", "candidates": [{ "id": "a" }] }',
    ]);
    expect(await problemsOf('id\na\n', 'text/csv')).toEqual([
      'the content-type is text/csv; expected application/json or application/x-ndjson',
      'send each row as an object: { "profile": "shop", "candidates": [{ "id": "a" }] }; assize rank reads CSV files',
    ]);
  });
});

describe('POST /v1/rank', () => {
  test('answers a ranking, without optional parts that are not requested', async () => {
    const response = await server.post('/v1/rank', { profile: 'shop', candidates, context });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
    const { counts, selected, refused, ...rest } = (await response.json()) as Record<string, unknown>;
    expect(counts).toEqual({ ranked: 2, selected: 2, not_selected: 0, refused: 1 });
    expect(selected).toMatchObject([{ rank: 1, id: 'lamp', index: 0 }, { id: 'desk' }]);
    expect(refused).toEqual([{ id: 'sofa', index: 2, kind: 'veto', by: 'not_sold_here', reason: expect.any(String) }]);
    expect(Object.keys(rest)).toEqual(['profile', 'weights', 'report', 'degraded']);
  });

  test('with all options: equals `assize rank --format json`, with weights and a page', async () => {
    const pipeline = await createPipeline<object>(`${folder.path}/shop.yaml`);
    const options = { weights: { price: 9 }, top: 1, offset: 1 };
    const ranking = await pipeline.rank(candidates, context, { ...options, minScore: 0 });
    const include = ['terms', 'candidates', 'ranked', 'not_selected', 'warnings', 'explanations'];
    const response = await server.post('/v1/rank', {
      profile: 'shop',
      candidates,
      context,
      include,
      ...options,
      min_score: 0,
    });
    const { explanations, ...rest } = (await response.json()) as Record<string, unknown>;
    expect(rest).toEqual(JSON.parse(JSON.stringify(rankingJson(ranking, { candidates: true, ranked: true }))));
    expect(explanations).toEqual(JSON.parse(JSON.stringify([ranking.explain('lamp')])));
  });

  test('in lines: the selected, then the rest', async () => {
    const body = [{ profile: 'shop', context }, ...candidates].map((one) => JSON.stringify(one)).join('\n');
    const headers = { 'content-type': 'application/x-ndjson', accept: 'application/x-ndjson' };
    const response = await server.post('/v1/rank', body, { headers });
    expect(response.headers.get('content-type')).toBe('application/x-ndjson');
    const lines = (await response.text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([{ id: 'lamp' }, { id: 'desk' }, { summary: { counts: { refused: 1 } } }]);
  });

  test.each([
    ['invalid JSON', '{"profile": shop}', 400, 'ASZ590'],
    ['nothing', '', 400, 'ASZ590'],
    ['a value that is not an object', '[]', 400, 'ASZ590'],
    ['no profile', { candidates }, 400, 'ASZ590'],
    ['an unknown profile', { profile: 'shpo', candidates }, 404, 'ASZ591'],
    ['a path', { profile: '../shop', candidates }, 404, 'ASZ591'],
    ['an inline profile', { profile: { tier2_scorers: [] }, candidates }, 400, 'ASZ590'],
    ['a broken profile', { profile: 'broken', candidates }, 503, 'ASZ596'],
    ['an unknown key', { profile: 'shop', candidates, context, wieghts: {} }, 400, 'ASZ590'],
    ['candidates that are not a list', { profile: 'shop', candidates: {}, context }, 400, 'ASZ590'],
    ['an invalid candidate', { profile: 'shop', candidates: [1], context }, 400, 'ASZ502'],
    ['a context that is not declared so', { profile: 'shop', candidates }, 400, 'ASZ104'],
    ['an unknown weight', { profile: 'shop', candidates, context, weights: { prcie: 1 } }, 400, 'ASZ534'],
    ['a weight that is not a number', { profile: 'shop', candidates, context, weights: { price: 'a' } }, 400, 'ASZ590'],
    ['a negative top', { profile: 'shop', candidates, context, top: -1 }, 400, 'ASZ590'],
    ['a prototype', '{"profile":"shop","candidates":[],"__proto__":{"context":{"country":"DE"}}}', 400, 'ASZ590'],
  ])('rejects %s', async (_, body, status, code) => {
    const response = await server.post('/v1/rank', body);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(await problemOf(response)).toEqual([status, code]);
  });

  test('a problem has its place, a hint, and its fault', async () => {
    const json = async (body: unknown): Promise<unknown> => (await server.post('/v1/rank', body)).json();
    expect(await json('{"profile": "shop",\n "candidates": [}')).toMatchObject({
      title: 'Bad Request',
      fault: 'caller',
      problems: [{ code: 'ASZ590', place: { file: 'body', line: 2 } }],
    });
    const weights = { prcie: 1 };
    expect(await json({ profile: 'shop', candidates, context, weights })).toMatchObject({
      code: 'ASZ534',
      fault: 'caller',
      problems: [{ hint: 'did you mean price?' }],
    });
    expect(await json({ profile: 'shpo' })).toMatchObject({ problems: [{ hint: 'did you mean shop?' }] });
    expect(await json({ profile: 'broken' })).toMatchObject({ fault: 'profile' });
  });

  test('keys of prototypes in candidates and context are ordinary data', async () => {
    const hostile = '{"id":"x","rating":1,"price":1,"countries":["DE"],"__proto__":{"rating":5},"constructor":1}';
    const body = `{"profile":"shop","context":{"country":"DE","__proto__":{"country":"FR"}},"candidates":[${hostile}]}`;
    const response = await server.post('/v1/rank', body);
    expect(await response.json()).toMatchObject({ selected: [{ id: 'x' }] });
    expect(Object.hasOwn(Object.prototype, 'rating')).toBe(false);
  });
});

test('ranks by a profile in a request if the server allows it, and it reaches nothing', async () => {
  const inline = await openServer(folder, { inline: true });
  const rank = async (profile: unknown) => inline.post('/v1/rank', { profile, candidates });
  const own = { tier2_scorers: [{ id: 'cheap', expr: '-candidate.price' }] };
  expect(await (await rank(own)).json()).toMatchObject({ selected: [{ id: 'desk' }, { id: 'lamp' }, { id: 'sofa' }] });
  const text = { yaml: 'tier2_scorers: [{ id: cheap, expr: -candidate.price }]', name: 'mine' };
  expect(await (await rank(text)).json()).toMatchObject({ profile: 'mine', selected: [{ id: 'desk' }, {}, {}] });
  for (const [hostile, code] of [
    [{ plugins: ['./x.js'] }, 'ASZ111'],
    [{ extends: ['/etc/passwd.yaml'] }, 'ASZ111'],
    [{ tier2_scorers: [{ id: 'x', wieght: 1, expr: '1.0' }] }, 'ASZ201'],
  ] as const) {
    expect(await problemOf(await rank(hostile))).toEqual([400, code]); // oxlint-disable-line no-await-in-loop
  }
});

describe('the other routes', () => {
  test('POST /v1/score answers rows in the order of the candidates', async () => {
    const response = await server.post('/v1/score', { profile: 'shop', candidates, context, include: ['terms'] });
    const { rows } = (await response.json()) as { rows: { id: string; scores?: object }[] };
    expect(rows.map(({ id }) => id)).toEqual(['lamp', 'desk', 'sofa']);
    expect(rows[0]?.scores).toEqual({ rating: 0.9, price: expect.closeTo(0.2) });
  });

  test('POST /v1/pack fills a budget', async () => {
    const items = [6, 5, 4].map((size, k) => ({ id: `i${k}`, size, value: 1 - k / 10 }));
    const response = await server.post('/v1/pack', { profile: 'bag', candidates: items, budget: 10 });
    expect(await response.json()).toMatchObject({ selected: [{ id: 'i1' }, { id: 'i2' }], budget: { used: 9 } });
    expect(await problemOf(await server.post('/v1/pack', { profile: 'shop', candidates, context, budget: 1 }))).toEqual(
      [400, 'ASZ513'],
    );
  });

  test('POST /v1/explain answers the explanation, as a tree and as text', async () => {
    const request = { profile: 'shop', candidates, context, candidate: 'sofa' };
    expect(await (await server.post('/v1/explain', request)).json()).toMatchObject({ id: 'sofa' });
    const text = (await (await server.post('/v1/explain', { ...request, format: 'text' })).json()) as { text: string };
    expect(text.text).toContain('not_sold_here');
    expect(await problemOf(await server.post('/v1/explain', { ...request, candidate: 'safo' }))).toEqual([
      400,
      'ASZ504',
    ]);
  });

  test('POST /v1/compare answers the decision', async () => {
    const response = await server.post('/v1/compare', {
      profile: 'shop',
      candidates,
      context,
      a: 'lamp',
      b: { index: 1 },
    });
    expect(await response.json()).toMatchObject({
      a: { id: 'lamp' },
      b: { id: 'desk' },
      difference: expect.any(Number),
    });
  });

  test('GET /v1/profiles, /healthz and /readyz', async () => {
    expect(await (await server.get('/v1/profiles')).json()).toMatchObject({
      profiles: [
        { name: 'bag', answers: true },
        { name: 'broken', answers: false, problems: [{ code: 'ASZ201' }] },
        { name: 'relative' },
        { name: 'shop', description: 'What the shop shows.', entries: { scorers: ['rating', 'price'] } },
      ],
    });
    expect((await server.get('/healthz')).status).toBe(200);
    const ready = await server.get('/readyz');
    expect(ready.status).toBe(200);
    expect(await ready.json()).toMatchObject({ status: 'degraded', answering: 3, broken: [{ name: 'broken' }] });
  });

  test('works in a program whose Request and Response are those of Hono', async () => {
    const own = { Request: globalThis.Request, Response: globalThis.Response };
    const failed = vi.spyOn(console, 'error');
    onTestFinished(() => {
      failed.mockRestore();
      for (const [name, value] of Object.entries(own)) Object.defineProperty(globalThis, name, { value });
    });
    for (const overrideGlobalObjects of [false, true]) {
      getRequestListener(() => new Response(), { overrideGlobalObjects });
      for (const method of ['GET', 'HEAD', 'OPTIONS']) {
        const { status } = await fetch(`${server.url}/healthz`, { method }); // oxlint-disable-line no-await-in-loop -- one after another
        expect([method, status]).toEqual([method, method === 'OPTIONS' ? 204 : 200]);
      }
      const ranked = await server.post('/v1/rank', { profile: 'shop', candidates, context }); // oxlint-disable-line no-await-in-loop
      expect(await ranked.json()).toMatchObject({ profile: 'shop' }); // oxlint-disable-line no-await-in-loop
    }
    expect(failed).not.toHaveBeenCalled();
  });

  test('unknown routes', async () => {
    expect(await problemOf(await server.get('/'))).toEqual([404, 'ASZ591']);
    expect(await problemOf(await server.get('/v1/rank'))).toEqual([405, 'ASZ591']);
    const posted = await server.post('/healthz', {});
    expect([await problemOf(posted), posted.headers.get('allow')]).toEqual([[405, 'ASZ591'], 'GET, HEAD']);
    expect((await fetch(`${server.url}/healthz`, { method: 'HEAD' })).status).toBe(200);
  });

  test('GET /metrics counts requests, candidates and profiles', async () => {
    const text = await (await server.get('/metrics')).text();
    expect(text).toMatch(/assize_http_requests_total\{route="\/v1\/rank",status="400"\} \d+/);
    expect(text).toMatch(/assize_candidates_total\{profile="shop"\} \d+/);
    expect(text).toContain('assize_profile_current{profile="broken"} 0');
    expect(text).toContain('process_cpu_seconds_total');
    expect(text).not.toContain('lamp');
  });
});

test.each(['shop', 'relative'])('rejects POST /v1/score by %s without candidates', async (profile) => {
  const response = await server.post('/v1/score', { profile, context });
  expect(await problemOf(response)).toEqual([400, 'ASZ502']);
  expect((await server.post('/v1/score', { profile, context, candidates: [] })).status).toBe(200);
});

/* RerankerScorer with a server that answers, lies, is slow, refuses, answers half, repeats, or sends without end. */
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createPipeline, type ProfileInput } from 'assize';
import { RERANKERS, type Rerankers } from 'assize/sdk';
import { honest, json, type Reply, rerankServer, results, scoreOf } from './rerank-server.js';

const items = [3, 9, 1, 5].map((n) => ({ id: `t${n}`, text: `text ${n}`, base: 0.5 }));
const context = { query: 'which text?' };

const profileOf = (params: object, entry: object = {}, rest: object = {}): ProfileInput => ({
  plugins: ['rerank'],
  tier2_scorers: [
    { id: 'base', expr: 'clamp(candidate.base, 0, 1)' },
    {
      id: 'model',
      class: 'RerankerScorer',
      params: { text: 'text', backoff: '1ms', timeout: '5m', parallel: 1, ...params },
      on_error: 'skip',
      ...entry,
    },
  ],
  ...rest,
});

const reply =
  (status: number, body = '', headers: Record<string, string> = {}): Reply =>
  (response) =>
    void response.writeHead(status, headers).end(body);

const list = (...made: readonly unknown[]): Reply => json(() => ({ results: made }));
const hangUp: Reply = (response) => void response.destroy();
const halfABody: Reply = (response) => {
  response.writeHead(200, { 'content-length': '1000' });
  response.write('{"results":[');
  setTimeout(() => response.destroy(), 5);
};
const silence: Reply = () => {};
const endlessly: Reply = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('[');
  const chunk = '0,'.repeat(50_000);
  for (let sent = 0; sent < 10_000_000; sent += chunk.length) response.write(chunk);
  response.end('0]');
};

/** The scores of the model by id, with the failures that a run reports. */
async function rank(profile: ProfileInput, candidates: readonly object[] = items) {
  const pipeline = await createPipeline(profile);
  const ranking = await pipeline.rank(candidates, context);
  const scores = Object.fromEntries(
    ranking.ranked.map(({ id, index }) => [id, ranking.terms({ index })!.scores['model']]),
  );
  return { ranking, scores, failures: ranking.degraded.filter(({ entry }) => entry === 'model') };
}

describe('the answers of endpoints', () => {
  const all = { t3: 0.3, t9: 0.9, t1: 0.1, t5: 0.5 };
  const bare = (texts: readonly string[]) => texts.map((text, index) => ({ index, score: scoreOf(text) }));

  test.each<[string, Reply, object]>([
    ['Cohere, vLLM: results', honest, {}],
    [
      'Jina: results with their documents',
      json((texts) => ({
        model: 'm',
        usage: {},
        results: results(texts).map((one) => ({ ...one, document: { text: 'x' } })),
      })),
      {},
    ],
    ['Voyage: data', json((texts) => ({ object: 'list', data: results(texts) })), {}],
    ['text-embeddings-inference: a list, of texts', json(bare), { documents: 'texts' }],
    ['one call a candidate', honest, { batch: 1 }],
    ['three of a call', honest, { batch: 3 }],
    ['a timeout beyond any timer', honest, { timeout: '60d' }],
    ['a timeout of a fraction', honest, { timeout: 299_999.5 }],
    ['several calls at once', honest, { batch: 1, parallel: 4 }],
    ['busy, and then not', honest, { first: reply(503) }],
    ['busy for a moment that it names', honest, { first: reply(429, '', { 'retry-after-ms': '2' }) }],
    ['busy for zero seconds', honest, { first: reply(429, '', { 'retry-after': '0' }) }],
    [
      'busy until a date that is over',
      honest,
      { first: reply(503, '', { 'retry-after': 'Thu, 01 Jan 2026 00:00:00 GMT' }) },
    ],
    ['busy with a header of nonsense', honest, { first: reply(503, '', { 'retry-after': 'soon' }) }],
    ['hanging up once', honest, { first: hangUp }],
    ['half an answer once', honest, { first: halfABody }],
  ])('%s', async (_, answer, { first, ...params }: { first?: Reply }) => {
    const { url, seen } = await rerankServer(...(first ? [first] : []), answer);
    const { scores, failures, ranking } = await rank(profileOf({ url, ...params }));
    expect(scores).toEqual(all);
    expect(failures).toEqual([]);
    expect(ranking.ranked[0]!.id).toBe('t9');
    expect(seen[0]!.body).toMatchObject({ query: context.query });
  });

  test('the request has the model, the key and the options, and each text once', async () => {
    process.env['RERANK_TEST_KEY'] = 'secret-of-mine';
    onTestFinished(() => void delete process.env['RERANK_TEST_KEY']);
    const { url, seen } = await rerankServer(honest);
    const params = { url, model: 'm-1', key_env: 'RERANK_TEST_KEY', options: { return_documents: false } };
    const twice = [...items, { id: 'again', text: 'text 9', base: 0.5 }];
    const { scores, ranking } = await rank(profileOf(params), twice);
    expect(scores['again']).toBe(0.9);
    expect(seen).toHaveLength(1);
    expect(seen[0]!.headers.authorization).toBe('Bearer secret-of-mine');
    expect(seen[0]!.body).toEqual({
      model: 'm-1',
      query: context.query,
      documents: items.map(({ text }) => text),
      return_documents: false,
    });
    const why = JSON.stringify(ranking.explain('t9'));
    expect(why).toContain(`0.9 by m-1 at ${url}`);
    expect(why).not.toContain('secret-of-mine');
  });
});

test('the timeout of the entry keeps the answers of the calls that have ended', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const rerankers: Rerankers = {
    open: () => ({
      name: 'half',
      rerank: async ({ documents: [text = ''] }) =>
        text === 'text 9' ? new Promise<number[]>(() => {}) : [scoreOf(text)],
    }),
  };
  const profile = profileOf({ batch: 1, parallel: 4 }, { timeout: '1s' });
  const pipeline = await createPipeline(profile, { services: [{ token: RERANKERS, value: rerankers }] });
  const run = pipeline.rank(items, context);
  await vi.advanceTimersByTimeAsync(1000);
  const ranking = await run;
  const scores = ranking.ranked.map(({ id, index }) => [id, ranking.terms({ index })?.scores['model']]);
  expect(Object.fromEntries(scores)).toEqual({ t3: 0.3, t9: null, t1: 0.1, t5: 0.5 });
  expect(ranking.degraded).toMatchObject([{ entry: 'model', count: 1, cause: expect.stringContaining('1000 ms') }]);
});

describe('a failure is degraded, loses no candidate, and never scores 0', () => {
  const wrong = (made: unknown): Reply => json(() => made);
  const ok = (index: unknown, score: unknown = 0.5) => ({ index, relevance_score: score });

  // [what, how the server answers, the cause, number of failed candidates, number of calls]
  test.each<[string, Reply, RegExp, number, number]>([
    ['refuses the key', reply(401, '{"message":"bad key"}'), /needs a key.*401.*bad key/, 4, 1],
    ['forbids', reply(403), /needs a key/, 4, 1],
    ['is not there', reply(404), /does not accept the request \(404\)/, 4, 1],
    ['sends elsewhere', reply(302, '', { location: 'http://127.0.0.1:1/' }), /redirects to another address/, 4, 1],
    ['does not take it', reply(400, 'too long'), /does not accept the request \(400: "too long"\)/, 4, 1],
    ['finds it too large', reply(413), /413/, 4, 1],
    ['finds it unprocessable', reply(422, '{"error":"batch"}'), /422/, 4, 1],
    ['is busy for ever', reply(429, '', { 'retry-after-ms': '1' }), /is busy, or fails \(429\)/, 4, 3],
    ['is busy for an hour', reply(429, '', { 'retry-after': '3600' }), /is busy, or fails \(429\)/, 4, 1],
    ['fails for ever', reply(500, 'oh <b>\u001b[31mno'), /is busy, or fails \(500/, 4, 3],
    ['has a bad gateway', reply(502), /502/, 4, 3],
    ['times out itself', reply(504), /504/, 4, 3],
    ['hangs up', hangUp, /cannot be reached, or broke off/, 4, 3],
    ['answers half', halfABody, /cannot be reached, or broke off/, 4, 3],
    ['sends 10 MB', endlessly, /the response has more than 4 MB/, 4, 3],
    ['sends an empty body', reply(200), /sent nothing, which is not JSON/, 4, 1],
    ['sends a page', reply(200, '<html>login</html>'), /which is not JSON/, 4, 1],
    ['sends half of a JSON', reply(200, '{"results":[{"index":0'), /which is not JSON/, 4, 1],
    ['sends null', wrong(null), /expected a list of results/, 4, 1],
    ['sends a number', wrong(7), /expected a list of results/, 4, 1],
    ['sends an empty map', wrong({}), /expected a list of results/, 4, 1],
    ['sends an error as a success', wrong({ error: 'no' }), /expected a list of results/, 4, 1],
    ['sends results that are a text', wrong({ results: 'many' }), /expected a list of results/, 4, 1],
    ['sends a prototype', reply(200, '{"__proto__":{"results":[]}}'), /expected a list of results/, 4, 1],
    ['names a document of the future', list(ok(4)), /names document the number 4; expected 0 to 3/, 4, 1],
    ['names one before the first', list(ok(-1)), /names document the number -1/, 4, 1],
    ['names half a document', list(ok(0.5)), /names document the number 0.5/, 4, 1],
    ['names it by a text', list(ok('0')), /names document the string "0"/, 4, 1],
    ['names no candidate', list({ relevance_score: 1 }), /names document/, 4, 1],
    ['names one twice', list(ok(0), ok(0)), /names document 0 twice/, 4, 1],
    ['names one twice, otherwise', list(ok(0, 0.1), ok(1), ok(0, 0.9)), /names document 0 twice/, 4, 1],
    ['repeats everything', json((texts) => ({ results: [...results(texts), ...results(texts)] })), /twice/, 4, 1],
    ['scores with a text', list(ok(0, '0.9')), /scores document 0 with the string "0.9"/, 4, 1],
    ['scores with null', list(ok(0, null)), /scores document 0 with/, 4, 1],
    [
      'scores with a number that is too large',
      reply(200, '{"results":[{"index":0,"relevance_score":1e999}]}'),
      /expected a number/,
      4,
      1,
    ],
    ['scores without a number', list({ index: 0 }), /scores document 0 with/, 4, 1],
    ['has results of null', list(null), /names document/, 4, 1],
    ['leaves all out', list(), /the answer has no score for it/, 4, 1],
    ['leaves half out', list(ok(1, 0.9), ok(0, 0.3)), /the answer has no score for it/, 2, 1],
    ['leaves one out', json((texts) => ({ results: results(texts).slice(1) })), /the answer has no score for it/, 1, 1],
  ])('it %s', async (_, answer, cause, count, calls) => {
    const { url, seen } = await rerankServer(answer);
    const { ranking, scores, failures } = await rank(profileOf({ url }));
    expect(ranking.ranked).toHaveLength(items.length);
    expect(Object.values(scores)).not.toContain(0);
    expect(failures).toHaveLength(1);
    expect(failures[0]!.cause).toMatch(cause);
    expect(failures[0]).toMatchObject({ count, instead: 'absent' });
    expect(failures[0]!.cause).not.toMatch(/\p{Cc}/u);
    expect(seen).toHaveLength(calls);
  });

  test.each<[string, object, RegExp]>([
    ['is silent', { timeout: '20ms', retries: 1 }, /did not answer within 20 ms/],
    ['is silent longer than the entry waits', { entry: { timeout: '20ms' } }, /./],
  ])('it %s', async (_, { entry = {}, ...params }: { entry?: object }, cause) => {
    const { url } = await rerankServer(silence);
    const { ranking, failures } = await rank(profileOf({ url, ...params }, entry));
    expect(ranking.ranked).toHaveLength(items.length);
    expect(failures.map((one) => one.cause).join()).toMatch(cause);
  });

  test('no server listens', async () => {
    const { ranking, failures } = await rank(profileOf({ url: 'http://127.0.0.1:1/rerank', retries: 0 }));
    expect(ranking.ranked).toHaveLength(items.length);
    expect(failures[0]!.cause).toMatch(/cannot be reached/);
  });

  test('one call of several fails alone, and the run continues', async () => {
    const { url } = await rerankServer(honest, reply(400), honest);
    const { scores, failures } = await rank(profileOf({ url, batch: 1 }));
    expect(scores).toMatchObject({ t3: 0.3, t1: 0.1, t5: 0.5 });
    expect(scores['t9']).toBeNull();
    expect(failures).toMatchObject([{ count: 1 }]);
  });

  test('after a wrong key there are no further calls', async () => {
    const { url, seen } = await rerankServer(reply(401));
    await rank(profileOf({ url, batch: 1 }));
    expect(seen).toHaveLength(1);
  });

  test('an endpoint that failed with all retries is not called again', async () => {
    const { url, seen } = await rerankServer(reply(503));
    const { failures } = await rank(profileOf({ url, batch: 1, retries: 1 }));
    expect(seen).toHaveLength(2);
    expect(failures[0]!.cause).toMatch(/is busy, or fails/);
  });

  test('a key that an endpoint repeats is not shown', async () => {
    process.env['RERANK_TEST_KEY'] = 'secret-of-mine';
    onTestFinished(() => void delete process.env['RERANK_TEST_KEY']);
    const { url } = await rerankServer(reply(401, 'secret-of-mine is no key'));
    const { failures } = await rank(profileOf({ url, key_env: 'RERANK_TEST_KEY' }));
    expect(failures[0]!.cause).toMatch(/does not accept the key in RERANK_TEST_KEY/);
    expect(failures[0]!.cause).not.toContain('secret-of-mine');
  });

  test('a missing key is reported before anything is sent', async () => {
    const { url, seen } = await rerankServer(honest);
    const { failures } = await rank(profileOf({ url, key_env: 'RERANK_NO_SUCH_KEY' }));
    expect(failures[0]!.cause).toMatch(/RERANK_NO_SUCH_KEY, which holds the key .* is not set/);
    expect(seen).toHaveLength(0);
  });

  test('without on_error the run fails, with the reason', async () => {
    const { url } = await rerankServer(reply(401));
    await expect(rank(profileOf({ url }, { on_error: undefined }))).rejects.toThrow(/needs a key/);
  });

  test('a candidate without a text abstains, and one with another type fails alone', async () => {
    const { url, seen } = await rerankServer(honest);
    const odd = [
      ...items,
      { id: 'none', base: 1 },
      { id: 'blank', text: ' ', base: 1 },
      { id: 'map', text: {}, base: 1 },
    ];
    const { scores, failures } = await rank(profileOf({ url }), odd);
    expect([scores['none'], scores['blank'], scores['map']]).toEqual([null, null, null]);
    expect(failures).toMatchObject([{ count: 1 }]);
    expect(seen[0]!.texts).toHaveLength(4);
  });

  test('without a query there is no call', async () => {
    const { url, seen } = await rerankServer(honest);
    const pipeline = await createPipeline(profileOf({ url }));
    for (const none of [{}, { query: ' ' }]) expect((await pipeline.rank(items, none)).ranked).toHaveLength(4);
    expect(seen).toHaveLength(0);
  });

  test('stops on abort', async () => {
    const { url } = await rerankServer(reply(429, '', { 'retry-after': '1' }));
    const pipeline = await createPipeline(profileOf({ url, timeout: '30s' }));
    await expect(pipeline.rank(items, context, { signal: AbortSignal.timeout(30) })).rejects.toThrow(/timeout/);
  });
});

describe('no call beyond the budget', () => {
  test.each<[string, object, Reply, number, RegExp | undefined]>([
    ['calls', { calls: 2, batch: 1 }, honest, 2, /the 2 calls of the run are used up \(calls: 2\)/],
    ['no calls', { calls: 0 }, honest, 0, /the 0 calls of the run are used up/],
    ['money', { spend: 0.25, price: 0.1, batch: 1 }, honest, 2, /used up \(spend: 0.25, at 0.1 a call\)/],
    ['money for three, in tenths', { spend: 0.3, price: 0.1, batch: 1 }, honest, 3, /used up/],
    ['enough money', { spend: 9, price: 0.1, batch: 1 }, honest, 4, undefined],
    ['repetitions count', { calls: 2, retries: 9 }, reply(503), 2, /is busy, or fails/],
    ['several at once', { calls: 2, batch: 1, parallel: 4 }, honest, 2, /used up/],
  ])('%s', async (_, params, answer, calls, cause) => {
    const { url, seen } = await rerankServer(answer);
    const { ranking, failures } = await rank(profileOf({ url, ...params }));
    expect(seen).toHaveLength(calls);
    expect(ranking.ranked).toHaveLength(items.length);
    if (cause) expect(failures.map((one) => one.cause).join()).toMatch(cause);
    else expect(failures).toEqual([]);
  });

  test('with pruning, which calls in parts, answers before the end of the budget are kept', async () => {
    const { url, seen } = await rerankServer(honest);
    const many = Array.from({ length: 60 }, (_, k) => ({ id: `c${k}`, text: `text ${k % 10}`, base: k / 60 }));
    const profile = profileOf({ url, calls: 3, batch: 1, cache: 0 }, { on_error: 'refuse' }, { select: { top: 5 } });
    const ranking = await (await createPipeline(profile)).rank(many, context);
    expect(seen).toHaveLength(3);
    expect(ranking.ranked.length).toBeGreaterThanOrEqual(3);
    expect(ranking.selected.length + ranking.notSelected.length + ranking.refused.length).toBe(60);
    expect(ranking.degraded[0]!.cause).toMatch(/used up/);
  });

  test('each run has its own, and cached answers use none', async () => {
    const { url, seen } = await rerankServer(honest);
    const pipeline = await createPipeline(profileOf({ url, calls: 2, batch: 1 }));
    for (const calls of [2, 4, 4]) {
      await pipeline.rank(items, context);
      expect(seen).toHaveLength(calls);
    }
    expect((await pipeline.rank(items, context)).degraded).toEqual([]);
    await pipeline.rank(items, { query: 'another' });
    expect(seen).toHaveLength(6);
  });

  test('without a cache it calls again', async () => {
    const { url, seen } = await rerankServer(honest);
    const pipeline = await createPipeline(profileOf({ url, cache: 0 }));
    for (const calls of [1, 2]) {
      await pipeline.rank(items, context);
      expect(seen).toHaveLength(calls);
    }
  });
});

describe('params', () => {
  test.each([
    [{}, /missing url/],
    [{ url: 'ftp://x' }, /expected a URL such as/],
    [{ url: 'http://me:secret@host/rerank' }, /without a password/],
    [{ url: 'http://x/', key_env: 'sk-12 34' }, /expected the name of an environment variable/],
    [{ url: 'http://x/', batch: 0 }, /batch/],
    [{ url: 'http://x/', calls: -1 }, /calls/],
    [{ url: 'http://x/', timeout: '0s' }, /expected more than 0/],
  ])('rejects %j', async (params, message) => {
    await expect(createPipeline(profileOf(params))).rejects.toThrow(message);
  });

  test('an untrusted profile reaches no endpoint, unless the host gives a reranker', async () => {
    await expect(createPipeline(profileOf({ url: 'http://x/' }), { trust: 'none' })).rejects.toThrow(/no address/);
    const value: Rerankers = {
      open: () => ({ name: 'own', rerank: async ({ documents }) => documents.map(scoreOf) }),
    };
    const pipeline = await createPipeline(profileOf({}), { trust: 'none', services: [{ token: RERANKERS, value }] });
    expect((await pipeline.rank(items, context)).ranked[0]!.id).toBe('t9');
  });
});

import { CohereClient, CohereClientV2 } from 'cohere-ai';
import { beforeAll, describe, expect, test } from 'vitest';
import { openServer, problemOf, type TestServer } from './open-server.js';
import { profileFolder } from './profile-folder.js';

const folder = profileFolder({
  // The number of words of the query in a document.
  'words.yaml': `
tier1_scorers: [{ id: empty, expr: 'candidate.text == ""' }]
tier2_scorers: [{ id: has, expr: 'candidate.text.contains(context.query) ? 1.0 : size(candidate.text) / 1000.0' }]
`,
  'fields.yaml': `
serve: { text: content, query: search, relevance: score }
candidate: { id: url }
tier2_scorers: [{ id: has, expr: 'candidate.content.contains(context.search) ? candidate.?boost.orValue(1.0) : 0.0' }]
`,
  ...Object.fromEntries(
    ['max', 'sigmoid'].map((relevance) => [
      `boost-${relevance}.yaml`,
      `
serve: { relevance: ${relevance} }
tier2_scorers: [{ id: has, expr: 'candidate.text.contains(context.query) ? candidate.?boost.orValue(1.0) : 0.0' }]
`,
    ]),
  ),
  'weighed.yaml': `
tier2_scorers:
  - { id: has, expr: 'candidate.text.contains(context.query) ? 1.0 : 0.0', weight: 3 }
  - { id: likes, expr: 'candidate.text == context.?liked.orValue("") ? 1.0 : 0.0' }
`,
  'pinned.yaml': `
candidate: { pinned: 'candidate.text == "pinned"' }
tier2_scorers: [{ id: two, expr: '2.0' }]
`,
});
const query = 'capital';
const TOKEN = 'the-token-of-these-tests';
const documents = ['Carson City is a city.', '', 'The capital is Washington, D.C.', 'Saipan'];

let server: TestServer;
beforeAll(async () => {
  server = await openServer(folder, { tokens: [{ token: TOKEN }] });
});
const headers = { authorization: `Bearer ${TOKEN}` };
const post = async (path: string, body: unknown): Promise<Record<string, unknown>> =>
  (await (await server.post(path, body, { headers })).json()) as Record<string, unknown>;

describe("Cohere's client", () => {
  const options = () => ({ token: TOKEN, environment: server.url });

  test('of version 2', async () => {
    const client = new CohereClientV2(options());
    const { results, id, meta } = await client.rerank({ model: 'words', query, documents, topN: 2 });
    expect(results.map(({ index }) => index)).toEqual([2, 0]);
    expect(results[0]?.relevanceScore).toBe(1);
    expect([typeof id, meta?.apiVersion?.version]).toEqual(['string', '2']);
  });

  test('of version 1, with documents returned', async () => {
    const client = new CohereClient(options());
    const { results } = await client.rerank({ model: 'words', query, documents, returnDocuments: true });
    expect(results.map(({ index, document }) => [index, document?.text])).toEqual([
      [2, documents[2]],
      [0, documents[0]],
      [3, documents[3]],
    ]);
  });
});

describe('the wire formats of other services', () => {
  test("Jina's: texts and objects with a text; results with an index and a score, and usage", async () => {
    const request = {
      model: 'words',
      query,
      top_n: 2,
      documents: [{ text: 'nothing' }, { text: 'a capital' }, 'the capital, too'],
      return_documents: true,
    };
    expect(await post('/v1/rerank', request)).toMatchObject({
      model: 'words',
      results: [
        { index: 1, relevance_score: 1, document: { text: 'a capital' } },
        { index: 2, relevance_score: 1, document: { text: 'the capital, too' } },
      ],
      usage: { total_tokens: expect.any(Number) },
    });
  });

  test("Voyage's: top_k, and data with texts", async () => {
    const request = { model: 'words', query, documents, top_k: 1, return_documents: true };
    const { results, ...rest } = await post('/v1/rerank', request);
    expect(results).toBeUndefined();
    expect(rest).toMatchObject({
      object: 'list',
      data: [{ index: 2, relevance_score: 1, document: documents[2] }],
      usage: { total_tokens: 0 },
    });
  });

  test('both limits: an answer for both kinds of clients', async () => {
    const request = { model: 'words', query, documents, top_n: 1, top_k: 1 };
    expect(await post('/v1/rerank', request)).toMatchObject({ results: [{ index: 2 }], data: [{ index: 2 }] });
  });

  test('reports ignored options', async () => {
    const request = { model: 'words', query, documents, max_tokens_per_doc: 100, truncation: true, top_n: null };
    expect(await post('/rerank', request)).toMatchObject({
      results: [{ index: 2 }, { index: 0 }, { index: 3 }],
      meta: { warnings: ['max_tokens_per_doc has no effect', 'truncation has no effect'] },
    });
  });
});

describe('documents as candidates', () => {
  test('are mapped by the profile, and objects keep their other fields', async () => {
    const request = {
      model: 'fields',
      query,
      documents: ['a capital', { text: 'the capital', boost: 3 }, { content: 'capital!', boost: 2, url: 'u' }],
    };
    const { results } = await post('/v1/rerank', request);
    expect(results).toEqual([
      { index: 1, relevance_score: 3, score: 3 },
      { index: 2, relevance_score: 2, score: 2 },
      { index: 0, relevance_score: 1, score: 1 },
    ]);
  });

  test('that are pinned come first, also if a client sorts by relevance', async () => {
    const answer = await post('/v1/rerank', { model: 'pinned', query, documents: ['a', 'pinned'] });
    expect(answer['results']).toEqual([
      { index: 1, relevance_score: 1, score: 2 },
      { index: 0, relevance_score: 1, score: 2 },
    ]);
    expect(answer['meta']).toMatchObject({
      warnings: ['2 scores are outside of 0 to 1, and clamped; set serve.relevance to map scores to that range'],
    });
  });

  test('relevance is within 0 to 1 for clients with thresholds, next to the score', async () => {
    const asked = { query, documents: ['a capital', 'none', { text: 'the capital', boost: 4 }] };
    const relevances = async (model: string): Promise<unknown> => {
      const { results } = (await post('/v1/rerank', { model, ...asked })) as { results: Record<string, number>[] };
      return results.map(({ relevance_score, score }) => [relevance_score, score]);
    };
    expect(await relevances('boost-max')).toEqual([
      [1, 4],
      [0.25, 1],
      [0, 0],
    ]);
    expect(await relevances('boost-sigmoid')).toEqual([
      [1 / (1 + Math.exp(-4)), 4],
      [1 / (1 + Math.exp(-1)), 1],
      [0.5, 0],
    ]);
  });

  test('context and weights of a request apply to the ranking', async () => {
    const asked = { model: 'weighed', query, documents: ['a capital', 'Paris'] };
    const first = async (more: object): Promise<unknown> =>
      ((await post('/v1/rerank', { ...asked, ...more })) as { results: { index: number }[] }).results[0]?.index;
    expect(await first({ context: { liked: 'Paris' } })).toBe(0);
    expect(await first({ context: { liked: 'Paris' }, weights: { likes: 9 } })).toBe(1);
    // The query is that of the request, even if the context has one.
    expect(await first({ context: { liked: 'Rome', query: 'Paris' } })).toBe(0);
    const { meta } = await post('/v1/rerank', { ...asked, context: {}, weights: { likes: 9 } });
    expect(meta).not.toHaveProperty('warnings');
    expect(await problemOf(await server.post('/v1/rerank', { ...asked, weights: { like: 9 } }, { headers }))).toEqual([
      400,
      'ASZ534',
    ]);
  });

  test.each([
    ['no documents', { model: 'words', query, documents: [] }, 200],
    ['an invalid document', { model: 'words', query, documents: ['a', 7] }, 400, 'ASZ590'],
    ['no query', { model: 'words', documents }, 400, 'ASZ590'],
    ['no model', { query, documents }, 400, 'ASZ590'],
    ['another model', { model: 'rerank-v3.5', query, documents }, 404, 'ASZ591'],
    ['top_n of 0', { model: 'words', query, documents, top_n: 0 }, 400, 'ASZ590'],
  ])('%s', async (_, body, ...expected) => {
    expect(await problemOf(await server.post('/v1/rerank', body, { headers }))).toEqual(expected);
  });
});

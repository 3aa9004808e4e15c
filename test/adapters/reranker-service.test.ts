/* RerankerScorer with a reranking model of the AI SDK that lies, is slow, refuses, answers half or repeats. */
import { APICallError, type RerankingModelV3 } from '@ai-sdk/provider';
import { describe, expect, test } from 'vitest';
import { createPipeline } from 'assize';
import { type AskedRerankingModel, rerankerService, rerankingModel } from 'assize/ai-sdk';
import { help } from './help.js';

const items = [3, 9, 1, 5].map((n) => ({ id: `t${n}`, text: `text ${n}` }));
const call = { url: 'http://x/', requestBodyValues: {} };

/** A model that gives each answer in turn, and then repeats the last one. */
function modelOf(...answers: readonly RerankingModelV3['doRerank'][]) {
  const asked: Parameters<RerankingModelV3['doRerank']>[0][] = [];
  const model: RerankingModelV3 = {
    specificationVersion: 'v3',
    provider: 'lab',
    modelId: 'm-1',
    doRerank: (options) => answers[Math.min(asked.push(options), answers.length) - 1]!(options),
  };
  return { model, asked };
}

type Ranking = { index: number; relevanceScore: number }[];
const honest = ({ documents: { values } }: { documents: { values: unknown[] } }): Promise<{ ranking: Ranking }> => {
  const ranking = values.map((text, index) => ({ index, relevanceScore: Number(/\d/.exec(String(text))?.[0]) / 10 }));
  return Promise.resolve({ ranking: ranking.toReversed() });
};
const gives = (ranking: unknown) => () => Promise.resolve({ ranking: ranking as Ranking });
const throws = (error: unknown) => (): never => {
  throw error;
};
const rejection = (statusCode: number, responseHeaders = {}) =>
  throws(new APICallError({ ...call, message: `no\n${statusCode}`, statusCode, responseHeaders }));

async function rank(model: AskedRerankingModel, params: object = {}) {
  const service = rerankerService(model, { headers: { 'x-team': 'search' } });
  const scorer = {
    id: 'model',
    class: 'RerankerScorer',
    on_error: 'skip',
    params: { text: 'text', ...params },
  } as const;
  const base = { id: 'base', expr: '0.5' };
  const pipeline = await createPipeline(
    { plugins: ['rerank'], tier2_scorers: [base, scorer] },
    { services: [service] },
  );
  const ranking = await pipeline.rank(items, { query: 'which?' });
  const scores = ranking.ranked.map(({ id, index }) => [id, ranking.terms({ index })!.scores['model']]);
  return { ranking, scores: Object.fromEntries(scores) as object, failures: ranking.degraded };
}

test('sends all texts of a batch to the model, and names it in the explanation', async () => {
  const { model, asked } = modelOf(honest);
  const { ranking, scores, failures } = await rank(model);
  expect(scores).toEqual({ t3: 0.3, t9: 0.9, t1: 0.1, t5: 0.5 });
  expect(failures).toEqual([]);
  expect(asked).toMatchObject([
    {
      query: 'which?',
      documents: { type: 'text', values: items.map(({ text }) => text) },
      headers: { 'x-team': 'search' },
    },
  ]);
  expect(JSON.stringify(ranking.explain('t9'))).toContain('0.9 by m-1 of lab');
});

test('a profile can use another profile as its reranker', async () => {
  const { scores } = await rank(rerankingModel(await help(), { rank: { top: 2 } }));
  expect(Object.values(scores)).toHaveLength(4);
});

describe('a failure is reported as degraded, loses no candidate, and never scores 0', () => {
  // [what, how the model answers, the cause, number of calls, timeout of each call]
  test.each<[string, RerankingModelV3['doRerank'], RegExp, number, string?]>([
    ['refuses the key', rejection(401), /m-1 of lab does not answer: "no 401"/, 1],
    ['does not take it', rejection(400), /no 400/, 1],
    ['is busy for ever', rejection(503), /no 503/, 3],
    ['is busy for an hour', rejection(429, { 'retry-after': '3600' }), /no 429/, 1],
    ['hangs', () => new Promise(() => {}), /did not answer within 50 ms/, 3, '50ms'],
    ['throws a text', throws('oh no'), /oh no/, 1],
    ['returns nothing', (() => Promise.resolve()) as never, /returned nothing as its ranking/, 1],
    ['gives a text', gives('best'), /returned the string "best" as its ranking/, 1],
    ['names one of the future', gives([{ index: 4, relevanceScore: 1 }]), /names document the number 4/, 1],
    ['names one twice', gives([0, 0].map((index) => ({ index, relevanceScore: 1 }))), /names document 0 twice/, 1],
    ['scores with NaN', gives([{ index: 0, relevanceScore: Number.NaN }]), /scores document 0 with/, 1],
    ['gives holes', gives([null]), /names document/, 1],
    ['leaves all out', gives([]), /the answer has no score for it/, 1],
  ])('it %s', async (_, answer, cause, calls, timeout = '5m') => {
    const { model, asked } = modelOf(answer);
    const { scores, failures } = await rank(model, { backoff: '1ms', timeout });
    expect(scores).toEqual({ t3: null, t9: null, t1: null, t5: null });
    expect(failures).toHaveLength(1);
    expect(failures[0]!.cause).toMatch(cause);
    expect(asked).toHaveLength(calls);
  });

  test('a partial answer keeps the scores of the other candidates', async () => {
    const { scores, failures } = await rank(modelOf(gives([{ index: 1, relevanceScore: 0.9 }])).model);
    expect(scores).toEqual({ t3: null, t9: 0.9, t1: null, t5: null });
    expect(failures).toMatchObject([{ count: 3 }]);
  });

  test('waits as long as the model asks, and retries', async () => {
    const { model, asked } = modelOf(rejection(429, { 'retry-after-ms': '1' }), honest);
    const { failures } = await rank(model);
    expect(failures).toEqual([]);
    expect(asked).toHaveLength(2);
  });

  test.each([
    [{ url: 'http://x/' }, /url has no effect, because the reranking model is set in code: remove it/],
    [{ key_env: 'KEY' }, /key_env has no effect/],
  ])('rejects a profile with %j when it is loaded', async (params, message) => {
    await expect(rank(modelOf(honest).model, params)).rejects.toThrow(message);
  });

  test('rejects a value that is not a model', () => {
    expect(() => rerankerService('rerank-v3.5' as never)).toThrow(/expected a reranking model of the AI SDK/);
  });
});

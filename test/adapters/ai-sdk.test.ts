/* Two versions of the AI SDK, each with its own `rerank`. Version 7 declares Node 22, and so far runs on 20. */
import type { RerankingModelV3 } from '@ai-sdk/provider';
import { rerank as rerank6 } from 'ai';
import { rerank as rerank7, type RerankingModel as RerankingModel7 } from 'ai-7';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createPipeline, type Ranking } from 'assize';
import { rerankingModel } from 'assize/ai-sdk';
import { failing, help } from './help.js';

/** The interfaces of the AI SDK, without a cast. */
const v3: RerankingModelV3 = rerankingModel(await help());
const v4: Exclude<RerankingModel7, string | RerankingModelV3> = rerankingModel(await help(), {
  specificationVersion: 'v4',
});

const documents = ['opening hours', 'how to change a password', 'a password for a mailbox'];
const query = 'password';

beforeEach(() => void Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false }));
afterEach(() => void Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: undefined }));

interface Call<D> {
  readonly documents: D[];
  readonly query: string;
  readonly topN?: number;
  readonly abortSignal?: AbortSignal;
  readonly providerOptions?: { readonly assize: Record<string, number> };
}
interface Result<D> {
  readonly ranking: readonly { readonly originalIndex: number; readonly score: number; readonly document: D }[];
  readonly rerankedDocuments: readonly D[];
  readonly response: { readonly modelId: string; readonly body?: unknown };
}
type Version = <D extends string | Record<string, string | number | boolean>>(call: Call<D>) => Promise<Result<D>>;

describe.each<[string, Version]>([
  ['version 6, interface v3', (call) => rerank6({ model: v3, ...call })],
  ['version 7, interface v3', (call) => rerank7({ model: v3, ...call })],
  ['version 7, interface v4', (call) => rerank7({ model: v4, ...call })],
])('the AI SDK, %s', (_, rerank) => {
  test('texts', async () => {
    const { ranking, rerankedDocuments, response } = await rerank({ documents, query, topN: 2 });
    expect(ranking).toEqual([
      { originalIndex: 1, score: 1, document: documents[1] },
      { originalIndex: 2, score: 1, document: documents[2] },
    ]);
    expect(rerankedDocuments).toEqual(documents.slice(1));
    expect(response.modelId).toBe('help');
  });

  test('objects are candidates: vetoes and other scorers read their fields', async () => {
    const objects = [
      { body: 'hours', boost: 0.5 },
      { text: 'a password', url: 'u' },
      { body: 'an old password', retired: true },
    ];
    const { ranking } = await rerank({ documents: objects, query });
    expect(ranking).toEqual([
      { originalIndex: 1, score: 1, document: objects[1] },
      { originalIndex: 0, score: 0.75, document: objects[0] },
    ]);
  });

  test('the options of one call are the context, and its ranking can explain', async () => {
    const objects = [
      { id: 'a', body: 'hours', boost: 1 },
      { id: 'b', body: 'password' },
    ];
    const { ranking, response } = await rerank({
      documents: objects,
      query,
      providerOptions: { assize: { boost: 2 } },
    });
    expect(ranking.map(({ originalIndex, score }) => [originalIndex, score])).toEqual([
      [0, 2.25],
      [1, 1],
    ]);
    expect((response.body as Ranking<unknown>).explain('a').outcome).toMatchObject({ score: 2.25 });
  });

  test('ranks no documents, and stops when the call is aborted', async () => {
    expect((await rerank({ documents: [], query })).ranking).toEqual([]);
    const abortSignal = AbortSignal.abort(new Error('enough'));
    await expect(rerank({ documents, query, abortSignal })).rejects.toThrow('enough');
  });
});

describe('a reranking model', () => {
  const call = { query: 'q', documents: { type: 'text' as const, values: ['a'] } };

  test('warns about failures, loses no document, and returns its ranking', async () => {
    const rankings: Ranking<unknown>[] = [];
    const model = rerankingModel(await failing(), { onRanking: (ranking) => rankings.push(ranking) });
    const values = [
      { text: 'a longer text', zero: 'none' },
      { text: 'short', zero: 1 },
    ];
    const { ranking, warnings } = await model.doRerank({ query: 'q', documents: { type: 'object', values } });
    expect(new Set(ranking.map(({ index }) => index))).toEqual(new Set([0, 1]));
    expect(warnings).toMatchObject([{ type: 'other', message: expect.stringMatching(/^broken failed on 1: /) }]);
    expect(rankings[0]!.degraded).toHaveLength(1);
  });

  test('has its own context, and each ranking has its own options', async () => {
    const model = rerankingModel(await help(), { context: { boost: 3 }, rank: { weights: { has: 2 } } });
    const values = [{ body: 'password', boost: 1 }];
    const { ranking } = await model.doRerank({ query, documents: { type: 'object', values } });
    expect(ranking).toEqual([{ index: 0, relevanceScore: 5 }]);
  });

  test.each<[string, () => unknown, RegExp]>([
    ['a profile', () => rerankingModel('help' as never), /was given the string "help"; expected a pipeline/],
    ['a promise', () => rerankingModel(createPipeline('chat') as never), /expected a pipeline/],
    ['a typo', async () => rerankingModel(await help(), { contxt: {} } as never), /no option contxt/],
    ['a version', async () => rerankingModel(await help(), { specificationVersion: 'v9' as never }), /one of v3, v4/],
  ])('made of %s throws an error that names the problem', async (_, make, message) => {
    await expect((async () => make())()).rejects.toThrow(message);
  });

  test.each<[string, unknown[], RegExp]>([
    ['a number', [7], /expected a text or an object, found the number 7/],
    ['null', ['a', null], /documents\[1\]/],
  ])('called with %s throws an error with its place', async (_, values, message) => {
    const wrong = { ...call, documents: { type: 'text' as const, values: values as string[] } };
    await expect(v3.doRerank(wrong)).rejects.toThrow(message);
  });
});

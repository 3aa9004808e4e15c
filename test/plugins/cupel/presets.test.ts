import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPipeline } from 'assize';
import { itemList } from './arbitraries.js';
import * as naive from './naive.js';

const kind = naive.kind({ SystemPrompt: 1, Memory: 0.8, ToolOutput: 0.6, Document: 0.4, Message: 0.2 });
const { recency, priority, frequency, reflexive } = naive;

/** The reference's presets, each as its weighted mean. */
const PRESETS: readonly (readonly [name: string, scorers: Parameters<typeof naive.composite>[0]])[] = [
  [
    'chat',
    [
      [recency, 3],
      [kind, 1],
    ],
  ],
  [
    'code-review',
    [
      [kind, 2],
      [priority, 2],
      [recency, 1],
    ],
  ],
  [
    'rag',
    [
      [reflexive, 3],
      [kind, 1],
    ],
  ],
  [
    'document-qa',
    [
      [kind, 2],
      [reflexive, 2],
      [priority, 1],
    ],
  ],
  [
    'tool-use',
    [
      [kind, 2],
      [recency, 2],
      [priority, 1],
    ],
  ],
  [
    'long-running',
    [
      [recency, 3],
      [frequency, 1],
      [kind, 1],
    ],
  ],
  [
    'debugging',
    [
      [priority, 3],
      [kind, 2],
      [recency, 1],
    ],
  ],
];

describe.each(PRESETS)('the preset %s', (name, scorers) => {
  it('scores like the reference', async () => {
    const definition = naive.composite(scorers);
    const pipeline = await createPipeline<naive.Item>(name);
    await fc.assert(
      fc.asyncProperty(itemList(20), async (items) => {
        const { ranked } = await pipeline.rank(items, { now: 0 });
        expect(ranked).toHaveLength(items.length);
        for (const { index, score } of ranked) expect(score).toBe(definition(items[index] ?? {}, items));
      }),
    );
  });
});

describe('all presets of context items', () => {
  const rank = async (items: readonly object[]) => (await createPipeline<object>('chat')).rank(items, { now: 0 });

  it('refuse negative tokens, which then count in no rank', async () => {
    const { ranked, refused } = await rank([
      { content: 'a', tokens: 1, timestamp: 1 },
      { content: 'b', tokens: -1, timestamp: 2 },
    ]);
    expect(refused.map(({ index, by }) => [index, by])).toEqual([[1, 'negative_tokens']]);
    expect(ranked.map(({ score }) => score)).toEqual([0.8]);
  });

  it('leave pinned items unscored, without influence on the others', async () => {
    const { ranked, selected } = await rank([
      { content: 'a', tokens: 1, timestamp: 5, pinned: true },
      { content: 'b', tokens: 1, timestamp: 4 },
    ]);
    expect(ranked.map(({ index, score }) => [index, score])).toEqual([[1, 0.8]]);
    expect(selected.map(({ index }) => index)).toEqual([1, 0]); // by their time
  });

  it('keep the better of two with the same content, both of which counted', async () => {
    const { ranked, selected } = await rank([
      { content: 'a', tokens: 1, timestamp: 1 },
      { content: 'a', tokens: 1, timestamp: 2 },
    ]);
    expect(ranked.map(({ index }) => index)).toEqual([1, 0]);
    expect(selected.map(({ index }) => index)).toEqual([1]);
  });

  it('pack into a budget, each with its own placement', async () => {
    const items = [4, 1, 3, 2].map((n) => {
      return { id: String(n), content: `${n}`, tokens: 100, timestamp: n, future_relevance_hint: n / 10 };
    });
    const packed = async (preset: string): Promise<string> => {
      const { selected } = await (await createPipeline<object>(preset)).pack(items, 300, { now: 0 });
      return selected.map(({ id }) => id).join(' ');
    };
    expect(await packed('chat')).toBe('2 3 4');
    expect(await packed('rag')).toBe('4 2 3');
    expect(await packed('document-qa')).toBe('4 2 3');
  });
});

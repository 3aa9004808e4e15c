import { describe, expect, it } from 'vitest';
import { createPipeline } from 'assize';

const items = [
  { id: 'a', words: 3, meaning: 0.1 },
  { id: 'b', words: 2, meaning: 0.9 },
  { id: 'c', words: 2 },
  { id: 'd' },
];
async function fused(params: object, candidates: readonly object[] = items) {
  const scorers = [{ expr: 'candidate.words' }, { expr: 'candidate.meaning', weight: 2 }];
  const pipeline = await createPipeline<object>({
    tier2_scorers: [{ id: 'fused', class: 'RankFusionScorer', params: { scorers, ...params } }],
  });
  return pipeline.rank(candidates);
}

describe('RankFusionScorer', () => {
  it('sums weights by rank; ties share the mean of theirs', async () => {
    const { ranked, refused } = await fused({});
    expect(Object.fromEntries(ranked.map(({ id, score }) => [id, score]))).toEqual({
      a: expect.closeTo(1 / 61 + 2 / 62, 12),
      b: expect.closeTo(1 / 62.5 + 2 / 61, 12),
      c: expect.closeTo(1 / 62.5, 12),
    });
    expect(refused.map(({ id, reason }) => [id, reason])).toEqual([['d', 'no scorer returned a score']]);
  });

  it('ranks equal scores by their order', async () => {
    const { ranked } = await fused({ ties: 'order' });
    const scores = Object.fromEntries(ranked.map(({ id, score }) => [id, score]));
    expect([scores['b'], scores['c']]).toEqual([1 / 62 + 2 / 61, 1 / 63]);
  });

  it('gives the first ranks more weight with a smaller k', async () => {
    const { ranked } = await fused({ k: 0 });
    expect(ranked.find(({ id }) => id === 'a')?.score).toBeCloseTo(1 + 1, 12);
  });

  it('reports a failure at its candidate', async () => {
    const { refused, ranked } = await fused({}, [...items, { id: 'e', words: 'many', meaning: 0.5 }]);
    expect(refused.map(({ id, kind }) => [id, kind])).toEqual([
      ['d', 'unscored'],
      ['e', 'error'],
    ]);
    expect(ranked).toHaveLength(3);
  });
});

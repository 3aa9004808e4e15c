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

  it.each([
    ['isr', 'ranks', (1 + 2 / 4) * 2, (1 / 2.5 ** 2 + 2) * 2, 1 / 2.5 ** 2],
    ['log_isr', 'ranks', (1 + 2 / 4) * Math.log(2), (1 / 2.5 ** 2 + 2) * Math.log(2), 0],
    // Of the three that any scorer ranks, the second scorer does not rank c: it gets the mean of the remaining points.
    ['bordafuse', 'ranks', 3 + 2 * 2, 1.5 + 2 * 3, 1.5 + 2],
    ['sum', 'scores', 3.2, 3.8, 2],
    ['anz', 'scores', 1.6, 1.9, 2],
    ['mnz', 'scores', 6.4, 7.6, 2],
    ['wmnz', 'scores', 3.1 * 3, 2.9 * 3, 2],
    ['min', 'scores', 0.2, 1.8, 2],
    ['med', 'scores', 1.6, 1.9, 2],
    ['max', 'scores', 3, 2, 2],
  ])('fuses by %s, from %s', async (method, _from, a, b, c) => {
    const { ranked, refused } = await fused({ method });
    const scores = Object.fromEntries(ranked.map(({ id, score }) => [id, score]));
    for (const [id, score] of Object.entries({ a, b, c })) expect(scores[id]).toBeCloseTo(score, 12);
    expect(refused.map(({ id }) => id)).toEqual(['d']);
  });

  it('explains the fused scores', async () => {
    const ranking = await fused({ method: 'mnz' });
    expect(JSON.stringify(ranking.explain('a'))).toContain('scores 3, 0.1');
  });

  it('reports an unknown method', async () => {
    await expect(fused({ method: 'condorcet' })).rejects.toThrow(/method/);
  });
});

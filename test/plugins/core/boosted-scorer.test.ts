import { describe, expect, it } from 'vitest';
import { BoostedScorer } from '../../../plugins/core/combined-scorers.js';
import { createPipeline } from 'assize';
import { problems } from './ask.js';

async function boosted(candidate: object, boosts: readonly object[], bounds: object = {}): Promise<number | string> {
  const pipeline = await createPipeline<object>({
    tier2_scorers: [
      {
        id: 'boosted',
        class: 'BoostedScorer',
        params: {
          base: { expr: 'candidate.base' },
          boosts: boosts.map((boost) => ({ scorer: { expr: 'candidate.more' }, ...boost })),
          ...bounds,
        },
      },
    ],
  });
  const row = await pipeline.score(candidate);
  return 'score' in row ? row.score : row.reason;
}

describe('BoostedScorer', () => {
  it('adds each boost up to its cap, linearly or with decreasing effect', async () => {
    expect(await boosted({ base: 0.4, more: 0.05 }, [{ factor: 2, cap: 0.2 }])).toBeCloseTo(0.5, 12);
    expect(await boosted({ base: 0.4, more: 3 }, [{ factor: 2, cap: 0.2 }])).toBeCloseTo(0.6, 12);
    for (const [count, boost] of [
      [0, 0],
      [1, 0.05],
      [15, 0.2],
      [16, 0.2],
    ] as const)
      expect(await boosted({ base: 0, more: count }, [{ curve: 'log2', factor: 0.05, cap: 0.2 }])).toBeCloseTo(
        boost,
        12,
      );
  });

  it('subtracts with a negative factor, up to the same cap', async () => {
    expect(await boosted({ base: 0.7, more: 0.5 }, [{ factor: -0.25, cap: 0.15 }])).toBeCloseTo(0.575, 12);
    expect(await boosted({ base: 0.7, more: 1 }, [{ factor: -0.25, cap: 0.15 }])).toBeCloseTo(0.55, 12);
    expect(await boosted({ base: 0.1, more: 1 }, [{ factor: -0.25 }], { min: 0 })).toBe(0);
  });

  it('skips an absent boost, and abstains without a base', async () => {
    expect(await boosted({ base: 0.4 }, [{ factor: 2 }])).toBe(0.4);
    expect(await boosted({ more: 1 }, [{ factor: 2 }])).toBe('no scorer returned a score');
  });

  it('stays within its bounds, and rejects a negative boost', async () => {
    expect(await boosted({ base: 0.9, more: 1 }, [{ factor: 1 }], { max: 0.95 })).toBe(0.95);
    expect(await boosted({ base: 0.9, more: -1 }, [{ factor: 1 }])).toBe(
      'expected the score of a boost to be at least 0, found -1',
    );
    expect(problems(BoostedScorer, { base: { expr: '1.0' }, boosts: [], min: 1, max: 0 })).not.toEqual([]);
  });
});

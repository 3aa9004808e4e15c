import { describe, expect, test } from 'vitest';
import { createPipeline, type ProfileInput, type Ranking } from 'assize';

interface Item {
  readonly id: string;
  readonly score: number;
  readonly tokens: number;
  readonly needs?: readonly string[];
  readonly pinned?: boolean;
  readonly bad?: boolean;
  readonly versions?: readonly { readonly tokens: number; readonly share?: number }[];
}

const PROFILE: ProfileInput = {
  candidate: { pinned: 'candidate.?pinned.orValue(false)' },
  tier1_scorers: [{ id: 'bad', expr: 'candidate.?bad.orValue(false)' }],
  tier2_scorers: [{ id: 'value', expr: 'candidate.score' }],
  select: {
    pack: {
      cost: 'candidate.tokens',
      budget: 100,
      class: 'GroupPack',
      requires: 'candidate.?needs',
      variants: 'candidate.?versions',
    },
  },
};

const pack = async (items: readonly Item[], budget: number): Promise<Ranking<Item>> =>
  (await createPipeline<Item>(PROFILE)).pack(items, budget);
const idsOf = ({ selected }: Ranking<Item>): readonly string[] => selected.map(({ id }) => id).toSorted();

describe('GroupPack', () => {
  test('uses the other versions of a candidate if one is larger than the candidate', async () => {
    const versions = [{ tokens: 16 }, { tokens: 4 }];
    const ranking = await pack([{ id: 'a', score: 0.5, tokens: 9, versions }], 5);
    expect(ranking.selected.map(({ id, cost, variant }) => ({ id, cost, at: variant?.at }))).toEqual([
      { id: 'a', cost: 4, at: 1 },
    ]);
    expect(ranking.degraded).toEqual([]);
  });

  test('does not pack what only a missing candidate needs, although a pinned one needs that', async () => {
    const items: readonly Item[] = [
      { id: 'pin', score: 1, tokens: 1, pinned: true, needs: ['broken', 'helper'] },
      { id: 'broken', score: 1, tokens: 1, needs: ['refused', 'aside'] },
      { id: 'refused', score: 1, tokens: 1, bad: true },
      { id: 'aside', score: 0.1, tokens: 5 },
      { id: 'helper', score: 0.1, tokens: 2 },
      { id: 'good', score: 0.9, tokens: 5 },
    ];
    const ranking = await pack(items, 8);
    expect(idsOf(ranking)).toEqual(['good', 'helper', 'pin']);
    expect(ranking.budget).toMatchObject({ pinned: 3, used: 8 });
    expect(ranking.warnings.map(({ message }) => message)).toContain('the pinned pin is packed without refused');
  });

  test('packs everything into a budget that is much larger than memory', async () => {
    const items = [1, 2, 3].map((n): Item => ({ id: `c${n}`, score: n / 4, tokens: n }));
    for (const budget of [1e11, 1e308]) {
      // oxlint-disable-next-line no-await-in-loop -- two runs
      const ranking = await pack(items, budget);
      expect(idsOf(ranking)).toEqual(['c1', 'c2', 'c3']);
      expect(ranking.budget?.optimality).toMatchObject({ optimal: true, score: 1.5 });
    }
  });

  test('rejects a list as a budget', async () => {
    const pipeline = await createPipeline<Item>(PROFILE);
    await expect(pipeline.pack([], [] as object)).rejects.toThrow(/ASZ513/);
  });
});

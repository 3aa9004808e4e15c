import { expect, test } from 'vitest';
import { createPipeline, evaluate } from 'assize';
import type { ProfileInput } from 'assize';

interface Doc {
  readonly id: string;
  readonly a?: number;
  readonly b?: number;
}

const docs: readonly Doc[] = [{ id: 'both', a: 1, b: 0.5 }, { id: 'one', b: 0.4 }, { id: 'none' }];
const profile: ProfileInput = {
  tier2_scorers: [
    { id: 'a', expr: 'candidate.a' },
    { id: 'b', expr: 'candidate.b' },
  ],
  on_unscored: 0.1,
};

const rankBy = async (changes: ProfileInput) => (await createPipeline<Doc>({ ...profile, ...changes })).rank(docs);

test.each(['weighted_mean', 'geometric_mean', 'harmonic_mean', 'product', 'max', { formula: 'a + b' }] as const)(
  'a candidate without a score gets the number of on_unscored: %j',
  async (combine) => {
    const ranking = await rankBy({ combine });
    const none = ranking.ranked.find(({ id }) => id === 'none');
    expect(none?.score).toBe(0.1);
    expect(ranking.refused).toEqual([]);
    const explanation = ranking.explain('none');
    expect(evaluate(explanation)).toBe(0.1);
    expect(explanation.details.find(({ kind }) => kind === 'combine')?.text).toContain('on_unscored');
  },
);

test('is refused by default', async () => {
  const { refused } = await rankBy({ on_unscored: 'refuse' });
  expect(refused.map(({ id, kind }) => [id, kind])).toEqual([['none', 'unscored']]);
});

test('applies if no entry takes part, and before the rules', async () => {
  const ranking = await rankBy({
    tier2_scorers: [{ id: 'a', expr: 'candidate.a', when: 'false' }],
    adjustments: [{ id: 'twice', multiply: 2 }],
  });
  expect(ranking.ranked.map(({ score }) => score)).toEqual([0.2, 0.2, 0.2]);
});

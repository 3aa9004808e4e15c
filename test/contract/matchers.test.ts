import { describe, expect, test } from 'vitest';
import { createPipeline } from 'assize';
import { scorer } from 'assize/sdk';
import { assizeMatchers } from '../../src/testing/vitest.js';
import { type Stars, stars, unitOf } from './broken-units.js';

expect.extend(assizeMatchers);

const Tenth = scorer(({ stars: count }: Stars) => count / 10, { range: [0, 1] });
const Many = unitOf(({ stars: count }) => count, { range: [0, 1] });

/** The message of a failed assertion. */
const failureOf = async (assertion: () => unknown): Promise<string> => {
  try {
    await assertion();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  throw new Error('it passes');
};

describe('toKeepContract', () => {
  test('passes for a unit that keeps it, and names each broken rule and its candidate', async () => {
    await expect(Tenth).toKeepContract({ candidates: stars });
    await expect(Many).not.toKeepContract({ candidates: stars });
    expect(await failureOf(() => expect(Many).toKeepContract({ candidates: stars }))).toMatchInlineSnapshot(`
      "the unit does not keep the contract
        range: candidate 1: 3 is outside 0 to 1, for {"stars":3}
        range: candidate 2: 7 is outside 0 to 1, for {"stars":7}"
    `);
    expect(await failureOf(() => expect(Tenth).not.toKeepContract({ candidates: stars }))).toContain(
      'not to keep the contract, and it keeps every rule',
    );
  });

  test('is for unit classes', async () => {
    expect(await failureOf(() => expect({}).toKeepContract({ candidates: stars }))).toBe(
      'toKeepContract needs a unit class, and received a map',
    );
  });
});

describe('toGiveVectors', () => {
  test('passes where every result is the expected one, and names vector, candidate, expected and received', async () => {
    await expect(Tenth).toGiveVectors([{ candidates: stars, expected: [0, 0.3, 0.7, 0.1] }]);
    await expect(Tenth).toGiveVectors([{ candidates: [{ stars: 3 }], expected: [0.31] }], { tolerance: 0.02 });
    const wrong = [
      { candidates: stars, expected: [0, 0.3, 0.6, 0.1] },
      { name: 'nothing', candidates: [{}], expected: [null] },
      { candidates: stars, expected: [] },
    ];
    await expect(Tenth).not.toGiveVectors(wrong);
    expect(await failureOf(() => expect(Tenth).toGiveVectors(wrong))).toMatchInlineSnapshot(`
      "the unit does not give the vectors
        #0, candidate 2: received 0.7, expected 0.6, for {"stars":7}
        nothing, candidate 0: received NaN, expected nothing, for {}
        #2: it has 4 candidates, but 0 expected results"
    `);
  });
});

describe('toRank', () => {
  test('passes for the selected in their order, and tells where an expected one is', async () => {
    const pipeline = await createPipeline<object>({
      tier1_scorers: [{ id: 'archived', expr: 'candidate.archived', reason: 'it is archived' }],
      tier2_scorers: [{ id: 'stars', expr: 'candidate.stars' }],
      select: { top: 2 },
    });
    const candidates = [
      { id: 'a', stars: 1 },
      { id: 'b', stars: 3 },
      { id: 'old', stars: 9, archived: true },
      { id: 7, stars: 2 },
    ];
    const ranking = await pipeline.rank(candidates);
    expect(ranking).toRank(['b', 7]);
    expect(await pipeline.rankStream(candidates)).toRank(['b', 7]);
    expect(ranking).not.toRank(['b']);
    for (const ids of [[7, 'b'], ['old', 'b'], ['b', 'a'], ['b'], ['b', 7, 'c']]) {
      expect(await failureOf(() => expect(ranking).toRank(ids))).toMatchSnapshot(ids.join(', '));
    }
    expect(await failureOf(async () => expect(await pipeline.rankStream(candidates)).toRank(['old', 'b']))).toContain(
      'old is refused by archived: it is archived',
    );
    expect(await failureOf(() => expect(ranking).not.toRank(['b', 7]))).toContain('not to select b, 7 in this order');
    expect(await failureOf(() => expect([]).toRank(['b']))).toBe('toRank needs a ranking, and received a list');
  });
});

import { describe, expect, it } from 'vitest';
import { ranked, scores } from './rank.js';

const history = {
  good: { successes: 9, failures: 1 },
  even: { successes: 5, failures: 5 },
  bad: { failures: 1 },
  unseen: { unknown: 4 },
};
const ids = ['good', 'even', 'bad', 'unseen', 'new'];
const rate = (params: object, given: unknown = history, candidates: readonly (string | object)[] = ids) =>
  scores({ class: 'OutcomeRateScorer', params: { ...params } }, candidates, { history: given });

describe('OutcomeRateScorer', () => {
  it('is the share of known outcomes; an unknown one is not a failure', async () => {
    expect(await rate({})).toEqual([0.9, 0.5, 0, undefined, undefined]);
    expect(await rate({ of: 'failures' })).toEqual([0.1, 0.5, 1, undefined, undefined]);
  });

  it('needs a minimum number of outcomes, and accepts a prior', async () => {
    expect(await rate({ min_observations: 2 })).toEqual([0.9, 0.5, undefined, undefined, undefined]);
    const prior = { successes: 1, failures: 1 };
    expect(await rate({ prior })).toEqual([10 / 12, 0.5, 1 / 3, undefined, undefined]);
  });

  it('counts a list of episodes', async () => {
    const episodes = [
      { tool: 'good', success: true },
      { tool: 'good', success: null },
      { tool: 'good' },
      { tool: 'good', success: false },
      { tool: 7, success: true },
    ];
    expect(await rate({}, episodes, ['good', { id: 7 }])).toEqual([0.5, 1]);
    expect(await rate({}, null)).toEqual([undefined, undefined, undefined, undefined, undefined]);
  });

  it('rejects an invalid history, with its place', async () => {
    await expect(rate({}, { good: { successes: -1 } })).rejects.toThrow(
      'history.good.successes is the number -1; expected a whole number of at least 0',
    );
    await expect(rate({}, [{ tool: 'a', success: 'yes' }])).rejects.toThrow(
      'history[0].success is the string "yes"; expected true or false',
    );
    await expect(rate({}, [{ success: true }])).rejects.toThrow('history[0].tool is nothing; expected an id');
    await expect(rate({}, 'all good')).rejects.toThrow('expected a list of episodes, or counts by id');
    await expect(rate({}, { good: 3 })).rejects.toThrow('history.good');
    await expect(rate({}, { good: { success: 3 } })).rejects.toThrow(
      'history.good is a map; expected a map with successes or failures',
    );
  });
});

describe('FailureRateVeto', () => {
  const refusals = async (params: object) => {
    const profile = {
      plugins: ['agentcards'],
      tier1_scorers: [{ id: 'failing', class: 'FailureRateVeto', params: { ...params } }],
    };
    const { refused } = await ranked(profile, ids, { history });
    return refused.map(({ id, reason }) => `${id}: ${reason}`);
  };

  it('refuses rates above its limit with a reason, and accepts the limit itself', async () => {
    expect(await refusals({})).toEqual(['bad: it failed in 100 % of 1 uses, more than 50 %']);
    expect(await refusals({ max: 0.49 })).toHaveLength(2);
  });

  it('needs a minimum number of observations, and accepts a prior', async () => {
    expect(await refusals({ min_observations: 3 })).toEqual([]);
    expect(await refusals({ prior: { successes: 1, failures: 0 } })).toEqual([]);
  });
});

describe('ReliabilityScorer', () => {
  const factor = (given: object, params = {}) => scores({ class: 'ReliabilityScorer', params }, [given], {});

  it('changes strictly below and strictly above its bounds', async () => {
    const found = await scores(
      { class: 'ReliabilityScorer' },
      [0, 0.4999, 0.5, 0.9, 0.9001, 1].map((success_rate) => ({ success_rate })),
      {},
    );
    expect(found).toEqual([0.1, 0.1, 1, 1, 1.2, 1.2]);
  });

  it('multiplies by the lowest rate among its dependencies', async () => {
    expect(await factor({ success_rate: 0.95, needs: [0.8, 0.6] }, { dependencies: 'needs' })).toEqual([1.2 * 0.6]);
    expect(await factor({ success_rate: 0.95, needs: [] }, { dependencies: 'needs' })).toEqual([1.2]);
  });

  it('can return the rate itself', async () => {
    expect(await factor({ success_rate: 0.4 }, { give: 'rate' })).toEqual([0.4]);
    expect(await factor({ success_rate: 0.4, needs: [0.5] }, { give: 'rate', dependencies: 'needs' })).toEqual([0.2]);
  });

  it('is absent without a rate, and rejects an invalid one', async () => {
    expect(await factor({})).toEqual([undefined]);
    await expect(factor({ success_rate: 1.01 })).rejects.toThrow(
      'success_rate: expected a rate from 0 to 1, found the number 1.01',
    );
    await expect(factor({ success_rate: 1, needs: [2] }, { dependencies: 'needs' })).rejects.toThrow('needs');
  });
});

describe('OverlapScorer', () => {
  const overlap = async (measure: string, own: unknown, tools: unknown, min = 0) =>
    (await scores({ class: 'OverlapScorer', params: { measure, min } }, [{ tools_used: own }], { tools }))[0];

  it("is a share of the tools of either one, or of the candidate's own", async () => {
    expect(await overlap('jaccard', ['a', 'b', 'c'], ['a', 'b', 'x', 'y'])).toBe(0.4);
    expect(await overlap('containment', ['a', 'b', 'c'], ['a', 'b', 'x', 'y'])).toBeCloseTo(2 / 3, 12);
  });

  it('counts duplicate names once, and gives 0 for empty lists', async () => {
    expect(await overlap('jaccard', ['a', 'a', 'b'], ['a', 'a'])).toBe(0.5);
    expect(await overlap('containment', [], ['a'])).toBe(0);
  });

  it('has a minimum, which is inclusive', async () => {
    expect(await overlap('containment', ['a', 'b', 'c', 'd'], ['a'], 0.25)).toBe(0.25);
    expect(await overlap('containment', ['a', 'b', 'c', 'd'], ['a'], 0.26)).toBe(0);
  });

  it('is absent if a list is missing on either side, and rejects values that are not ids', async () => {
    expect(await overlap('jaccard', ['a'], [])).toBeUndefined();
    expect(await overlap('jaccard', ['a'], null)).toBeUndefined();
    expect(await overlap('jaccard', undefined, ['a'])).toBeUndefined();
    await expect(overlap('jaccard', ['a'], 'a')).rejects.toThrow('tools is the string "a"; expected a list of ids');
    await expect(overlap('jaccard', ['a'], ['a', null])).rejects.toThrow('tools[1] is null; expected an id');
    await expect(overlap('jaccard', ['a', {}], ['a'])).rejects.toThrow('tools_used[1] is a map; expected an id');
  });
});

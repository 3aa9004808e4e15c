import { describe, expect, test } from 'vitest';
import { type Context, createPipeline, type ProfileInput } from 'assize';
import { CALLS, crashOf, PROFILES, revoked, score, throwing, VALUES } from './unusual-values.js';

describe.each(Object.entries(PROFILES))('candidates with unusual values: %s', (_, profile) => {
  test.each(Object.entries(VALUES))('%s', async (_name, make) => {
    const pipeline = await createPipeline(profile as ProfileInput);
    const candidates = [
      { id: 'a', s: 3, k: make(), other: make() },
      { id: 'b', s: 2, k: 'x', other: 'x' },
      { id: 'c', s: 1, k: make(), other: 'y' },
      { id: 'd', s: 0, k: 'x', other: 'x' },
    ];
    for (const [call, work] of Object.entries(CALLS)) {
      expect.soft(await crashOf(() => work(pipeline, candidates)), call).toBeUndefined();
    }
  });
});

describe('candidates and contexts that cannot be read', () => {
  const profile: ProfileInput = { tier2_scorers: [score] };
  test.each(Object.entries({ revoked, throwing }))('%s', async (_name, make) => {
    for (const given of [profile, ...Object.values(PROFILES)]) {
      const pipeline = await createPipeline(given as ProfileInput);
      for (const [call, work] of Object.entries(CALLS)) {
        expect
          .soft(await crashOf(() => work(pipeline, [make(), { id: 'b', s: 1, k: 'x' }, make()])), call)
          .toBeUndefined();
      }
      expect.soft(await crashOf(() => pipeline.rank([{ s: 1 }], make() as Context)), 'context').toBeUndefined();
      expect.soft(await crashOf(() => pipeline.rank(make() as object[])), 'candidates').toBeUndefined();
    }
  });
});

describe('ways to win for a candidate with an unusual value in a numeric field', () => {
  test.each(Object.entries(VALUES))('%s', async (name, make) => {
    const pipeline = await createPipeline({ tier2_scorers: [{ ...score, on_error: 0 }] });
    const candidates = [
      { id: 'a', s: 3 },
      { id: 'b', s: 2 },
      { id: 'c', s: make() },
    ];
    for (const [call, work] of Object.entries(CALLS)) {
      expect.soft(await crashOf(() => work(pipeline, candidates)), call).toBeUndefined();
    }
    const { flips } = await (await pipeline.rank(candidates)).compare('a', 'c');
    expect(flips.fields).toMatchObject([{ field: 's', state: name === 'a revoked proxy' ? 'not_evaluated' : 'flips' }]);
  });
});

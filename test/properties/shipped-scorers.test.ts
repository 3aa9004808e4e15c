/* All shipped scorers: profiles of any of a pack's scorers, on the candidates of any of their examples. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPipeline, evaluate, type ProfileInput } from 'assize';
import type { UnitExample } from 'assize/testing';
import { shippedPacks } from '../contract/shipped.js';

interface Example {
  readonly name: string;
  readonly example: UnitExample;
}

const scorersOf = shippedPacks.map(({ pack, examples }) => ({
  pack: pack.name,
  scorers: [...pack.units]
    .filter(([, { meta }]) => meta.kind === 'scorer')
    .flatMap(([name]) => (examples[name] ?? []).map((example): Example => ({ name: `${pack.name}/${name}`, example }))),
}));

/** Uses without services can be combined with the profile of another example. */
const alone = ({ example: { services, units, profile } }: Example): boolean => !services && !units && !profile;

const combines = ['weighted_mean', 'weighted_sum', 'product', 'min', 'max'] as const;

test.each(scorersOf)(
  'every score of the scorers of $pack evaluates from its explanation',
  async ({ pack, scorers }) => {
    const others = scorers.filter(alone);
    const drawn = fc.record({
      first: fc.constantFrom(...scorers),
      rest: others.length === 0 ? fc.constant([]) : fc.array(fc.constantFrom(...others), { maxLength: 3 }),
      weights: fc.array(fc.double({ min: 0.1, max: 3, noNaN: true }), { minLength: 4, maxLength: 4 }),
      combine: fc.constantFrom(...combines),
    });
    let explained = 0;
    const property = fc.asyncProperty(drawn, async ({ first, rest, weights, combine }) => {
      const { example } = first;
      const weighs = combine === 'weighted_mean' || combine === 'weighted_sum';
      const profile: ProfileInput = {
        ...example.profile,
        plugins: pack === 'core' ? [] : [pack],
        tier2_scorers: [first, ...rest].map(({ name, example: { params = {} } }, k) => ({
          id: `s${k}`,
          class: name,
          params,
          on_error: 'skip' as const,
          ...(weighs && { weight: weights[k] ?? 1 }),
        })),
        combine,
        adjustments: [{ id: 'up', when: 'score > 0.5', multiply: 1.1, add: 0.01 }],
      };
      const pipeline = await createPipeline(profile, { services: example.services ?? [], units: example.units ?? {} });
      const ranking = await pipeline.rank(example.candidates, { now: '2026-01-01', ...example.context });
      for (const { index, score } of ranking.ranked) {
        expect(evaluate(ranking.explain({ index }))).toBe(score);
        explained += 1;
      }
    });
    await fc.assert(property, { numRuns: 60 });
    expect(explained).toBeGreaterThan(60);
  },
);

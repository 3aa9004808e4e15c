/* A ranking weighed again is the ranking by a profile that has those weights, and asks no scorer. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PlanOverrides, ProfileInput, Ranking } from '../../src/index.js';
import { type Candidate, candidatesWith } from './arbitraries.js';
import { calls, field, hasWeight, isWeighted, minScore, profiles, rankAll, some, top, weight } from './weighing.js';

const overrides = (reads: boolean): fc.Arbitrary<PlanOverrides> =>
  fc.record({
    weights: reads ? some(fc.dictionary(fc.constantFrom('s0', 's1', 's2', 's3'), weight)) : fc.constant(undefined),
    top: some(top),
    min_score: some(minScore),
  });

/** The profile that says what the call said. */
function saying(profile: ProfileInput, { weights, top: most, min_score }: PlanOverrides): ProfileInput {
  const { cases = {}, ...by } = profile.weights ?? {};
  const left = Object.entries(cases).map(([name, own]) => [
    name,
    Object.fromEntries(Object.entries(own).filter(([id]) => !weights || !Object.hasOwn(weights, id))),
  ]);
  return {
    ...profile,
    tier2_scorers: profile.tier2_scorers!.map((entry) => {
      const own = weights?.[entry.id];
      return own === undefined ? entry : { ...entry, weight: own };
    }),
    ...(profile.weights && { weights: { ...by, cases: Object.fromEntries(left) } }),
    select: {
      ...profile.select,
      ...(most !== undefined && { top: most }),
      ...(min_score !== undefined && { min_score }),
    },
  } as ProfileInput;
}

/** Everything that a ranking says. */
const said = (ranking: Ranking<Candidate>) => ({
  ranked: ranking.ranked,
  selected: ranking.selected,
  leftOut: ranking.leftOut,
  refused: ranking.refused.map(({ id, kind, by }) => [id, kind, by]),
  degraded: ranking.degraded.map((one) => JSON.stringify(one)).sort(),
  totals: [...ranking.matrix.totals],
});

test('weighed again, it is the ranking by a profile that has those weights and limits, and no scorer is called', async () => {
  let changed = 0;
  const cases = profiles.chain((profile) =>
    fc.tuple(
      fc.constant(profile),
      overrides(isWeighted(profile)),
      overrides(isWeighted(profile)),
      candidatesWith(field),
    ),
  );
  await fc.assert(
    fc.asyncProperty(cases, async ([profile, first, second, candidates]) => {
      fc.pre(hasWeight(profile));
      const ranking = await rankAll(profile, candidates);
      ranking.reweigh({}); // reads the scores, once
      const before = calls.count;
      for (const one of [first, second, first]) {
        if (!hasWeight(saying(profile, one))) {
          expect(() => ranking.reweigh(one)).toThrow('all weights are 0');
          continue;
        }
        const again = ranking.reweigh(one);
        const { ranked, selected } = again;
        expect(calls.count).toBe(before);
        const anew = await rankAll(saying(profile, one), candidates);
        expect(said(again)).toEqual(said(anew));
        for (const [k, { score }] of ranked.entries()) expect(score).toBe(anew.ranked[k]!.score);
        if (JSON.stringify(selected) !== JSON.stringify(ranking.selected)) changed++;
        calls.count = before;
      }
    }),
    { numRuns: 400 },
  );
  expect(changed).toBeGreaterThan(100);
});

/* Weights and limits of a call equal those of a profile; reweighting calls no scorer. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPipeline, type PlanOverrides, type ProfileInput, type Ranking } from 'assize';
import { type Candidate, candidatesWith } from './arbitraries.js';
import {
  calls,
  context,
  field,
  hasWeight,
  isWeighted,
  minScore,
  profiles,
  rankAll,
  some,
  top,
  units,
  weight,
} from './weighing.js';

const overrides = (reads: boolean): fc.Arbitrary<PlanOverrides> =>
  fc.record({
    weights: reads ? some(fc.dictionary(fc.constantFrom('s0', 's1', 's2', 's3'), weight)) : fc.constant(undefined),
    top: some(top),
    minScore: some(minScore),
  });

/** The profile with the overrides of the call. */
function saying(profile: ProfileInput, { weights, top: most, minScore: least }: PlanOverrides): ProfileInput {
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
      ...(least !== undefined && { min_score: least }),
    },
  } as ProfileInput;
}

/** Everything that a ranking reports. */
const said = (ranking: Ranking<Candidate>) => ({
  ranked: ranking.ranked,
  selected: ranking.selected,
  notSelected: ranking.notSelected,
  refused: ranking.refused.map(({ id, kind, by }) => [id, kind, by]),
  degraded: ranking.degraded.map((one) => JSON.stringify(one)).sort(),
  totals: [...ranking.matrix.totals],
});

test('reweighted, it equals the ranking of a profile with those weights and limits, and calls no scorer', async () => {
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

const overridden = profiles.chain((profile) =>
  fc.tuple(fc.constant(profile), overrides(isWeighted(profile)), overrides(isWeighted(profile)), candidatesWith(field)),
);

test('given with a call, they equal those of a profile, and its ranking keeps them', async () => {
  await fc.assert(
    fc.asyncProperty(overridden, async ([profile, first, second, candidates]) => {
      fc.pre(hasWeight(profile));
      const pipeline = await createPipeline<Candidate>(profile, { units, codegen: true });
      const once = saying(profile, first);
      if (!hasWeight(once)) {
        await expect(pipeline.rank(candidates, context, first)).rejects.toThrow('all weights are 0');
        return;
      }
      const ranking = await pipeline.rank(candidates, context, first);
      const anew = await rankAll(once, candidates);
      expect(said(ranking)).toEqual(said(anew));
      for (const [k, { score }] of ranking.ranked.entries()) expect(score).toBe(anew.ranked[k]!.score);
      for (const { id } of candidates) expect(ranking.explain(id)).toEqual(anew.explain(id));
      expect(said(pipeline.rankSync(candidates, context, first))).toEqual(said(anew));

      const twice = saying(once, second);
      if (!hasWeight(twice)) return;
      expect(said(ranking.reweigh(second))).toEqual(said(await rankAll(twice, candidates)));
      const { weights } = second;
      const weighed = saying(once, { weights });
      const changed = { ...weighed, tier2_scorers: weighed.tier2_scorers!.filter(({ id }) => id !== 's3') };
      if (!hasWeight(changed)) return;
      const whatIf = await ranking.whatIf({ without: 's3', ...(weights && { weights }) });
      expect(said(whatIf)).toEqual(said(await rankAll(changed, candidates)));
    }),
    { numRuns: 200 },
  );
});

test('consecutive pages form the one selection', async () => {
  let turned = 0;
  await fc.assert(
    fc.asyncProperty(overridden, fc.integer({ min: 1, max: 4 }), async ([profile, said1, , candidates], size) => {
      fc.pre(hasWeight(saying(profile, said1)));
      const pipeline = await createPipeline<Candidate>(profile, { units, codegen: true });
      const rank = (limits: PlanOverrides) => pipeline.rankSync(candidates, context, { ...said1, ...limits });
      const all = rank({ top: candidates.length });
      const selected: unknown[] = [];
      for (let offset = 0; offset <= candidates.length; offset += size) {
        const page = rank({ top: size, offset });
        expect(page.ranked).toEqual(all.ranked);
        expect(said(all.reweigh({ top: size, offset }))).toEqual(said(page));
        const given = [...page.selected, ...page.notSelected, ...page.refused].map(({ index }) => index);
        expect(given.sort((a, b) => a - b)).toEqual(candidates.map((_, index) => index));
        for (const { id, reason, text } of page.notSelected) {
          expect(page.explain(id).outcome).toMatchObject({ notSelected: { reason, text } });
        }
        if (offset > 0 && page.selected.length > 0) turned++;
        selected.push(...page.selected);
      }
      expect(selected).toEqual(all.selected);
    }),
    { numRuns: 150 },
  );
  expect(turned).toBeGreaterThan(50);
});

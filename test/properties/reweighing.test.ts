/* A ranking weighed again is the ranking by a profile that has those weights, and asks no scorer. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPipeline, type PlanOverrides, type ProfileInput, type Ranking, scorer } from '../../src/index.js';
import {
  type Candidate,
  COMBINES,
  candidatesWith,
  entriesOf,
  FIELDS,
  odd,
  positive,
  readsWeights,
} from './arbitraries.js';

let calls = 0;

/** One scorer for each field, which counts its calls; `odd` values fail or are absent. */
const units = Object.fromEntries(
  Array.from({ length: FIELDS }, (_, k) => [
    `Counted${k}`,
    scorer((candidate: Candidate) => {
      calls++;
      const value = candidate[`f${k}`];
      if (value === 'odd') throw new Error('it fails here');
      return value as number;
    }),
  ]),
);

const uses = (k: number) =>
  fc.constantFrom(
    { class: `Counted${k}` },
    { class: 'ScaledScorer', params: { scorer: { class: `Counted${k}` } } },
    {
      class: 'CompositeScorer',
      params: { scorers: [{ class: `Counted${k}`, weight: 2 }, { expr: `candidate.f${k}` }] },
    },
  );

const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const each = <T>(arbitrary: fc.Arbitrary<T>) => fc.array(arbitrary, { minLength: FIELDS, maxLength: FIELDS });
const rule = fc.constantFrom<'skip' | 'refuse' | 0.5>('skip', 'refuse', 0.5);
const weight = fc.oneof(fc.integer({ min: 0, max: 9 }), fc.double({ min: 0, max: 3, noNaN: true }));
const minScore = fc.constantFrom(-1, 0, 0.5, 1, 2, 5);
const top = fc.nat(6);

const ADJUSTMENTS: NonNullable<ProfileInput['adjustments']> = [
  { id: 'lift', when: 'score < 1', add: 0.1, max: 1 },
  { id: 'mark', when: 'scores.s0 > 2', multiply: 0.75, add: 'scores.s1 / 3' },
  { id: 'many', multiply: { table: { yes: 0 }, by: ['candidate.f1 > 2 ? "yes" : "no"'], zero: 'refuse' } },
  { id: 'floor', min: 'candidate.f1 / 50' },
];

const profiles = fc
  .record({
    combine: fc.constantFrom(...COMBINES, 'formula' as const),
    uses: fc.tuple(...Array.from({ length: FIELDS }, (_, k) => uses(k))),
    settled: each(
      fc.record({ on_absent: rule, on_error: rule, out_of_range: fc.constantFrom<'warn' | 'clamp'>('warn', 'clamp') }),
    ),
    weighted: each(weight),
    cased: fc.boolean(),
    expression: fc.boolean(),
    veto: fc.boolean(),
    rules: fc.subarray([...ADJUSTMENTS]),
    select: fc.record({
      min_score: some(minScore),
      top: some(top),
      duplicates: some(fc.constant('candidate.f2')),
      per: some(fc.constant({ by: 'candidate.f3', top: 2 })),
      ties: some(fc.constant(['candidate.f1'])),
    }),
    pinned: fc.boolean(),
    fallback: fc.boolean(),
    conditional: fc.boolean(),
  })
  .map((it): ProfileInput => {
    const reads = it.combine !== 'formula' && readsWeights(it.combine);
    const entries = entriesOf(it.uses, reads ? it.weighted : undefined).map((entry, k) => ({
      ...entry,
      ...it.settled[k],
      ...(k === 0 && reads && it.expression && { weight: 'context.heavy' }),
      ...(k === 3 && it.conditional && { when: 'context.all' }),
    }));
    return {
      ...(it.pinned && { candidate: { pinned: 'candidate.f3 == 1.0' } }),
      tier1_scorers: it.veto ? [{ id: 'v', expr: 'candidate.f0 > 60' }] : [],
      combine: it.combine === 'formula' ? { formula: 's0 * 2 + s1 * s2' } : it.combine,
      tier2_scorers: entries,
      ...(reads && it.cased && { weights: { by: 'candidate.id', cases: { c1: { s0: 9, s2: 1 }, c3: { s1: 0 } } } }),
      adjustments: it.rules,
      select: it.select,
      fallback: it.fallback ? [{ use: 'c0' }] : [],
    };
  });

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

const field = fc.oneof({ weight: 7, arbitrary: positive }, { weight: 1, arbitrary: odd });
const context = { heavy: 2.5, all: true };

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
      const before = calls;
      for (const one of [first, second, first]) {
        if (!hasWeight(saying(profile, one))) {
          expect(() => ranking.reweigh(one)).toThrow('all weights are 0');
          continue;
        }
        const again = ranking.reweigh(one);
        const { ranked, selected } = again;
        expect(calls).toBe(before);
        const anew = await rankAll(saying(profile, one), candidates);
        expect(said(again)).toEqual(said(anew));
        for (const [k, { score }] of ranked.entries()) expect(score).toBe(anew.ranked[k]!.score);
        if (JSON.stringify(selected) !== JSON.stringify(ranking.selected)) changed++;
        calls = before;
      }
    }),
    { numRuns: 400 },
  );
  expect(changed).toBeGreaterThan(100);
});

const isWeighted = ({ combine }: ProfileInput) => COMBINES.some((one) => one === combine && readsWeights(one));

/** Whether a profile has a weight above 0, where its combine wants one. */
const hasWeight = ({ combine, tier2_scorers: scorers = [] }: ProfileInput) =>
  !(combine === 'weighted_mean' || combine === 'geometric_mean') || scorers.some(({ weight: own }) => own !== 0);

const rankAll = async (profile: ProfileInput, candidates: readonly Candidate[]): Promise<Ranking<Candidate>> =>
  (await createPipeline<Candidate>(profile, { units })).rank(candidates, context, { prune: false });

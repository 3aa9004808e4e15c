/* Profiles of all combines, cases, rules, absences and failures, whose scorers count their calls. */
import * as fc from 'fast-check';
import { createPipeline, type ProfileInput, type Ranking, scorer } from 'assize';
import { type Candidate, COMBINES, entriesOf, FIELDS, odd, positive, readsWeights } from './arbitraries.js';

/** The number of calls of scorers. */
export const calls = { count: 0 };

/** One scorer for each field, which counts its calls; `odd` values fail or are absent. */
export const units = Object.fromEntries(
  Array.from({ length: FIELDS }, (_, k) => [
    `Counted${k}`,
    scorer((candidate: Candidate) => {
      calls.count++;
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

export const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const each = <T>(arbitrary: fc.Arbitrary<T>) => fc.array(arbitrary, { minLength: FIELDS, maxLength: FIELDS });
const rule = fc.constantFrom<'skip' | 'refuse' | 0.5>('skip', 'refuse', 0.5);
export const weight = fc.oneof(fc.integer({ min: 0, max: 9 }), fc.double({ min: 0, max: 3, noNaN: true }));
export const minScore = fc.constantFrom(-1, 0, 0.5, 1, 2, 5);
export const top = fc.nat(6);

const ADJUSTMENTS: NonNullable<ProfileInput['adjustments']> = [
  { id: 'lift', when: 'score < 1', add: 0.1, max: 1 },
  { id: 'mark', when: 'scores.s0 > 2', multiply: 0.75, add: 'scores.s1 / 3' },
  { id: 'many', multiply: { table: { yes: 0 }, by: ['candidate.f1 > 2 ? "yes" : "no"'], zero: 'refuse' } },
  { id: 'low', when: 'scores.s1 < 1 && score < 2', refuse: true },
  { id: 'floor', min: 'candidate.f1 / 50' },
];

export const profiles: fc.Arbitrary<ProfileInput> = fc
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

export const context = { heavy: 2.5, all: true, now: 0 };

/** The values of a field: mostly numbers. */
export const field = fc.oneof({ weight: 7, arbitrary: positive }, { weight: 1, arbitrary: odd });

export const isWeighted = ({ combine }: ProfileInput): boolean =>
  COMBINES.some((one) => one === combine && readsWeights(one));

/** Whether a profile has a weight above 0, if its combine needs one. */
export const hasWeight = ({ combine, tier2_scorers: scorers = [] }: ProfileInput): boolean =>
  !(combine === 'weighted_mean' || combine === 'geometric_mean') || scorers.some(({ weight: own }) => own !== 0);

export const rankAll = async (profile: ProfileInput, candidates: readonly Candidate[]): Promise<Ranking<Candidate>> =>
  (await createPipeline<Candidate>(profile, { units, codegen: true })).rank(candidates, context, { prune: false });

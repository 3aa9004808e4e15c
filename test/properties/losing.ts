import * as fc from 'fast-check';
import type { ProfileInput } from 'assize';
import { defineVeto, type Run, type Score, z } from 'assize/sdk';
import { type Candidate, entriesOf, odd, positive, simple } from './arbitraries.js';

const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const onAbsent = fc.constantFrom<'skip' | 'refuse' | 0.5>('skip', 'refuse', 0.5);
const onError = fc.constantFrom<'skip' | 'refuse' | 0.5>('skip', 'refuse', 0.5);

/** Refuses every third of its candidates: those refused earlier are not among them. */
class Third {
  static readonly meta = defineVeto({ summary: 'Every third.', scope: 'sequence', params: z.strictObject({}) });
  prepare(_params: object, { candidates }: Run<Candidate>): Score<Candidate, boolean> {
    const refused = candidates.map((_, index) => index % 3 === 2);
    return (_candidate, index) => refused[index];
  }
}

/** The units of the profiles. */
export const units = { Third };

/** Everything that can remove a candidate from a ranking, each optional. */
export const profiles: fc.Arbitrary<ProfileInput> = fc
  .record({
    veto: some(fc.constantFrom('candidate.f0 > 50', 'candidate.f1 < 1 && candidate.f2 > 2', 'true')),
    vetoAbsent: fc.constantFrom<'pass' | 'refuse'>('pass', 'refuse'),
    vetoError: fc.constantFrom<'pass' | 'refuse'>('pass', 'refuse'),
    third: fc.boolean(),
    first: fc.boolean(),
    combine: fc.constantFrom<'weighted_mean' | 'product' | 'max'>('weighted_mean', 'product', 'max'),
    scorers: fc.array(fc.record({ on_absent: onAbsent, on_error: onError }), { maxLength: 4 }),
    rule: some(fc.constantFrom('candidate.f3 > 1', 'score > 1')),
    lower: fc.boolean(),
    zero: fc.boolean(),
    duplicates: some(fc.constantFrom('candidate.f0', '[candidate.f1]')),
    min_score: some(fc.oneof(fc.double({ min: -1, max: 5, noNaN: true }), fc.constantFrom(-1, 0, 0.5, 1, 2))),
    per: some(
      fc.record({ by: fc.constantFrom('candidate.f0', '[candidate.f1]'), top: fc.integer({ min: 1, max: 3 }) }),
    ),
    top: some(fc.nat(4)),
    ties: some(fc.shuffledSubarray(['candidate.f1', 'candidate.f2', 'input'], { minLength: 1 })),
    pinned: some(fc.constantFrom('candidate.f2 == 1.0', 'has(candidate.f3)')),
    fallback: some(fc.constantFrom('c0', 'c3', 'spare')),
  })
  .map((it) => ({
    candidate: { ...(it.pinned && { pinned: it.pinned }) },
    strategies: [{ id: 'spare' }],
    veto_on_first: it.first,
    tier1_scorers: it.veto
      ? [
          { id: 'v', expr: it.veto, on_absent: it.vetoAbsent, on_error: it.vetoError },
          ...(it.third ? [{ id: 't', class: 'Third' }] : []),
          { id: 'w', expr: 'candidate.f3 > 90' },
        ]
      : [],
    combine: it.combine,
    tier2_scorers: entriesOf(simple.slice(0, it.scorers.length), undefined).map((entry, k) => ({
      ...entry,
      ...it.scorers[k],
    })),
    adjustments: it.rule
      ? [
          { id: 'halve', when: it.rule, multiply: 0.5 },
          ...(it.lower ? [{ id: 'lower', when: 'candidate.f2 > 1', add: -1.5 }] : []),
          {
            id: 'table',
            multiply: {
              table: { yes: 0 },
              by: ['candidate.f1 > 2 ? "yes" : "no"'],
              zero: it.zero ? 'refuse' : 'score',
            },
          },
        ]
      : [],
    select: {
      ...(it.duplicates && { duplicates: it.duplicates }),
      ...(it.min_score !== undefined && { min_score: it.min_score }),
      ...(it.per && { per: it.per }),
      ...(it.top !== undefined && { top: it.top }),
      ...(it.ties && { ties: it.ties }),
    },
    fallback: it.fallback ? [{ use: it.fallback }] : [],
  }));

/** The values of a field: mostly numbers. */
export const field = fc.oneof({ weight: 6, arbitrary: positive }, { weight: 1, arbitrary: odd });

import * as fc from 'fast-check';
import type { ProfileInput } from 'assize';

/** The number of numbered fields of the candidates. */
export const FIELDS = 4;

export interface Candidate {
  readonly id: string;
  readonly [field: string]: unknown;
}

type Entry = NonNullable<ProfileInput['tier2_scorers']>[number];

/** Above 0, so that it can be multiplied and has a logarithm; sometimes a tie. */
export const positive = fc.oneof(
  fc.double({ min: 0.01, max: 100, noNaN: true }),
  fc.integer({ min: 1, max: 4 }).map((n) => n / 2),
);

/** Values of a field other than numbers: absent, null, or a value that scorers cannot use. */
export const odd = fc.constantFrom<unknown>(undefined, null, 'odd', Number.NaN, Infinity, -Infinity);

/** Candidates with the fields f0, f1, …; `field` gives the values of each. */
export const candidatesWith = (field: fc.Arbitrary<unknown>, most = 12): fc.Arbitrary<Candidate[]> =>
  fc
    .array(fc.tuple(...Array.from({ length: FIELDS }, () => field)), { maxLength: most, size: 'max' })
    .map((rows) =>
      rows.map((row, i) => Object.assign({ id: `c${i}` }, ...row.map((value, k) => ({ [`f${k}`]: value })))),
    );

/** Ways to read one field that see one candidate, or all of them. */
export const readers = (field: string): fc.Arbitrary<Pick<Entry, 'class' | 'expr' | 'params'>> => {
  const expr = `candidate.${field}`;
  return fc.constantFrom(
    { expr },
    { expr: `${expr} * 1.5 + 0.25` },
    { class: 'ScaledScorer', params: { scorer: { expr } } },
    { class: 'CompositeScorer', params: { scorers: [{ expr, weight: 2 }, { expr: `${expr} / 2` }] } },
  );
};

export const weights = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: FIELDS, maxLength: FIELDS });

/** One entry per field, created by `read`, with these weights if the combine reads weights. */
export const entriesOf = (
  read: readonly Pick<Entry, 'class' | 'expr' | 'params'>[],
  weighted: readonly number[] | undefined,
): Entry[] => read.map((use, k) => ({ id: `s${k}`, ...use, ...(weighted && { weight: weighted[k]! }) }));

export const simple = Array.from({ length: FIELDS }, (_, k) => ({ expr: `candidate.f${k}` }));

export {
  COMBINE_METHOD_NAMES as COMBINES,
  type CombineMethodName as Combine,
  hasRelativeWeights,
  readsWeights,
} from '../../src/profile/combine-methods.js';

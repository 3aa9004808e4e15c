import * as fc from 'fast-check';
import { expect } from 'vitest';
import { createPipeline, type ProfileInput } from 'assize';

export const NOW = Date.parse('2020-06-01');

export interface Row {
  readonly id: number;
  readonly shop: string | null;
  readonly rating: number | null;
  readonly votes: number | null;
  readonly kind: string | null;
  readonly added: string | null;
  readonly sold: boolean | null;
}

const orNull = <V>(value: fc.Arbitrary<V>): fc.Arbitrary<V | null> => fc.option(value, { nil: null, freq: 5 });

const row = fc.record({
  shop: orNull(fc.constantFrom('a', 'é', "it's", '😀', 'back\\slash')),
  rating: orNull(
    fc.oneof(
      fc.constantFrom(0, 5, 10),
      fc.integer({ min: 0, max: 100 }).map((value) => value / 10),
    ),
  ),
  votes: orNull(fc.integer({ min: 0, max: 5000 })),
  kind: orNull(fc.constantFrom('book', 'film', "l'œuvre")),
  added: orNull(fc.constantFrom('2020-05-31', '2019-01-01T12:00:00Z', '1990-02-28')),
  sold: orNull(fc.boolean()),
});

export const tables: fc.Arbitrary<readonly Row[]> = fc
  .array(row, { minLength: 1, maxLength: 30 })
  .map((all) => all.map((one, id) => ({ id, ...one })));

const plainRating = { id: 'rating', expr: 'candidate.rating / 10' };
export const rating = { id: 'rating', expr: 'candidate.rating / 10', weight: 3 };
export const votes = { id: 'votes', expr: 'clamp(ln(candidate.votes) / ln(5000.0), 0, 1)' };
const fresh = {
  id: 'fresh',
  class: 'DecayScorer',
  params: { field: 'added', curve: { type: 'exponential', half_life: '90d' } },
};

const scaled = (id: string, scale: object) => ({
  id,
  class: 'ScaledScorer',
  params: { scorer: { expr: 'candidate.rating' }, scale },
  on_absent: 0,
});

/** Profiles that together use everything that a plain statement can say. */
export const PROFILES: readonly ProfileInput[] = [
  {
    name: 'weighted mean of present scores',
    tier1_scorers: [
      { id: 'sold', expr: 'candidate.sold' },
      { id: 'few', class: 'ThresholdVeto', params: { value: 'votes', min: 10 }, on_absent: 'refuse' },
    ],
    tier2_scorers: [rating, votes, { ...fresh, on_absent: 0.25 }],
    select: { top: 3 },
  },
  {
    name: 'sum, rules and a least score',
    tier2_scorers: [
      { ...rating, on_absent: 'refuse' },
      { ...votes, weight: -0.5, on_absent: 0 },
    ],
    combine: 'weighted_sum',
    adjustments: [
      { id: 'kinds', multiply: { table: { book: 0.5, "l'œuvre": 2 }, by: ['candidate.kind'], missing: 1 } },
      { id: 'sold', when: 'candidate.sold', add: -0.3, min: 0.05 },
      { id: 'never', when: 'candidate.rating == 0.0', refuse: true },
    ],
    select: { min_score: 0.2 },
  },
  {
    name: 'scaled by the extremes of the group',
    tier1_scorers: [{ id: 'sold', expr: 'candidate.sold' }],
    tier2_scorers: [
      { id: 'votes', class: 'ScaledScorer', params: { scorer: { expr: 'candidate.votes' } }, on_absent: 0 },
      { id: 'rating', class: 'ScaledScorer', params: { scorer: { expr: 'candidate.rating' }, scale: { type: 'max' } } },
    ],
    select: { top: 4, ties: ['-candidate.votes'] },
  },
  {
    name: 'formula over measures, limited per kind',
    measures: [{ id: 'half', expr: 'candidate.rating / 2' }],
    tier2_scorers: [
      { id: 'rating', expr: 'measures.half / 5' },
      { ...votes, on_absent: 0 },
    ],
    adjustments: [{ id: 'both', when: 'scores.rating > scores.votes', multiply: 0.75 }],
    combine: { formula: 'rating * 0.5 + pow(votes, 1.5)' },
    select: { per: { by: 'candidate.kind', top: 1 }, top: 3 },
  },
  {
    name: 'scaled by mean, length and rank of the group',
    tier1_scorers: [{ id: 'sold', expr: 'candidate.sold' }],
    tier2_scorers: [
      scaled('mean', { type: 'z_score' }),
      scaled('sample', { type: 'z_score', deviation: 'sample', floor: 0.1, equal: 0.25 }),
      scaled('length', { type: 'l2', floor: 0.1 }),
      scaled('place', { type: 'rank' }),
    ],
    combine: 'weighted_sum',
    select: {},
  },
  {
    name: 'product',
    tier2_scorers: [{ ...plainRating, on_absent: 'refuse' }, { ...votes, on_absent: 0.1 }, fresh],
    combine: 'product',
    select: { top: 5 },
  },
  {
    name: 'weights by kind',
    tier2_scorers: [rating, votes],
    weights: { by: 'candidate.kind', cases: { book: { rating: 1, votes: 3 }, film: { rating: 5, votes: 1 } } },
    select: { top: 5 },
  },
];

export interface Found {
  readonly shop: string | null;
  readonly id: string;
  readonly rank: number;
  readonly score: number;
}

/** The engine's ranking of each group. */
export async function expected(profile: ProfileInput, rows: readonly Row[]): Promise<readonly Found[]> {
  const pipeline = await createPipeline<Row>(profile);
  const groups = [...new Set(rows.map(({ shop }) => shop))];
  const all = await Promise.all(
    groups.map(async (shop) => {
      const own = rows.filter((one) => one.shop === shop);
      const { selected } = await pipeline.rank(own, { now: NOW });
      return selected.map(({ id, rank, score }): Found => ({ shop, id, rank: rank!, score: score! }));
    }),
  );
  return all.flat();
}

export const key = ({ shop, rank }: Found): string => `${shop} ${rank}`;

/** Compares two tables: scores to 12 digits, and the ids of rows whose score no other row comes near. */
export function expectSame(found: readonly Found[], engine: readonly Found[]): void {
  expect(found.map(key).toSorted()).toEqual(engine.map(key).toSorted());
  const byKey = new Map(found.map((one) => [key(one), one]));
  for (const one of engine) {
    const other = byKey.get(key(one))!;
    expect(Math.abs(other.score - one.score)).toBeLessThanOrEqual(1e-12 * Math.max(1, Math.abs(one.score)));
    const isClose = engine.some((x) => x !== one && x.shop === one.shop && Math.abs(x.score - one.score) < 1e-9);
    if (!isClose) expect(other.id).toBe(one.id);
  }
}

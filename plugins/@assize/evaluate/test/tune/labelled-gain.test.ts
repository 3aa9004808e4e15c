/* Weights for the measures of data without queries. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LABELLED_MEASURES, type LabelledMeasureName, type JudgedQuery } from '@assize/evaluate';
import type { ProfileInput } from 'assize';
import { type Tuning, tunedYaml, tuneWeights } from '@assize/evaluate/tune';
import { type GradedRows, labelledGain } from '../../src/tune/labelled-gain.js';
import { learntFromText, tuningLead } from '../../src/tune/tuned-yaml.js';
import { type Item, madeQueries } from './made-queries.js';

const PROFILE: ProfileInput = {
  combine: 'weighted_sum',
  tier2_scorers: [
    { id: 'good', expr: 'candidate.good', weight: 1 },
    { id: 'bad', expr: '1 - candidate.bad', weight: 1 },
    { id: 'noise', expr: 'candidate.noise', weight: 2 },
    { id: 'hiss', expr: 'candidate.hiss', weight: 2 },
  ],
};

/** All candidates as one query, with grades that have this least value. */
function pooled(count: number, least = 0): readonly JudgedQuery<Item>[] {
  const queries = madeQueries(count);
  const grades = queries.flatMap(({ grades: own }) => own.map((grade) => (grade ?? 0) + least));
  return [{ id: 'all', candidates: queries.flatMap(({ candidates }) => candidates), grades }];
}

const weightOf = ({ scorers }: Tuning, id: string): number => scorers.find((one) => one.id === id)!.weight;

describe('tuneWeights over all candidates', () => {
  test.each(['AUC', 'AP', 'tau', 'rho', 'kendall', 'spearman'])('finds weights for %s', async (measure) => {
    const tuning = await tuneWeights(PROFILE, pooled(20), { measure, repeats: 1 });
    const { heldOut, measure: name } = tuning;
    expect(name).toBe({ kendall: 'tau', spearman: 'rho' }[measure] ?? measure);
    expect(heldOut[0].verdict).toBe('better');
    expect(heldOut[0].counts).toBeUndefined();
    expect(heldOut[0].after).toBeGreaterThan(heldOut[0].before);
    expect(weightOf(tuning, 'good')).toBeGreaterThan(2 * weightOf(tuning, 'noise'));
    expect(learntFromText(tuning)).toBe(`200 candidates, for ${name}`);
    expect(tuningLead(tuning)).toMatch(/^The tuned profile is better on data that it was not tuned on: \S/);
    expect(tunedYaml(tuning, { extends: 'x' })).toContain(name);
  });

  test('tau depends on the order of grades only: negative grades give the same weights', async () => {
    const [zero, negative] = [
      await tuneWeights(PROFILE, pooled(10), TAU),
      await tuneWeights(PROFILE, pooled(10, -9), TAU),
    ];
    expect(negative.scorers.map(({ weight }) => weight)).toEqual(zero.scorers.map(({ weight }) => weight));
  });

  test('is an error if all grades are the same', async () => {
    const [query] = pooled(3);
    const same = { ...query!, grades: query!.grades.map(() => 1) };
    await expect(tuneWeights(PROFILE, [same], TAU)).rejects.toThrow(
      /ASZ554 tau needs candidates with different grades/,
    );
  });

  test('AP of several queries is still that of each query', async () => {
    const { heldOut } = await tuneWeights(PROFILE, madeQueries(12), { measure: 'AP', repeats: 1 });
    expect(heldOut[0].counts).toBeDefined();
  });
});

const TAU = { measure: 'tau', repeats: 1 } as const;

const rows = fc.array(fc.tuple(fc.integer({ max: 9, min: 0 }), fc.integer({ max: 9, min: 0 }), fc.nat(3), fc.nat(4)), {
  minLength: 3,
  maxLength: 20,
});
const foldOf = (some: readonly (readonly [number, number, number, number])[]): GradedRows => ({
  before: some.map(([before]) => before),
  after: some.map(([, after]) => after),
  grades: some.map(([, , grade]) => grade),
  positive: some.map(([, , grade]) => grade >= 1),
  groups: some.map(([, , , group]) => String(group)),
});

describe('the gain on held-out rows', () => {
  test.each(['AP', 'tau', 'rho'] as const)('by %s has the variance of omitting each group in turn', (measure) => {
    const valueOf = (values: ArrayLike<number>, grades: readonly number[]): number =>
      LABELLED_MEASURES[measure as LabelledMeasureName].of(Array.from(values), grades, 1)() || 0;
    fc.assert(
      fc.property(rows, (some) => {
        const fold = foldOf(some);
        const { before, after, difference } = labelledGain(measure, 1, [fold]);
        const isFlat = measure === 'AP' ? new Set(fold.positive).size < 2 : new Set(fold.grades).size < 2;
        if (isFlat) {
          expect([before, after]).toEqual([Number.NaN, Number.NaN]);
          return;
        }
        expect(before).toBeCloseTo(valueOf(fold.before, fold.grades), 12);
        expect(after).toBeCloseTo(valueOf(fold.after, fold.grades), 12);
        const names = [...new Set(fold.groups)];
        const gains = names.map((name) => {
          const rest = foldOf(some.filter(([, , , group]) => String(group) !== name));
          return valueOf(rest.after, rest.grades) - valueOf(rest.before, rest.grades);
        });
        const mean = gains.reduce((sum, one) => sum + one, 0) / gains.length;
        const n = names.length;
        const expected = ((n - 1) / n) * gains.reduce((sum, one) => sum + (one - mean) ** 2, 0);
        if (n < 2) expect(difference.variance).toBeNaN();
        else expect(difference.variance).toBeCloseTo(expected, 12);
      }),
    );
  });
});

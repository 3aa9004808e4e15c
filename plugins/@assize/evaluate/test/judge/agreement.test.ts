/* Cohen's kappa and Krippendorff's alpha against scikit-learn, the package krippendorff, and published examples. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { coincidences, contingencies, type RatedUnit } from '../../src/judge/rating-tables.js';
import {
  type AlphaScale,
  cohenKappa,
  type KappaWeights,
  krippendorffAlpha,
} from '../../src/measures/agreement-measures.js';
import { bootstrapIntervals, totalOf } from '../../src/significance/bootstrap.js';
import { seededRandom } from '../../src/significance/distributions.js';

interface Fixture {
  readonly two: readonly {
    readonly a: readonly number[];
    readonly b: readonly number[];
    readonly kappa: Readonly<Record<KappaWeights, number>>;
    readonly alpha: Readonly<Record<AlphaScale, number>>;
  }[];
  readonly many: {
    readonly raters: readonly (readonly (number | null)[])[];
    readonly alpha: Readonly<Record<AlphaScale, number>>;
  };
}

const fixture = JSON.parse(
  readFileSync(new URL('../../../../../test/fixtures/agreement/agreement.json', import.meta.url), 'utf8'),
) as Fixture;

/** Units, each its own group, of raters with a rating or null for each unit. */
const unitsOf = (...raters: readonly (readonly (number | null)[])[]): RatedUnit[] =>
  raters[0]!.map((_, k) => ({ group: String(k), ratings: raters.map((own) => own[k] ?? undefined) }));

function kappaOf(units: readonly RatedUnit[], weights: KappaWeights): number {
  const { grades, groups } = contingencies(units);
  return cohenKappa(totalOf(groups, grades.length ** 2), grades, weights);
}

function alphaOf(units: readonly RatedUnit[], scale: AlphaScale): number {
  const { grades, groups } = coincidences(units);
  return krippendorffAlpha(totalOf(groups, grades.length ** 2), grades, scale);
}

describe("Cohen's kappa", () => {
  test.each(fixture.two.map((one, k) => [k, one] as const))('equals that of scikit-learn: data %i', (_, one) => {
    for (const weights of ['none', 'linear', 'quadratic'] as const)
      expect(kappaOf(unitsOf(one.a, one.b), weights)).toBeCloseTo(one.kappa[weights], 12);
  });

  test('is 0 if one rater gives a constant grade, and unknown if both give the same one', () => {
    expect(kappaOf(unitsOf([0, 1, 2, 1], [1, 1, 1, 1]), 'none')).toBe(0);
    expect(kappaOf(unitsOf([1, 1, 1], [1, 1, 1]), 'linear')).toBeNaN();
  });
});

describe("Krippendorff's alpha", () => {
  test.each(fixture.two.map((one, k) => [k, one] as const))('equals that of krippendorff: data %i', (_, one) => {
    for (const scale of ['nominal', 'ordinal', 'interval'] as const)
      expect(alphaOf(unitsOf(one.a, one.b), scale)).toBeCloseTo(one.alpha[scale], 12);
  });

  test('equals the published values for four observers with missing values', () => {
    const units = unitsOf(...fixture.many.raters);
    // Krippendorff 2011, section C, D: .743, .815, .849.
    expect(alphaOf(units, 'nominal')).toBeCloseTo(0.743, 3);
    expect(alphaOf(units, 'ordinal')).toBeCloseTo(0.815, 3);
    expect(alphaOf(units, 'interval')).toBeCloseTo(0.849, 3);
    for (const scale of ['nominal', 'ordinal', 'interval'] as const)
      expect(alphaOf(units, scale)).toBeCloseTo(fixture.many.alpha[scale], 12);
  });

  test('is unknown if all ratings are equal', () => {
    expect(alphaOf(unitsOf([2, 2], [2, 2]), 'ordinal')).toBeNaN();
  });
});

describe('bootstrap intervals', () => {
  const settings = { samples: 2000, random: seededRandom(1), confidence: 0.95 };

  test('of a mean agree with the normal interval', () => {
    const random = seededRandom(5);
    const groups = Array.from(
      { length: 400 },
      () =>
        [
          [0, random()],
          [1, 1],
        ] as const,
    );
    const mean = (total: Float64Array): number => total[0]! / total[1]!;
    const [[low, high] = [0, 0]] = bootstrapIntervals(groups, 2, (total) => [mean(total)], settings);
    const half = 1.96 * Math.sqrt(1 / 12 / 400);
    expect(low).toBeCloseTo(mean(totalOf(groups, 2)) - half, 2);
    expect(high).toBeCloseTo(mean(totalOf(groups, 2)) + half, 2);
  });

  test('of few groups contain the true value in about 95 % of samples', () => {
    const random = seededRandom(7);
    let covered = 0;
    for (let run = 0; run < 400; run++) {
      // Eight queries, in each of which a judge that agrees in 7 of 10 cases sees ten candidates.
      const groups = Array.from({ length: 8 }, () => {
        const agreed = Array.from({ length: 10 }, () => random() < 0.7).filter(Boolean).length;
        return [[0, agreed] as const, [1, 10] as const];
      });
      const [[low, high] = [0, 0]] = bootstrapIntervals(groups, 2, ([sum, count]) => [sum! / count!], {
        samples: 500,
        random,
        confidence: 0.95,
      });
      if (low <= 0.7 && 0.7 <= high) covered += 1;
    }
    expect(covered / 400).toBeGreaterThan(0.92);
    expect(covered / 400).toBeLessThan(0.98);
  });

  test('are unknown for one group', () => {
    expect(bootstrapIntervals([[[0, 1]]], 1, ([sum]) => [sum!], settings)).toEqual([[Number.NaN, Number.NaN]]);
  });
});

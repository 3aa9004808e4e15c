import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../../../../src/base/package-root.js';
import { holm, pairedT, permutationTest, signTest, wilcoxon } from '../src/significance/tests.js';
import { seededRandom } from '../src/significance/distributions.js';
import { auc, averagePrecisionOf, kendallTauB, spearman } from '../src/measures/labelled-measures.js';
import {
  aucDifference,
  aucEstimate,
  estimateMean,
  pOf,
  shareInterval,
  simultaneousQuantile,
} from '../src/significance/intervals.js';
import { bootstrapMean } from '../../../../test/calibrate/bootstrap.js';
import { tQuantile, twoSidedT } from '../src/significance/distributions.js';

const read = (file: string): unknown =>
  JSON.parse(readFileSync(join(packageRoot(), 'test', 'fixtures', 'significance', file), 'utf8'));

interface Compared {
  readonly a: readonly number[];
  readonly b: readonly number[];
  readonly paired_t: { readonly t: number; readonly df: number; readonly p: number };
  readonly wilcoxon_zero_method_wilcox: { readonly statistic: number; readonly p: number };
  readonly sign_flip_permutation_p: number;
  readonly bootstrap_percentile_95_of_mean_difference: readonly [number, number];
}

const { measures } = read('cacm-two-bm25.json') as { readonly measures: Readonly<Record<string, Compared>> };

describe.each(Object.entries(measures))('two runs by %s, compared with SciPy', (_name, expected) => {
  const differences = expected.a.map((value, k) => value - expected.b[k]!);

  test('by a paired t-test', () => {
    const { statistic, degrees, p } = pairedT(differences);
    expect(statistic).toBeCloseTo(expected.paired_t.t, 10);
    expect(degrees).toBe(expected.paired_t.df);
    expect(p).toBeCloseTo(expected.paired_t.p, 10);
  });

  test("by Wilcoxon's signed ranks", () => {
    const { statistic, p } = wilcoxon(differences);
    expect(statistic).toBe(expected.wilcoxon_zero_method_wilcox.statistic);
    expect(p).toBeCloseTo(expected.wilcoxon_zero_method_wilcox.p, 10);
  });

  test('by a permutation test', () => {
    const p = permutationTest(differences, 20_000, seededRandom(1));
    expect(Math.abs(p - expected.sign_flip_permutation_p)).toBeLessThan(0.012);
  });

  test('by a bootstrap of the mean', () => {
    const interval = bootstrapMean(differences, { samples: 20_000, confidence: 0.95, random: seededRandom(1) });
    for (const [k, bound] of interval.entries()) {
      expect(Math.abs(bound - expected.bootstrap_percentile_95_of_mean_difference[k]!)).toBeLessThan(0.004);
    }
  });
});

test('adjusts several p-values', () => {
  const { p, ...expected } = read('multiple.json') as Readonly<Record<string, readonly number[]>>;
  for (const [k, value] of holm(p!).entries()) expect(value).toBeCloseTo(expected['holm']![k]!, 12);
});

interface Correlated {
  readonly x: readonly number[];
  readonly y: readonly number[];
  readonly kendall_tau_b: number | null;
  readonly spearman: number | null;
}

test.each(read('rank-correlation.json') as Correlated[])('correlation of two lists: case %#', (expected) => {
  for (const [ours, theirs] of [
    [kendallTauB(expected.x, expected.y)(), expected.kendall_tau_b],
    [spearman(expected.x, expected.y)(), expected.spearman],
  ] as const) {
    if (theirs === null) expect(ours).toBeNaN();
    else expect(ours).toBeCloseTo(theirs, 12);
  }
});

test('labels without queries have the AUC and the average precision of scikit-learn', () => {
  const expected = read('auc.json') as Readonly<Record<'labels' | 'scores', number[]>> &
    Readonly<Record<'roc_auc' | 'average_precision', number>>;
  const labelled = { scores: expected.scores, positive: expected.labels.map((label) => label === 1) };
  expect(auc(labelled)).toBeCloseTo(expected.roc_auc, 12);
  expect(averagePrecisionOf(labelled)()).toBeCloseTo(expected.average_precision, 12);
  expect(auc({ scores: [1, 2], positive: [true, true] })).toBeNaN();
  expect(averagePrecisionOf({ scores: [1, 2], positive: [false, false] })()).toBeNaN();
});

describe('a sign-flip permutation test', () => {
  const random = () => seededRandom(5);

  test('is exact for few differences: it tries each pattern of signs', () => {
    // Of the 2 ** 4 patterns of signs, only +++ + and − − − − are as far from 0.
    expect(permutationTest([1, 2, 3, 4], 100, random())).toBe(2 / 2 ** 4);
    expect(permutationTest([1, 1, -1, 0, 0], 100, random())).toBe(1);
    expect(permutationTest([0, 0], 100, random())).toBe(1);
    expect(permutationTest([], 100, random())).toBe(1);
  });

  test('gives all differences of a group one sign', () => {
    const differences = Array.from({ length: 400 }, (_, k) => 0.1 + 0.001 * (k % 7));
    const groups = differences.map((_, k) => `g${k % 4}`);
    expect(permutationTest(differences, 2000, random(), groups)).toBe(2 / 2 ** 4);
    expect(permutationTest(differences, 2000, random())).toBeLessThan(1e-20);
  });

  test('computes the tail for which samples are too few', () => {
    // The sum of 60 signs is at least 36 if at least 48 are +: a binomial tail.
    const differences = Array.from({ length: 60 }, (_, k) => (k < 48 ? 1 : -1) * (1 + 1e-3 * Math.sin(k)));
    const p = permutationTest(differences, 1000, random());
    const binomial = signTest(48, 12);
    expect(p).toBeGreaterThan(binomial / 2);
    expect(p).toBeLessThan(binomial * 2);
    expect(p).toBeLessThan(1 / 1001);
  });

  test('gives the smallest possible p if all differences have one sign', () => {
    const differences = Array.from({ length: 27 }, (_, k) => 0.1 + 0.01 * (k % 5));
    expect(permutationTest(differences, 10_000, random())).toBeCloseTo(2 ** -26, 12);
  });

  test('detects one difference among 51 with few samples', () => {
    const one = Array.from({ length: 40 }, (_, k) => 0.1 + 0.05 * Math.sin(k));
    const p = holm([permutationTest(one, 500, random()), ...Array.from({ length: 50 }, () => 0.7)]);
    expect(p[0]).toBeLessThan(0.001);
  });
});

describe('intervals', () => {
  test('have the quantiles of Student and Gauss', () => {
    const table = [
      [1, 12.7062],
      [4, 2.77645],
      [9, 2.26216],
      [30, 2.04227],
      [Number.POSITIVE_INFINITY, 1.95996],
    ] as const;
    for (const [degrees, quantile] of table) expect(tQuantile(0.95, degrees)).toBeCloseTo(quantile, 4);
    expect(twoSidedT(2.26216, 9)).toBeCloseTo(0.05, 6);
  });

  test('of a share are those of Wilson, widened by Student for few observations', () => {
    const yes = Array.from({ length: 1000 }, (_, k) => (k < 900 ? 1 : 0));
    const [low, high] = shareInterval(estimateMean(yes), 1000, 0.95);
    expect(low).toBeCloseTo(0.8799, 3);
    expect(high).toBeCloseTo(0.9171, 3);
    const [least, most] = shareInterval(estimateMean(Array.from({ length: 10 }, () => 1)), 10, 0.95);
    expect([least, most]).toEqual([expect.closeTo(0.66, 2), 1]);
    expect(shareInterval(estimateMean([0.5]), 1, 0.95)).toEqual([Number.NaN, Number.NaN]);
  });

  test('are as wide for groups as for as many values, if the values of a group are equal', () => {
    const values = [0.2, 0.5, 0.9, 0.4, 0.6];
    const five = estimateMean(values);
    const repeated = estimateMean(
      values.flatMap((value) => [value, value, value]),
      values.flatMap((_, k) => [`g${k}`, `g${k}`, `g${k}`]),
    );
    expect(repeated.variance).toBeCloseTo(five.variance, 12);
    expect(repeated.degrees).toBe(4);
  });

  test('hold jointly for several comparisons: wider than one, narrower than Bonferroni if they are related', () => {
    const random = seededRandom(3);
    const draw = (shared: readonly number[], own: number) =>
      estimateMean(shared.map((one) => one + own * (random() - 0.5)));
    const shared = Array.from({ length: 40 }, () => random() - 0.5);
    const quantile = (own: number): number =>
      simultaneousQuantile(
        Array.from({ length: 20 }, () => draw(own === 0.1 ? shared : shared.map(() => 0), own)),
        0.95,
        4000,
        random,
      );
    const bonferroni = tQuantile(1 - 0.05 / 20, 39);
    expect(quantile(0.1)).toBeGreaterThan(tQuantile(0.95, 39));
    expect(quantile(0.1)).toBeLessThan(2.5);
    expect(quantile(1)).toBeGreaterThan(2.8);
    expect(quantile(1)).toBeLessThanOrEqual(bonferroni);
  });
});

describe("DeLong's variance", () => {
  test('is S10/m + S01/n with the divisors m − 1 and n − 1', () => {
    // Placements of the positives: 1, 2/3, 1/3 (S10 = 1/9); of the negatives: 1, 2/3, 1/3 (S01 = 1/9).
    const { value, variance } = aucEstimate(
      [6, 4, 2, 5, 3, 1],
      [true, true, true, false, false, false],
      'abcdef'.split(''),
    );
    expect(value).toBeCloseTo(2 / 3, 12);
    expect(variance).toBeCloseTo(1 / 27 + 1 / 27, 12);
  });

  test('is the variance of the area over many samples, also with five positives', () => {
    const random = seededRandom(9);
    const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    const positive = Array.from({ length: 60 }, (_, k) => k < 5);
    const groups = Array.from(positive.keys(), String);
    const drawn = Array.from({ length: 1500 }, () =>
      aucEstimate(
        positive.map((is) => normal() + (is ? 0.8 : 0)),
        positive,
        groups,
      ),
    );
    const mean = drawn.reduce((sum, { value }) => sum + value, 0) / drawn.length;
    const truth = drawn.reduce((sum, { value }) => sum + (value - mean) ** 2, 0) / (drawn.length - 1);
    const estimated = drawn.reduce((sum, { variance }) => sum + variance, 0) / drawn.length;
    expect(estimated / truth).toBeGreaterThan(0.92);
    expect(estimated / truth).toBeLessThan(1.08);
  });

  test('is not defined with one positive', () => {
    const { difference } = aucDifference([
      { before: [1, 2, 3], after: [3, 2, 1], positive: [true, false, false], groups: ['a', 'b', 'c'] },
    ]);
    expect(difference.variance).toBeNaN();
    expect(pOf(difference)).toBe(1);
  });
});

test('draws whole groups: similarity within a group widens the interval', () => {
  const values = Array.from({ length: 40 }, (_, k) => (k < 20 ? 1 : 0));
  const groups = values.map(String);
  const options = { samples: 2000, confidence: 0.95 };
  // A single value or group contains no information about the variance.
  expect(bootstrapMean([0.5], { ...options, random: seededRandom(7) })).toEqual([Number.NaN, Number.NaN]);
  const alone = bootstrapMean(values, { ...options, random: seededRandom(7) });
  const grouped = bootstrapMean(values, { ...options, random: seededRandom(7), groups });
  expect(grouped).toEqual([0, 1]);
  expect(alone[0]).toBeGreaterThan(0.3);
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  auc,
  averagePrecisionOf,
  benjaminiHochberg,
  bootstrapMean,
  holm,
  kendallTauB,
  pairedT,
  permutationTest,
  seededRandom,
  spearman,
  wilcoxon,
} from '../../src/evaluate/index.js';

const read = (file: string): unknown =>
  JSON.parse(readFileSync(join(import.meta.dirname, '..', 'fixtures', 'significance', file), 'utf8'));

interface Compared {
  readonly a: readonly number[];
  readonly b: readonly number[];
  readonly paired_t: { readonly t: number; readonly df: number; readonly p: number };
  readonly wilcoxon_zero_method_wilcox: { readonly statistic: number; readonly p: number };
  readonly sign_flip_permutation_p: number;
  readonly bootstrap_percentile_95_of_mean_difference: readonly [number, number];
}

const { measures } = read('cacm-two-bm25.json') as { readonly measures: Readonly<Record<string, Compared>> };

describe.each(Object.entries(measures))('two runs by %s, as SciPy compares them', (_name, expected) => {
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

  test('by chance', () => {
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

test('several p-values are adjusted', () => {
  const { p, ...expected } = read('multiple.json') as Readonly<Record<string, readonly number[]>>;
  for (const [k, value] of holm(p!).entries()) expect(value).toBeCloseTo(expected['holm']![k]!, 12);
  for (const [k, value] of benjaminiHochberg(p!).entries())
    expect(value).toBeCloseTo(expected['benjamini_hochberg']![k]!, 12);
});

interface Correlated {
  readonly x: readonly number[];
  readonly y: readonly number[];
  readonly kendall_tau_b: number | null;
  readonly spearman: number | null;
}

test.each(read('rank-correlation.json') as Correlated[])('two lists correlate: case %#', (expected) => {
  for (const [ours, theirs] of [
    [kendallTauB(expected.x, expected.y), expected.kendall_tau_b],
    [spearman(expected.x, expected.y), expected.spearman],
  ] as const) {
    if (theirs === null) expect(ours).toBeNaN();
    else expect(ours).toBeCloseTo(theirs, 12);
  }
});

test('labels without queries have the area and the average precision of scikit-learn', () => {
  const expected = read('auc.json') as Readonly<Record<'labels' | 'scores', number[]>> &
    Readonly<Record<'roc_auc' | 'average_precision', number>>;
  const labelled = { scores: expected.scores, positive: expected.labels.map((label) => label === 1) };
  expect(auc(labelled)).toBeCloseTo(expected.roc_auc, 12);
  expect(averagePrecisionOf(labelled)).toBeCloseTo(expected.average_precision, 12);
  expect(auc({ scores: [1, 2], positive: [true, true] })).toBeNaN();
  expect(averagePrecisionOf({ scores: [1, 2], positive: [false, false] })).toBeNaN();
});

test('whole groups are drawn: what is alike in a group widens the interval', () => {
  const values = Array.from({ length: 40 }, (_, k) => (k < 20 ? 1 : 0));
  const groups = values.map(String);
  const options = { samples: 2000, confidence: 0.95 };
  // One value, or one group, says nothing of how far apart others are.
  expect(bootstrapMean([0.5], { ...options, random: seededRandom(7) })).toEqual([Number.NaN, Number.NaN]);
  const alone = bootstrapMean(values, { ...options, random: seededRandom(7) });
  const grouped = bootstrapMean(values, { ...options, random: seededRandom(7), groups });
  expect(grouped).toEqual([0, 1]);
  expect(alone[0]).toBeGreaterThan(0.3);
});

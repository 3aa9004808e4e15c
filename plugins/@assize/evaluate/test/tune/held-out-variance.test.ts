import { describe, expect, test } from 'vitest';
import { tQuantile } from '../../src/significance/distributions.js';
import { tuneWeights } from '../../src/tune/tune-weights.js';
import { combinedDivisions } from '../../src/tune/held-out.js';
import { seededRandom } from '../../src/significance/distributions.js';

describe('the variance of a held-out gain', () => {
  test("combines divisions by Rubin's rules, with the degrees of freedom of Barnard and Rubin", () => {
    const { variance, degrees } = combinedDivisions({ value: 0.1, variance: 1, degrees: 39 }, 0.5, 5);
    expect(variance).toBeCloseTo(1.6, 12);
    // The added share is 0.6 / 1.6: 4 / 0.375² from divisions, and 40 / 42 × 39 × 0.625 from units.
    expect(1 / degrees).toBeCloseTo(0.375 ** 2 / 4 + 1 / ((40 / 42) * 39 * 0.625), 12);
  });

  test('equals that within divisions if all divisions agree', () => {
    expect(combinedDivisions({ value: 0.1, variance: 1, degrees: 39 }, 0, 5)).toEqual({
      value: 0.1,
      variance: 1,
      degrees: 39,
    });
    expect(combinedDivisions({ value: 0, variance: 0, degrees: 39 }, 0, 5).variance).toBe(0);
  });

  const random = seededRandom(5);
  const queries = Array.from({ length: 30 }, (_, q) => {
    const candidates = Array.from({ length: 10 }, () => ({ a: random(), b: random(), c: random() }));
    return { id: `q${q}`, candidates, grades: candidates.map(({ a, b }) => (a + b + random() > 1.8 ? 1 : 0)) };
  });
  const profile = { tier2_scorers: ['a', 'b', 'c'].map((id) => ({ id, expr: `candidate.${id}` })) };
  const rows = [
    {
      ...queries[0]!,
      candidates: queries.flatMap((one) => one.candidates),
      grades: queries.flatMap((one) => one.grades),
    },
  ];

  test.each([
    ['nDCG@10', queries],
    ['AUC', rows],
  ] as const)('gives the interval of %s, from the divisions', async (measure, data) => {
    const { heldOut } = await tuneWeights(profile, data, { measure });
    const [{ repeats, difference, interval, variance }] = heldOut;
    expect(repeats).toBe(5);
    expect(variance.between).toBeGreaterThan(0);
    const { within, between, degrees: of } = variance;
    const { variance: total, degrees } = combinedDivisions(
      { value: difference, variance: within, degrees: of },
      between,
      5,
    );
    const half = tQuantile(0.95, degrees) * Math.sqrt(total);
    expect(interval[0]).toBeCloseTo(difference - half, 12);
    expect(interval[1]).toBeCloseTo(difference + half, 12);
    expect(half).toBeGreaterThan(tQuantile(0.95, of) * Math.sqrt(variance.independent));
  });

  test('of a single division is larger than that of independent queries', async () => {
    const { heldOut } = await tuneWeights(profile, queries, { repeats: 1 });
    const [{ interval, variance, repeats }] = heldOut;
    expect(repeats).toBe(1);
    expect(variance.between).toBeNaN();
    const half = (interval[1] - interval[0]) / 2;
    expect((half / tQuantile(0.95, variance.degrees)) ** 2).toBeCloseTo(1.8 * variance.independent, 12);
  });
});

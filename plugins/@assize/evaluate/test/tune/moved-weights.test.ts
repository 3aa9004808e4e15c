import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JudgedQuery } from '@assize/evaluate';
import { seededRandom } from '../../src/significance/distributions.js';
import type { ProfileInput } from 'assize';
import { MovedWeights } from '../../src/tune/model/fitter.js';
import { prepareSearch } from '../../src/tune/prepare-search.js';

const IDS = ['a', 'b', 'c', 'd'];

/** Queries whose candidates lack some of their numbers; some are 0. */
function queries(): readonly JudgedQuery<object>[] {
  const random = seededRandom(5);
  return Array.from({ length: 12 }, (_, q) => ({
    id: `q${q}`,
    candidates: Array.from({ length: 6 }, () =>
      Object.fromEntries([
        ['e', random()],
        ...IDS.map((id) => [id, random() < 0.2 ? undefined : Math.floor(random() * 5) / 4]),
      ]),
    ),
    grades: [2, 0, 1, 0, 0, 3],
  }));
}

test.each<Pick<ProfileInput, 'combine'>>([
  { combine: 'weighted_mean' },
  { combine: 'weighted_sum' },
  { combine: 'geometric_mean' },
])('moving one weight measures the same as all weights do, by %o', async (how) => {
  const scorers = [...IDS, 'e'].map((id) => ({ id, expr: `candidate.${id}` }));
  // Scorers that are not tuned count, too.
  const search = await prepareSearch({ ...how, tier2_scorers: scorers }, queries(), { measure: 'nDCG@3', only: IDS });
  const { weighing, judge } = search;
  const rows = Int32Array.from({ length: weighing.rows }, (_, row) => row);
  const { columns } = weighing;
  const totals = new Float64Array(weighing.rows);
  const measured = (weights: Float64Array): readonly [number, Float64Array] => {
    weighing.totals({ weights, columns }, rows, totals);
    return [judge.over(rows)(totals), totals.slice()];
  };
  const weight = fc.constantFrom(0, 0.25, 0.5, 1, 3);
  const moves = fc.array(fc.tuple(fc.nat(IDS.length - 1), weight, fc.boolean()), { maxLength: 8 });
  fc.assert(
    fc.property(fc.tuple(weight, weight, weight, weight), moves, (start, steps) => {
      const weights = Float64Array.from(start);
      let seen = new Float64Array();
      const moved = new MovedWeights(weighing, columns, rows, (given) => {
        seen = given.slice();
        return judge.over(rows)(given);
      });
      expect(moved.from(weights)).toBe(measured(weights)[0]);
      for (const [k, to, keeps] of steps) {
        moved.moved(k, to);
        const [, expected] = measured(weights.with(k, to));
        for (const [row, total] of expected.entries()) expect(seen[row]).toBeCloseTo(total, 5);
        if (!keeps) continue;
        moved.keep(k, to);
        weights[k] = to;
      }
    }),
  );
});

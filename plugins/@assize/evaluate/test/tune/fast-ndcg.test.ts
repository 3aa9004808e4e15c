import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseMeasure } from '@assize/evaluate';
import { fastNdcg, sortRange } from '../../src/tune/ranked-queries.js';

test('equals the measure of that name, for every order, cut and grade', () => {
  const grade = fc.option(fc.integer({ min: -1, max: 4 }), { nil: undefined });
  const totals = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 90, maxLength: 90 });
  fc.assert(
    fc.property(
      fc.constantFrom('nDCG', 'nDCG@3', 'nDCGexp', 'nDCGexp@10'),
      fc.array(grade, { minLength: 1, maxLength: 90 }),
      fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 3 }),
      totals,
      (name, grades, missing, scores) => {
        const judgements = [...grades.filter((one) => one !== undefined), ...missing];
        const rows = Int32Array.from(grades.keys());
        sortRange(rows, 0, rows.length, Float64Array.from(scores));
        const sorted = Array.from(grades.keys()).sort((a, b) => scores[b]! - scores[a]! || a - b);
        expect([...rows]).toEqual(sorted);
        const fast = fastNdcg(
          name,
          Float64Array.from(grades, (one) => one ?? Number.NaN),
          [judgements],
        )!;
        const ties = sorted.flatMap((row, k) => (k > 0 && scores[sorted[k - 1]!] === scores[row] ? [] : [row]));
        const sizes = ties.map((row) => sorted.filter((other) => scores[other] === scores[row]).length);
        const slow = parseMeasure(name).of({ grades: sorted.map((k) => grades[k]), judgements, ties: sizes });
        expect(fast(rows, 0, rows.length, 0, Float64Array.from(scores))).toBeCloseTo(slow, 12);
      },
    ),
  );
  expect(fastNdcg('AP', new Float64Array(1), [[1]])).toBeUndefined();
});

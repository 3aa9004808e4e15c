import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { radixOrder } from '../../../src/engine/kernel/top-rows.js';

/** The definition: the greatest first, equal ones in their order. */
const byComparison = (totals: Float64Array): number[] =>
  Array.from(totals.keys()).sort((a, b) => totals[b]! - totals[a]! || a - b);

const total = fc.oneof(
  fc.double({ noNaN: true }),
  fc.constantFrom(0, -0, 1, -1, 0.1 + 0.2, 0.3, Number.MIN_VALUE, -Number.MIN_VALUE, Number.MAX_VALUE, 2 ** -1022),
  fc.integer({ min: -3, max: 3 }),
);

test('equals the order by comparison for any totals', () => {
  fc.assert(
    fc.property(fc.array(total, { maxLength: 300 }), (values) => {
      // Infinities compare as NaN when they are subtracted; no total is infinite.
      const totals = Float64Array.from(values.filter(Number.isFinite));
      expect([...radixOrder(totals)]).toEqual(byComparison(totals));
    }),
    { numRuns: 500 },
  );
});

test('orders many rows with many ties', () => {
  const totals = Float64Array.from({ length: 20_000 }, (_, row) => Math.round(Math.sin(row) * 500) / 500);
  expect([...radixOrder(totals)]).toEqual(byComparison(totals));
});

test('orders totals that differ only in their last bits', () => {
  for (const length of [40, 5000]) {
    const totals = Float64Array.from({ length }, (_, row) => Math.sign(Math.cos(row)) * (1 + Math.sin(row) * 1e-12));
    expect([...radixOrder(totals)]).toEqual(byComparison(totals));
  }
});

test('orders a part of a buffer', () => {
  const totals = Float64Array.from({ length: 30 }, (_, row) => Math.sin(row)).subarray(3, 20);
  expect([...radixOrder(totals)]).toEqual(byComparison(totals));
});

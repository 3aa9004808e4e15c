import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { sortRows, topRows } from '../../src/engine/kernel/top-rows.js';

const totals = fc
  .oneof(
    fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { maxLength: 200, size: 'max' }),
    fc.array(fc.integer({ min: -2, max: 2 }), { maxLength: 200, size: 'max' }), // many ties
    fc.array(fc.constantFrom(0, -0, 1), { maxLength: 40, size: 'max' }),
  )
  .map((list) => Float64Array.from(list));

test('sortRows: score descending, then position in the input', () => {
  fc.assert(
    fc.property(totals, (all) => {
      const naive = [...all.keys()].toSorted((a, b) => all[b]! - all[a]! || a - b);
      expect([...sortRows(all)]).toEqual(naive);
    }),
  );
});

test('topRows is the beginning of sortRows, however many there are', () => {
  fc.assert(
    fc.property(totals, fc.nat(220), (all, count) => {
      expect([...topRows(all, count)]).toEqual([...sortRows(all)].slice(0, count));
    }),
    { numRuns: 500 },
  );
});

test('and leaves the totals alone', () => {
  fc.assert(
    fc.property(totals, fc.nat(20), (all, count) => {
      const before = all.slice();
      topRows(all, count);
      expect(all).toEqual(before);
    }),
  );
});

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { BestRows, type GroupedRow, sortRows, TopPerGroup, topRows } from '../../src/engine/kernel/top-rows.js';

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

test('topRows is the start of sortRows, for any number', () => {
  fc.assert(
    fc.property(totals, fc.nat(220), (all, count) => {
      expect([...topRows(all, count)]).toEqual([...sortRows(all)].slice(0, count));
    }),
    { numRuns: 500 },
  );
});

test('BestRows keeps the rows of topRows if a loop offers each row above the floor, the first ones last', () => {
  fc.assert(
    fc.property(totals, fc.nat(60), fc.nat(20), (all, count, late) => {
      const best = new BestRows(all, count);
      for (let row = late; row < all.length; row++) if (!(all[row]! <= best.floor)) best.enter(row);
      for (let row = 0; row < Math.min(late, all.length); row++) best.enter(row);
      expect([...best.rows]).toEqual([...topRows(all, count)]);
      expect(best.unresolved).toBe(-1);
    }),
    { numRuns: 500 },
  );
});

test('BestRows reports the first row without a finite total', () => {
  for (const count of [0, 1, 3]) {
    const all = Float64Array.of(1, 2, Number.NaN, 5, Number.POSITIVE_INFINITY);
    const best = new BestRows(all, count);
    for (let row = 0; row < all.length; row++) if (!(all[row]! <= best.floor)) best.enter(row);
    expect(best.unresolved).toBe(2);
  }
});

test('and does not change the totals', () => {
  fc.assert(
    fc.property(totals, fc.nat(20), (all, count) => {
      const before = all.slice();
      topRows(all, count);
      expect(all).toEqual(before);
    }),
  );
});

test('TopPerGroup keeps the rows of a walk over all rows, for any order of parts', () => {
  const group = fc.option(fc.integer({ min: 0, max: 5 }), { nil: undefined, freq: 6 });
  const rows = fc.array(fc.tuple(fc.integer({ min: 0, max: 40 }), group), { maxLength: 1500, size: 'max' });
  fc.assert(
    fc.property(rows, fc.nat(60), fc.integer({ min: 1, max: 9 }), fc.nat(1500), (drawn, count, perGroup, cut) => {
      const all = drawn.map(([total, own], row) => ({ total, group: own, row }));
      const keep = (some: readonly GroupedRow[]): TopPerGroup => {
        const best = new TopPerGroup(count, perGroup);
        for (const row of some) if (!(row.total < best.minCompetitiveScore)) best.add(row);
        return best;
      };
      const counts = new Map<number, number>();
      const walked = all
        .toSorted((a, b) => b.total - a.total || a.row - b.row)
        .filter(({ group: own }) => {
          if (own === undefined) return true;
          counts.set(own, (counts.get(own) ?? 0) + 1);
          return counts.get(own)! <= perGroup;
        })
        .slice(0, count);
      expect(keep(all).rows).toEqual(walked);
      const parts = [...keep(all.slice(cut)).rows, ...keep(all.slice(0, cut)).rows];
      expect(keep(parts).rows).toEqual(walked);
    }),
    { numRuns: 200 },
  );
});

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CostedRow } from 'assize/sdk';
import { costOf, greedy, ids, rowLists } from './rows.js';
import { selectorOf } from './select-with.js';

describe('replacedBy of a row that a greedy pack left out', () => {
  const tight = fc.integer({ min: 20, max: 150 });

  test('without those rows it would be in, or another listed one would', async () => {
    const select = await selectorOf(greedy);
    let behind = 0;
    fc.assert(
      fc.property(rowLists(20), tight, (rows, target) => {
        for (const { index, reason, data, replacedBy = [] } of select(rows, { target, max: target }).left) {
          if (reason === 'too_large') {
            expect(replacedBy).toEqual([]);
            expect(rows[index]!.cost).toBeGreaterThan(target);
            continue;
          }
          const without = rows.filter((row) => !replacedBy.includes(row.index));
          const again = select(without, { target, max: target });
          const inside = ids(again.kept);
          expect(inside.includes(index)).toBe(reason === 'no_room');
          if (reason !== 'behind') continue;
          behind += 1;
          expect(inside).toContain(rows.find(({ id }) => id === data?.['next'])?.index);
        }
      }),
      { numRuns: 500 },
    );
    expect(behind).toBeGreaterThan(0);
  });

  test('names the fewest rows, the largest first, among the earlier ones', async () => {
    const select = await selectorOf(greedy);
    fc.assert(
      fc.property(rowLists(20), tight, (rows, target) => {
        const { kept, left } = select(rows, { target, max: target });
        const dense = ({ score, cost }: CostedRow): number => (cost === 0 ? Infinity : score / cost);
        for (const { index, data, replacedBy = [] } of left) {
          const row = rows[index]!;
          if (row.cost > target) continue;
          const before = kept.filter(
            (one) => dense(one) > dense(row) || (dense(one) === dense(row) && one.index < index),
          );
          const largest = before.map(({ cost }) => cost).toSorted((a, b) => b - a);
          const lacked = row.cost - Number(data?.['room']);
          expect(lacked).toBe(row.cost - (target - costOf(before)));
          const costs = replacedBy.map((one) => rows[one]!.cost);
          expect(costs).toEqual(largest.slice(0, costs.length));
          expect(costs.reduce((sum, cost) => sum + cost, 0)).toBeGreaterThanOrEqual(lacked);
          expect(costs.slice(0, -1).reduce((sum, cost) => sum + cost, 0)).toBeLessThan(lacked);
        }
      }),
      { numRuns: 500 },
    );
  });
});

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CostedRow } from 'assize/sdk';
import { knapsack, rowLists } from './rows.js';
import { rowsOf, selectorOf, selectWith } from './select-with.js';

describe('a knapsack', () => {
  const small = rowLists(9);
  const value = ({ score }: CostedRow): number => Math.floor(score * 10_000);
  const total = (rows: readonly CostedRow[]): number => rows.reduce((sum, row) => sum + value(row), 0);

  test('is worth as much as the best of all combinations, in its units', async () => {
    const bucket = 10;
    const select = await selectorOf(knapsack);
    const weight = (rows: readonly CostedRow[]): number =>
      rows.reduce((sum, { cost }) => sum + Math.ceil(cost / bucket), 0);
    fc.assert(
      fc.property(small, fc.integer({ min: 1, max: 200 }), (rows, target) => {
        let best = 0;
        for (let chosen = 0; chosen < 2 ** rows.length; chosen++) {
          const some = rows.filter((_, i) => (chosen >> i) % 2 === 1);
          if (weight(some) <= Math.floor(target / bucket)) best = Math.max(best, total(some));
        }
        expect(total(select(rows, { target, max: target }).kept)).toBe(best);
      }),
    );
  });

  test('explains why a row is not selected', async () => {
    const rows = rowsOf([
      { score: 0.9, cost: 100 },
      { score: 0.5, cost: 100 },
      { score: 0.4, cost: 400 },
      { score: 0.00009, cost: 1 },
    ]);
    const { left } = await selectWith(knapsack, rows, { target: 150, max: 150 });
    expect(left.map(({ index, reason }) => [index, reason])).toEqual([
      [1, 'not_best'],
      [2, 'too_large'],
      [3, 'worthless'],
    ]);
  });

  test('that would be too large is rejected, with a hint', async () => {
    const rows = rowsOf(Array.from({ length: 2000 }, () => ({ score: 0.5, cost: 1000 })));
    const use = { class: 'KnapsackPack', params: { bucket_size: 1 } };
    await expect(selectWith(use, rows, { target: 1e6, max: 1e6 })).rejects.toThrow(
      /2000 rows and 1000001 buckets is too large .* make bucket_size 41 times as large/,
    );
    expect((await selectWith(use, rows.slice(0, 10), { target: 1e12, max: 1e12 })).kept).toHaveLength(10);
  });
});

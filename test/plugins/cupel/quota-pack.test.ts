import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { costOf, greedy, ids, kindOf, quota, quotas, rowLists } from './rows.js';
import { rowsOf, type SelectorUse, selectorOf, selectWith } from './select-with.js';

test('a quota fills its requires or reports the shortage, and respects its caps', async () => {
  const select = await selectorOf(quota(greedy));
  fc.assert(
    fc.property(rowLists(), fc.integer({ min: 1, max: 200 }), (rows, target) => {
      const { kept, warnings = [] } = select(rows, { target, max: target });
      if (rows.length === 0) return;
      for (const { kind, require = 0, cap } of quotas) {
        const filled = costOf(kept.filter((row) => kindOf(row) === kind.toLowerCase()));
        expect(filled).toBeLessThanOrEqual((cap / 100) * target);
        const short = filled < Math.floor((require / 100) * target);
        expect(warnings.some((text) => text.toLowerCase().startsWith(`${kind.toLowerCase()} fills ${filled} of`))).toBe(
          short,
        );
      }
    }),
  );
});

describe('a quota', () => {
  const rows = rowsOf([
    { id: 'big', score: 0.9, cost: 300, candidate: { kind: 'doc' } },
    { id: 'small', score: 0.8, cost: 40, candidate: { kind: 'doc' } },
    { id: 'middle', score: 0.7, cost: 70, candidate: { kind: 'doc' } },
  ]);
  const doc = (cap: number, inner: SelectorUse = greedy): SelectorUse => ({
    class: 'QuotaPack',
    params: { quotas: [{ kind: 'doc', cap }], inner },
  });

  test('whose requires sum to 100, and slightly more in doubles', async () => {
    const shares = Object.entries({ a: 45.21, b: 19, c: 3.26, d: 32.53 }).map(([kind, require]) => ({ kind, require }));
    const use = { class: 'QuotaPack', params: { quotas: shares, inner: greedy } };
    expect(ids((await selectWith(use, rows, { target: 1000, max: 1000 })).kept)).toEqual([]);
    const over = { class: 'QuotaPack', params: { quotas: [...shares, { kind: 'e', require: 0.001 }], inner: greedy } };
    await expect(selectorOf(over)).rejects.toThrow('more than 100');
  });

  test('names the rows that fill the share, or none if the share is too small', async () => {
    const { left } = await selectWith(doc(10), rows, { target: 1000, max: 1000 });
    expect(left.map(({ index, reason, data, replacedBy }) => ({ index, reason, data, replacedBy }))).toEqual([
      { index: 2, reason: 'share', data: { kind: 'doc', cost: 70, share: 100, unused: 60 }, replacedBy: [1] },
      { index: 0, reason: 'share', data: { kind: 'doc', cost: 300, share: 100, unused: 60 }, replacedBy: [] },
    ]);
  });

  test('around a knapsack: names all of the share, because no single row is the answer', async () => {
    const use = doc(10, { class: 'KnapsackPack', params: { bucket_size: 10 } });
    const { left } = await selectWith(use, rows, { target: 1000, max: 1000 });
    expect(left.map(({ index, reason, replacedBy }) => [index, reason, replacedBy])).toEqual([
      [0, 'share', []],
      [2, 'share', [1]],
    ]);
  });
});

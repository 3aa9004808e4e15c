import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { all, costOf, ids, rowLists, targets, within } from './rows.js';
import { rowsOf, selectorOf, selectWith } from './select-with.js';

describe.each(all.map((use) => [JSON.stringify(use), use] as const))('%s', (_, use) => {
  test('given = kept + left, and every row that is named in replacedBy is kept', async () => {
    const select = await selectorOf(use);
    fc.assert(
      fc.property(rowLists(), targets, (rows, target) => {
        const { kept, left } = select(rows, { target, max: target });
        expect(ids([...kept, ...left])).toEqual(ids(rows));
        const inside = new Set(ids(kept));
        for (const { replacedBy = [] } of left) {
          expect(replacedBy.filter((index) => !inside.has(index))).toEqual([]);
          expect(new Set(replacedBy).size).toBe(replacedBy.length);
        }
      }),
    );
  });

  test('selects nothing without a budget', async () => {
    const { kept } = await selectWith(use, rowsOf([{ score: 1, cost: 0 }]), { target: 0, max: 0 });
    expect(kept).toEqual([]);
  });

  test('keeps pinned rows, which use no budget', async () => {
    const select = await selectorOf(use);
    fc.assert(
      fc.property(rowLists(), targets, (rows, target) => {
        const pinned = { ...rowsOf([{ score: 1, cost: 50 }])[0]!, index: 99, pinned: true };
        const { kept, left } = select([pinned, ...rows], { target, max: target });
        const without = select(rows, { target, max: target });
        expect(ids(kept)).toEqual(ids([pinned, ...without.kept]));
        expect(ids(left)).toEqual(ids(without.left));
      }),
    );
  });
});

test.each(within.map((use) => [JSON.stringify(use), use] as const))('%s never exceeds its target', async (_, use) => {
  const select = await selectorOf(use);
  fc.assert(
    fc.property(rowLists(), targets, (rows, target) => {
      expect(costOf(select(rows, { target, max: target }).kept)).toBeLessThanOrEqual(target);
    }),
  );
});

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { counted, counts, greedy, ids, kindOf, rowLists } from './rows.js';
import { rowsOf, type SelectorUse, selectorOf, selectWith } from './select-with.js';

test('a count quota respects its caps, and meets its requires or reports a shortage', async () => {
  const select = await selectorOf(counted(greedy));
  fc.assert(
    fc.property(rowLists(), fc.integer({ min: 1, max: 200 }), (rows, target) => {
      if (rows.length === 0) return;
      const { kept, warnings = [] } = select(rows, { target, max: target });
      for (const { kind, require = 0, cap } of counts) {
        const inside = kept.filter((row) => kindOf(row) === kind.toLowerCase());
        expect(inside.length).toBeLessThanOrEqual(cap);
        expect(inside.length >= require || warnings.some((text) => text.startsWith(`${kind}: `))).toBe(true);
        const best = rows.filter((row) => kindOf(row) === kind.toLowerCase()).slice(0, require);
        expect(inside).toEqual(expect.arrayContaining(best));
      }
    }),
  );
});

describe('a count quota', () => {
  const rows = rowsOf([
    { id: 'a', score: 0.9, cost: 80, candidate: { kind: 'tool' } },
    { id: 'b', score: 0.5, cost: 50, candidate: { kind: 'tool' } },
    { id: 'c', score: 0.4, cost: 60, candidate: { kind: 'other' } },
  ]);
  const tools = (rule: object, more: object = {}): SelectorUse => ({
    class: 'CountQuotaPack',
    params: { counts: [{ kind: 'tool', ...rule }], inner: greedy, ...more },
  });

  test('drops rows beyond a cap in the order of the inner selector: the densest stay', async () => {
    const { kept, left } = await selectWith(tools({ cap: 1 }), rows, { target: 500, max: 500 });
    // 0.9 for 80 is denser than 0.5 for 50
    expect(ids(kept)).toEqual([0, 2]);
    expect(left).toMatchObject([{ index: 1, reason: 'count_cap', data: { kind: 'tool', cap: 1 }, replacedBy: [0] }]);
  });

  test('reports if the budget went to required rows, and to a dropped one', async () => {
    const required = await selectWith(tools({ require: 1 }), rows.slice(0, 3), { target: 100, max: 100 });
    expect(required.left).toMatchObject([
      { index: 1, reason: 'required_first', data: { cost: 50, room: 20 }, replacedBy: [0] },
      { index: 2, reason: 'required_first', data: { cost: 60, room: 20 }, replacedBy: [0] },
    ]);
    const capped = await selectWith(tools({ cap: 0 }), rows, { target: 130, max: 130 });
    expect(capped.left.find(({ index }) => index === 2)).toMatchObject({
      reason: 'to_capped',
      data: { cost: 60, capped: ['a'] },
      replacedBy: [],
    });
  });

  test('blames a cap that is full of required rows, and not the budget', async () => {
    const full = await selectWith(tools({ require: 1, cap: 1 }), rows, { target: 100, max: 100 });
    expect(full.left.find(({ index }) => index === 1)).toMatchObject({ reason: 'count_cap', replacedBy: [0] });
    const none = await selectWith(tools({ cap: 0 }), rows, { target: 70, max: 70 });
    expect(none.left.find(({ index }) => index === 0)).toMatchObject({ reason: 'count_cap', replacedBy: [] });
  });

  test('keeps required rows at any cost', async () => {
    const { kept } = await selectWith(tools({ require: 2 }), rows, { target: 10, max: 10 });
    expect(ids(kept)).toEqual([0, 1]);
  });

  test('with a shortage warns, or throws if configured', async () => {
    const limits = { target: 500, max: 500 };
    const text = 'tool: 2 of 3 required rows are available';
    expect((await selectWith(tools({ require: 3 }), rows, limits)).warnings).toEqual([text]);
    await expect(selectWith(tools({ require: 3 }, { scarcity: 'throw' }), rows, limits)).rejects.toThrow(text);
    const none = { target: 0, max: 0 };
    expect((await selectWith(tools({ require: 3 }, { scarcity: 'throw' }), rows, none)).kept).toEqual([]);
  });
});

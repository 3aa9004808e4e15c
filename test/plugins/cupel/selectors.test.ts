import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CostedRow } from '../../../src/sdk.js';
import { rowsOf, selectorOf, selectWith, type SelectorUse } from './select-with.js';

const KINDS = ['tool', 'Tool', 'message', 'memory'];

/** Whole costs, as tokens are; now and then nothing, and ties of both. */
export const rowLists = (most = 12): fc.Arbitrary<CostedRow[]> =>
  fc
    .array(
      fc.record({
        score: fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 0.25, 0.5, 1)),
        cost: fc.oneof(
          { weight: 5, arbitrary: fc.integer({ min: 1, max: 60 }) },
          { weight: 1, arbitrary: fc.constant(0) },
        ),
        candidate: fc.record({ kind: fc.constantFrom(...KINDS) }),
      }),
      { maxLength: most },
    )
    .map((rows) => rowsOf(rows.toSorted((a, b) => b.score - a.score)));

const greedy: SelectorUse = { class: 'GreedyPack' };
const knapsack: SelectorUse = { class: 'KnapsackPack', params: { bucket_size: 10 } };
const quotas = [
  { kind: 'tool', require: 30, cap: 50 },
  { kind: 'Message', cap: 40 },
];
const counts = [
  { kind: 'tool', require: 1, cap: 2 },
  { kind: 'MESSAGE', cap: 1 },
];
const quota = (inner: SelectorUse): SelectorUse => ({ class: 'QuotaPack', params: { quotas, inner } });
const counted = (inner: SelectorUse): SelectorUse => ({ class: 'CountQuotaPack', params: { counts, inner } });

const within = [greedy, knapsack, quota(greedy), quota(knapsack)];
const all = [...within, counted(greedy), counted(knapsack), quota(counted(greedy)), counted(quota(greedy))];

const targets = fc.integer({ min: 0, max: 200 });
const costOf = (rows: readonly CostedRow[]): number => rows.reduce((sum, { cost }) => sum + cost, 0);
const ids = (rows: readonly { readonly index: number }[]): number[] =>
  rows.map(({ index }) => index).toSorted((a, b) => a - b);
const kindOf = ({ candidate }: CostedRow): string => (candidate as { kind: string }).kind.toLowerCase();

describe.each(all.map((use) => [JSON.stringify(use), use] as const))('%s', (_, use) => {
  test('given = kept + left, and everyone who has a place is in', async () => {
    const select = await selectorOf(use);
    fc.assert(
      fc.property(rowLists(), targets, (rows, target) => {
        const { kept, left } = select(rows, { target, max: target });
        expect(ids([...kept, ...left])).toEqual(ids(rows));
        const inside = new Set(ids(kept));
        for (const { keptInstead = [] } of left) {
          expect(keptInstead.filter((index) => !inside.has(index))).toEqual([]);
          expect(new Set(keptInstead).size).toBe(keptInstead.length);
        }
      }),
    );
  });

  test('without room nothing is in', async () => {
    const { kept } = await selectWith(use, rowsOf([{ score: 1, cost: 0 }]), { target: 0, max: 0 });
    expect(kept).toEqual([]);
  });

  test('the pinned are kept, and take no room', async () => {
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

test('a count quota holds its caps, and meets its requires or says that it does not', async () => {
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

test('a quota fills what it requires, or says by how much it does not; and holds its caps', async () => {
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

describe('who has the place of a row that a greedy pack left out', () => {
  const tight = fc.integer({ min: 20, max: 150 });

  test('without those it would be in, or another one that is named would', async () => {
    const select = await selectorOf(greedy);
    let behind = 0;
    fc.assert(
      fc.property(rowLists(20), tight, (rows, target) => {
        for (const { index, reason, data, keptInstead = [] } of select(rows, { target, max: target }).left) {
          if (reason === 'too_large') {
            expect(keptInstead).toEqual([]);
            expect(rows[index]!.cost).toBeGreaterThan(target);
            continue;
          }
          const without = rows.filter((row) => !keptInstead.includes(row.index));
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

  test('they are the fewest, the largest first, of those whose turn came before', async () => {
    const select = await selectorOf(greedy);
    fc.assert(
      fc.property(rowLists(20), tight, (rows, target) => {
        const { kept, left } = select(rows, { target, max: target });
        const dense = ({ score, cost }: CostedRow): number => (cost === 0 ? Infinity : score / cost);
        for (const { index, data, keptInstead = [] } of left) {
          const row = rows[index]!;
          if (row.cost > target) continue;
          const before = kept.filter(
            (one) => dense(one) > dense(row) || (dense(one) === dense(row) && one.index < index),
          );
          const largest = before.map(({ cost }) => cost).toSorted((a, b) => b - a);
          const lacked = row.cost - Number(data?.['room']);
          expect(lacked).toBe(row.cost - (target - costOf(before)));
          const costs = keptInstead.map((one) => rows[one]!.cost);
          expect(costs).toEqual(largest.slice(0, costs.length));
          expect(costs.reduce((sum, cost) => sum + cost, 0)).toBeGreaterThanOrEqual(lacked);
          expect(costs.slice(0, -1).reduce((sum, cost) => sum + cost, 0)).toBeLessThan(lacked);
        }
      }),
      { numRuns: 500 },
    );
  });
});

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

  test('says why a row is not in it', async () => {
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

  test('that would be too large is refused, and says what to do', async () => {
    const rows = rowsOf(Array.from({ length: 2000 }, () => ({ score: 0.5, cost: 1000 })));
    const use = { class: 'KnapsackPack', params: { bucket_size: 1 } };
    await expect(selectWith(use, rows, { target: 1e6, max: 1e6 })).rejects.toThrow(
      /2000 rows and 1000001 buckets is too large .* make bucket_size 41 times as large/,
    );
    expect((await selectWith(use, rows.slice(0, 10), { target: 1e12, max: 1e12 })).kept).toHaveLength(10);
  });
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

  test('names those who fill the share; where the share is too small, nobody', async () => {
    const { left } = await selectWith(doc(10), rows, { target: 1000, max: 1000 });
    expect(left.map(({ index, reason, data, keptInstead }) => ({ index, reason, data, keptInstead }))).toEqual([
      { index: 2, reason: 'share', data: { kind: 'doc', cost: 70, share: 100, unused: 60 }, keptInstead: [1] },
      { index: 0, reason: 'share', data: { kind: 'doc', cost: 300, share: 100, unused: 60 }, keptInstead: [] },
    ]);
  });

  test('around a knapsack: all of the share, because no single one is the answer', async () => {
    const use = doc(10, { class: 'KnapsackPack', params: { bucket_size: 10 } });
    const { left } = await selectWith(use, rows, { target: 1000, max: 1000 });
    expect(left.map(({ index, reason, keptInstead }) => [index, reason, keptInstead])).toEqual([
      [0, 'share', []],
      [2, 'share', [1]],
    ]);
  });
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

  test('drops what exceeds a cap in the order of the inner selector: the densest stay', async () => {
    const { kept, left } = await selectWith(tools({ cap: 1 }), rows, { target: 500, max: 500 });
    // 0.9 for 80 is denser than 0.5 for 50
    expect(ids(kept)).toEqual([0, 2]);
    expect(left).toMatchObject([{ index: 1, reason: 'count_cap', data: { kind: 'tool', cap: 1 }, keptInstead: [0] }]);
  });

  test('says when the room went to what is required, and when to what a cap dropped', async () => {
    const required = await selectWith(tools({ require: 1 }), rows.slice(0, 3), { target: 100, max: 100 });
    expect(required.left).toMatchObject([
      { index: 1, reason: 'required_first', data: { cost: 50, room: 20 }, keptInstead: [0] },
      { index: 2, reason: 'required_first', data: { cost: 60, room: 20 }, keptInstead: [0] },
    ]);
    const capped = await selectWith(tools({ cap: 0 }), rows, { target: 130, max: 130 });
    expect(capped.left.find(({ index }) => index === 2)).toMatchObject({
      reason: 'to_capped',
      data: { cost: 60, capped: ['a'] },
      keptInstead: [],
    });
  });

  test('keeps what is required, whatever it costs', async () => {
    const { kept } = await selectWith(tools({ require: 2 }), rows, { target: 10, max: 10 });
    expect(ids(kept)).toEqual([0, 1]);
  });

  test('that is short warns, or throws where it is to', async () => {
    const limits = { target: 500, max: 500 };
    const text = 'tool: 2 of the 3 rows that are required are there';
    expect((await selectWith(tools({ require: 3 }), rows, limits)).warnings).toEqual([text]);
    await expect(selectWith(tools({ require: 3 }, { scarcity: 'throw' }), rows, limits)).rejects.toThrow(text);
    const none = { target: 0, max: 0 };
    expect((await selectWith(tools({ require: 3 }, { scarcity: 'throw' }), rows, none)).kept).toEqual([]);
  });
});

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPipeline, type ProfileInput, type Ranking } from 'assize';

interface Item {
  readonly id: string;
  readonly score?: number | undefined;
  readonly tokens?: unknown;
  readonly kind?: string | undefined;
  readonly text?: string;
  readonly pinned?: boolean;
  readonly at?: number;
}

const tokens = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 0, max: 60 }) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(-5, undefined, 'many', 0) },
);

const items = fc
  .array(
    fc.record(
      {
        score: fc.constantFrom(undefined, 0, 0.1, 0.2, 0.5, 0.5, 0.9, 1),
        tokens,
        kind: fc.constantFrom(undefined, 'tool', 'tool', 'Tool', 'message'),
        text: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'),
        at: fc.integer({ min: 0, max: 9 }),
      },
      { requiredKeys: ['score', 'tokens', 'kind'] },
    ),
    { maxLength: 14, size: 'max' },
  )
  .chain((rows) =>
    fc
      .array(fc.boolean(), { minLength: rows.length, maxLength: rows.length })
      .map((pins) => rows.map((row, i): Item => ({ id: `c${i}`, ...row, pinned: pins[i]! && i % 4 === 0 }))),
  );

const greedy = { class: 'GreedyPack' };
const knapsack = { class: 'KnapsackPack', params: { bucket_size: 5 } };
const quotas = [{ kind: 'tool', require: 30, cap: 60 }];
const counts = [{ kind: 'tool', require: 3, cap: 4 }]; // their cost often exceeds the target

const packs = fc.constantFrom(
  greedy,
  knapsack,
  { class: 'QuotaPack', params: { quotas, inner: greedy } },
  { class: 'CountQuotaPack', params: { counts, inner: greedy } },
  { class: 'CountQuotaPack', params: { counts, inner: knapsack } },
);

const budgets = fc
  .record({
    target: fc.oneof(
      fc.integer({ min: 0, max: 200 }),
      fc.integer({ min: 20, max: 80 }),
      fc.constantFrom(30, 40, 60, 90),
    ),
    more: fc.integer({ min: 0, max: 50 }),
    output_reserve: fc.constantFrom(0, 0, 10, 40),
    slot: fc.constantFrom(0, 0, 5, 20),
    safety_margin: fc.constantFrom(0, 0, 0, 0, 0, 10, 90, 100),
  })
  .map(({ target, more, output_reserve: reserve, slot, safety_margin }) => {
    const max = target + more;
    const output_reserve = Math.min(reserve, max);
    return {
      target,
      max,
      output_reserve,
      reserved_slots: { tools: Math.min(slot, max - output_reserve) },
      safety_margin,
    };
  });

const profiles = fc
  .record({
    budget: budgets,
    pack: packs,
    overflow: fc.constantFrom<'truncate' | 'proceed'>('truncate', 'proceed'),
    duplicates: fc.boolean(),
    min_score: fc.option(fc.constant(0.15), { nil: undefined }),
    top: fc.constantFrom(undefined, undefined, 0, 2, 5, 8),
    place: fc.constantFrom(undefined, { class: 'UShaped' }, { class: 'Chronological', params: { field: 'at' } }),
    fallback: fc.boolean(),
  })
  .map(
    ({ budget, pack, overflow, duplicates, min_score, top, place, fallback }): ProfileInput => ({
      plugins: ['cupel'],
      candidate: { pinned: 'candidate.pinned' },
      tier1_scorers: [{ id: 'cursed', expr: 'candidate.text == "g"' }],
      tier2_scorers: [{ id: 's', expr: 'candidate.score' }],
      select: {
        ...(duplicates && { duplicates: 'candidate.text' }),
        ...(min_score !== undefined && { min_score }),
        ...(top !== undefined && { top }),
        pack: { cost: 'candidate.tokens', budget, overflow, ...pack },
        ...(place && { place }),
      },
      fallback: fallback ? [{ use: 'c1' }] : [],
    }),
  );

/** Required rows cost more than the target, and some of them are removed again. */
const tight = profiles.map((profile): ProfileInput => {
  const pack = { class: 'CountQuotaPack', params: { counts, inner: greedy }, overflow: 'truncate' as const };
  const budget = { target: 40, max: 200 };
  return { ...profile, select: { pack: { cost: 'candidate.tokens', budget, ...pack } } };
});

/** A run whose pinned fit, and have costs. */
async function packed(profile: ProfileInput, candidates: readonly Item[]): Promise<Ranking<Item> | undefined> {
  const pipeline = await createPipeline<Item>(profile, { codegen: true });
  try {
    return await pipeline.rank(candidates);
  } catch (error) {
    if (error instanceof Error && error.message.includes('ASZ510')) return undefined;
    throw error;
  }
}

const positions = (list: readonly { readonly index: number }[]): number[] =>
  list.map(({ index }) => index).toSorted((a, b) => a - b);

describe('packing', () => {
  test('given = selected + left out + refused', async () => {
    const reasons = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        fc.oneof({ weight: 3, arbitrary: profiles }, { weight: 1, arbitrary: tight }),
        items,
        async (profile, candidates) => {
          const ranking = await packed(profile, candidates);
          fc.pre(ranking !== undefined);
          const { selected, notSelected, refused } = ranking;
          expect(positions([...selected, ...notSelected, ...refused])).toEqual(candidates.map((_, i) => i));
          const inside = new Set(selected.map(({ id }) => id));
          for (const { text, reason, replacedBy = [], rank } of notSelected) {
            reasons.add(reason);
            expect(text).not.toMatch(/undefined|nothing|NaN|\{/);
            // A duplicate gave way to a better one, whatever happened to that.
            if (reason !== 'duplicate') expect(replacedBy.filter((id) => !inside.has(id))).toEqual([]);
            if (rank === undefined) expect(reason).toBe('negative_cost');
          }
        },
      ),
      { numRuns: 150 },
    );
    expect([...reasons]).toEqual(expect.arrayContaining(['duplicate', 'min_score', 'top', 'truncated']));
  });

  test('selects the pinned, and keeps the budget unless overflow allows more', async () => {
    await fc.assert(
      fc.asyncProperty(profiles, items, async (profile, candidates) => {
        const ranking = await packed(profile, candidates);
        fc.pre(ranking !== undefined);
        const { selected, refused, notSelected } = ranking;
        const budget = ranking.budget!;
        const gone = new Set([
          ...refused.map(({ id }) => id),
          ...notSelected.flatMap((row) => (row.reason === 'negative_cost' ? [row.id] : [])),
        ]);
        const pins = candidates.filter(({ id, pinned }) => pinned && !gone.has(id)).map(({ id }) => id);
        const inside = selected.filter(({ because }) => because === 'pinned').map(({ id }) => id);
        expect(inside.toSorted()).toEqual(pins.toSorted());
        const cost = selected.reduce((sum, row) => sum + (row.cost ?? 0), 0);
        expect(budget.used).toBe(cost);
        expect(budget.pinned).toBeLessThanOrEqual(budget.max - budget.outputReserve - budget.reservedSlots);
        const { pack } = profile.select!;
        const required = pack!.class === 'CountQuotaPack';
        if (!required) expect(budget.used - budget.pinned).toBeLessThanOrEqual(budget.room);
        else if (pack!.overflow === 'truncate')
          expect(budget.used).toBeLessThanOrEqual(Math.max(budget.target, budget.pinned));
      }),
      { numRuns: 150 },
    );
  });

  test('the order of the input decides only between equals', async () => {
    const unequal = items.map((rows) =>
      rows.map((row, i): Item => ({ ...row, score: (i + 1) / 100 + Number(row.tokens) * 1e-7 || i / 97 })),
    );
    await fc.assert(
      fc.asyncProperty(profiles, unequal, fc.gen(), async (profile, candidates, gen) => {
        const free = candidates.map((item) => (item.tokens === 0 ? { ...item, tokens: 1 } : item)); // equally dense
        const one = await packed({ ...profile, fallback: [] }, free);
        fc.pre(one !== undefined);
        const other = await packed(
          { ...profile, fallback: [] },
          gen(fc.shuffledSubarray, free, { minLength: free.length }),
        );
        const ids = (ranking: Ranking<Item> | undefined): string[] | undefined =>
          ranking?.selected.map(({ id }) => id).toSorted();
        expect(ids(other)).toEqual(ids(one));
      }),
      { numRuns: 100 },
    );
  });
});

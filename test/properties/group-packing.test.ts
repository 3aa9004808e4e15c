import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPipeline, type ProfileInput, type Ranking } from 'assize';

interface Version {
  readonly cost: number;
  readonly share: number;
}

interface Item {
  readonly id: string;
  readonly score: number;
  readonly tokens: unknown;
  readonly group: number | null | undefined;
  readonly needs: string | readonly string[] | undefined;
  readonly versions: readonly Version[];
  readonly pinned: boolean;
  readonly bad: boolean;
}

const version = fc.record({ cost: fc.integer({ min: 0, max: 20 }), share: fc.constantFrom(0, 0.2, 0.5, 1) });

/** Costs that a tokenizer must not return, but a caller may. */
const hostileCost = fc.constantFrom<unknown>(-1, Number.NaN, Number.POSITIVE_INFINITY, undefined, '9', 1e308, 0);

const itemsOf = (size: number, rate: { readonly hostile: number }) =>
  fc.array(
    fc.record({
      score: fc.constantFrom(0, 0.1, 0.25, 0.3, 0.5, 0.5, 0.9, 1),
      tokens: fc.oneof(
        { weight: 10, arbitrary: fc.integer({ min: 0, max: 30 }) },
        { weight: 2, arbitrary: fc.constantFrom(0.1, 7.3) },
        { weight: rate.hostile, arbitrary: hostileCost },
      ),
      group: fc.constantFrom(undefined, undefined, undefined, null, 1, 2, 3),
      needs: fc.oneof(
        { weight: 5, arbitrary: fc.constant(undefined) },
        { weight: 2, arbitrary: fc.integer({ min: 0, max: size - 1 }).map((n) => `c${n}`) },
        {
          weight: 1,
          arbitrary: fc.uniqueArray(
            fc.integer({ min: 0, max: size }).map((n) => `c${n}`),
            { maxLength: 3 },
          ),
        },
      ),
      versions: fc.oneof(
        { weight: 3, arbitrary: fc.constant([]) },
        { weight: 1, arbitrary: fc.array(version, { maxLength: 2 }) },
      ),
      pinned: fc.constantFrom(false, false, false, false, false, false, true),
      bad: fc.constantFrom(false, false, false, false, false, false, false, true),
    }),
    { minLength: 1, maxLength: size, size: 'max' },
  );

const named = (rows: readonly Omit<Item, 'id'>[]): readonly Item[] => rows.map((row, n) => ({ id: `c${n}`, ...row }));

/** Without pins, refusals and hostile costs, so that every choice can be listed. */
const plainItems = itemsOf(10, { hostile: 0 }).map((rows) =>
  named(rows.map((row) => ({ ...row, pinned: false, bad: false }))),
);
const anyItems = itemsOf(14, { hostile: 2 }).map(named);

const profileOf = (method: string, effort: number): ProfileInput => ({
  plugins: [],
  candidate: { pinned: 'candidate.pinned' },
  tier1_scorers: [{ id: 'bad', expr: 'candidate.bad' }],
  tier2_scorers: [{ id: 's', expr: 'candidate.score' }],
  select: {
    pack: {
      cost: 'candidate.tokens',
      class: 'GroupPack',
      params: { method, effort },
      keep_together: 'candidate.group',
      requires: 'candidate.needs',
      variants: 'candidate.versions',
      order: 'input',
    },
  },
});

const methods = ['best', 'score', 'density'] as const;
const pipelines = new Map(
  await Promise.all(
    methods.flatMap((method) =>
      [0, 1000, 20_000_000].map(
        async (effort) => [`${method} ${effort}`, await createPipeline<Item>(profileOf(method, effort))] as const,
      ),
    ),
  ),
);

const needsOf = ({ needs = [] }: Item): readonly string[] => (typeof needs === 'string' ? [needs] : needs);

/** Whether a set of candidates splits no group, and has everything that its candidates need. */
function isClosed(all: readonly Item[], chosen: ReadonlySet<string>): boolean {
  return all.every((item) => {
    if (!chosen.has(item.id)) return true;
    const { group } = item;
    const mates = all.filter((other) => typeof group === 'number' && other.group === group);
    return mates.every(({ id }) => chosen.has(id)) && needsOf(item).every((id) => chosen.has(id));
  });
}

/** The greatest sum of scores of all choices within the budget. */
function bestSum(all: readonly Item[], budget: number): number {
  let best = 0;
  const walk = (at: number, cost: number, sum: number, chosen: ReadonlySet<string>): void => {
    if (cost > budget) return;
    const item = all[at];
    if (!item) {
      if (sum > best && isClosed(all, chosen)) best = sum;
      return;
    }
    walk(at + 1, cost, sum, chosen);
    const taken = new Set(chosen).add(item.id);
    walk(at + 1, cost + Number(item.tokens), sum + item.score, taken);
    for (const one of item.versions) walk(at + 1, cost + one.cost, sum + one.share * item.score, taken);
  };
  walk(0, 0, 0, new Set());
  return best;
}

const sumOf = (ranking: Ranking<Item>): number =>
  ranking.selected.reduce((sum, { candidate, variant }) => {
    const share = variant ? candidate.versions[variant.at]!.share : 1;
    return sum + (candidate.pinned ? 0 : share * candidate.score);
  }, 0);

const settings = fc.record({
  method: fc.constantFrom(...methods),
  effort: fc.constantFrom(0, 1000, 20_000_000, 20_000_000),
  budget: fc.integer({ min: 0, max: 120 }),
});

describe('packing groups', () => {
  test('is optimal where it says so, and never exceeds its gap', async () => {
    const seen = { optimal: 0, gap: 0 };
    await fc.assert(
      fc.asyncProperty(plainItems, settings, async (all, { method, effort, budget }) => {
        const ranking = await pipelines.get(`${method} ${effort}`)!.pack(all, budget);
        const chosen = new Set(ranking.selected.map(({ id }) => id));
        expect(isClosed(all, chosen)).toBe(true);
        const { optimality, used } = ranking.budget!;
        expect(used).toBeLessThanOrEqual(budget + 1e-9);
        const best = bestSum(all, budget);
        const { optimal, score, bound, gap } = optimality!;
        expect(score).toBeCloseTo(sumOf(ranking), 9);
        expect(bound).toBeGreaterThanOrEqual(best - 1e-9);
        expect(best - score).toBeLessThanOrEqual(gap * bound + 1e-9);
        if (optimal) expect(score).toBeCloseTo(best, 9);
        if (method === 'best' && effort === 20_000_000) expect(optimal).toBe(true);
        seen[optimal ? 'optimal' : 'gap'] += 1;
      }),
      { numRuns: 600 },
    );
    expect(Math.min(seen.optimal, seen.gap)).toBeGreaterThan(20);
  });

  test('keeps contracts and the budget for hostile candidates, and explains every one', async () => {
    const reasons = new Set<string>();
    await fc.assert(
      fc.asyncProperty(anyItems, settings, async (all, { method, effort, budget }) => {
        let ranking: Ranking<Item>;
        try {
          ranking = await pipelines.get(`${method} ${effort}`)!.pack(all, { target: budget, max: 1000 });
        } catch (error) {
          expect(String(error)).toMatch(/ASZ51[01]/); // pinned candidates that cost too much, or have no cost
          return;
        }
        const { selected, notSelected, refused } = ranking;
        const indexes = [...selected, ...notSelected, ...refused].map(({ index }) => index);
        expect(indexes.toSorted((a, b) => a - b)).toEqual(all.map((_, n) => n));
        const chosen = new Set(selected.map(({ id }) => id));
        const pinned = selected.filter(({ because }) => because === 'pinned');
        // A pinned candidate stays even if one that belongs to it was refused.
        if (pinned.length === 0) expect(isClosed(all, chosen)).toBe(true);
        expect(ranking.budget!.used).toBeLessThanOrEqual(Math.max(budget, ranking.budget!.pinned) + 1e-9);
        for (const { text, reason, replacedBy = [] } of notSelected) {
          reasons.add(reason);
          if (reason !== 'no_cost') expect(text).not.toMatch(/undefined|NaN|\{/);
          expect(replacedBy.filter((id) => !chosen.has(id))).toEqual([]);
        }
        expect(selected.map(({ index }) => index)).toEqual(
          selected.map(({ index }) => index).toSorted((a, b) => a - b),
        );
      }),
      { numRuns: 300 },
    );
    expect([...reasons]).toEqual(expect.arrayContaining(['incomplete', 'no_room', 'no_cost', 'negative_cost']));
  });
});

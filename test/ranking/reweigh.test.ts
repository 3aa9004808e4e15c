import { describe, expect, test } from 'vitest';
import { createPipeline, type PlanOverrides, scorer, explanationParts } from 'assize';
import { SlowReport } from '../engine/units.js';
import { messageOf } from '../properties/ranked.js';
import { goods, idsOf, openShop, shop } from './shop.js';

describe('reweigh', () => {
  test('ranks by other weights and limits, and does not change the ranking', async () => {
    const ranking = await (await openShop()).rank(goods);
    expect(idsOf(ranking.ranked)).toEqual(['lamp', 'vase']);
    const cheaper = ranking.reweigh({ weights: { cheap: 4 } });
    expect(idsOf(cheaper.ranked)).toEqual(['vase', 'lamp']);
    expect(cheaper.refused.map(({ id, by }) => [id, by])).toEqual([['desk', 'sold_out']]);
    expect(idsOf(ranking.reweigh({ top: 1 }).selected)).toEqual(['lamp']);
    expect(ranking.reweigh({ minScore: 0.6 }).notSelected.map(({ id, reason }) => [id, reason])).toEqual([
      ['vase', 'min_score'],
    ]);
    expect(idsOf(ranking.ranked)).toEqual(['lamp', 'vase']);
  });

  test('explains itself by its weights, and can be reweighted again', async () => {
    const cheaper = (await (await openShop()).rank(goods)).reweigh({ weights: { cheap: 4 } });
    const { scorers } = explanationParts(cheaper.explain('vase'));
    expect(scorers.map(({ id, weight }) => [id, weight])).toEqual([
      ['rating', 3 / 7],
      ['cheap', 4 / 7],
    ]);
    expect(cheaper.ranked[0]?.score).toBeCloseTo((3 * 0.4 + 4 * 0.95) / 7, 12);
    expect(idsOf(cheaper.reweigh({ weights: { rating: 9 } }).ranked)).toEqual(['lamp', 'vase']);
    const { a, b } = await cheaper.compare('vase', 'lamp');
    expect([a.id, b.id]).toEqual(['vase', 'lamp']);
  });

  test('packs for the same budget', async () => {
    const pack = {
      class: 'KnapsackPack',
      params: { bucket_size: 1 },
      cost: 'candidate.price',
      budget: { target: 80, max: 80 },
    };
    const packing = await openShop({ ...shop, plugins: ['cupel'], select: { pack } });
    const ranking = await packing.rank(goods);
    expect(ranking.selected.map(({ id }) => id)).toEqual(['lamp']);
    const cheaper = ranking.reweigh({ weights: { cheap: 4 } });
    expect(cheaper.selected.map(({ id }) => id)).toEqual(['vase']);
    expect(cheaper.budget?.used).toBe(5);
  });

  test.each<[name: string, overrides: object, message: string]>([
    ['an unknown option', { wieghts: {} }, 'did you mean weights?'],
    ['an unknown scorer', { weights: { ratign: 1 } }, 'did you mean rating?'],
    ['a weight of a veto', { weights: { sold_out: 1 } }, 'the profile has no scorer sold_out'],
    ['a name that objects have', { weights: JSON.parse('{"__proto__": 1}') as object }, 'no scorer __proto__'],
    ['an invalid weight', { weights: { rating: Number.NaN } }, 'rating is the number NaN'],
    ['a negative weight', { weights: { rating: -1 } }, 'expected a number of at least 0'],
    ['weights that are all 0', { weights: { rating: 0, cheap: 0 } }, 'all weights are 0'],
    ['weights that are a list', { weights: [1, 2] }, 'expected weights by the ids of scorers'],
    ['a top that is not a count', { top: 1.5 }, 'expected a whole number of at least 0'],
    [
      'a minScore that is not a number',
      { minScore: '0.5' },
      'minScore of reweigh is the string "0.5"; expected a number',
    ],
  ])('rejects %s', async (_, overrides, message) => {
    const ranking = await (await openShop()).rank(goods);
    expect(() => ranking.reweigh(overrides as PlanOverrides)).toThrow(message);
  });

  test('reports that a combine uses no weights', async () => {
    const ranking = await (
      await openShop({
        ...shop,
        combine: 'max',
        tier2_scorers: shop.tier2_scorers.map(({ id, expr }) => ({ id, expr })),
      })
    ).rank(goods);
    expect(() => ranking.reweigh({ weights: { rating: 1 } })).toThrow(
      'combines by the greatest, which uses no weights',
    );
    expect(idsOf(ranking.reweigh({ top: 1 }).selected)).toEqual(['vase']);
  });

  test('is rejected if not every scorer was called for every candidate', async () => {
    const list = Array.from({ length: 100 }, (_, i) => ({ cheap: i / 100, x: ((i * 37) % 100) / 100 }));
    const units = { Dear: scorer(({ x }: (typeof list)[number]) => x, { range: [0, 1], cost: 1_000_000 }) };
    const tier2_scorers = [
      { id: 'cheap', expr: 'candidate.cheap' },
      { id: 'dear', class: 'Dear' },
    ];
    const pruning = await createPipeline({ tier2_scorers, select: { top: 3 } }, { units });
    const pruned = await pruning.rank(list);
    expect(() => pruned.reweigh({ top: 5 })).toThrow('rank with { prune: false }');
    const whole = (await pruning.rank(list, {}, { prune: false })).reweigh({ top: 5 });
    expect(whole.selected).toHaveLength(5);
    const reranking = await createPipeline({ tier2_scorers, rerank: { top: 10, ask: ['dear'] } }, { units });
    const reranked = await reranking.rank(list);
    expect(() => reranked.reweigh({ top: 5 })).toThrow('without its rerank');
  });

  test('is rejected if a report is asynchronous', async () => {
    const pipeline = await createPipeline<(typeof goods)[number]>(
      { ...shop, report: [{ id: 'sum', class: 'SlowReport' }] },
      { units: { SlowReport } },
    );
    const ranking = await pipeline.rank(goods);
    const rejected = Promise.resolve().then(() => ranking.reweigh({ top: 1 }));
    expect(await messageOf(rejected)).toContain('whatIf');
  });
});

test.each([true, false])(
  'refuses rows whose case of weights fails, as a ranking does (codegen: %s)',
  async (codegen) => {
    const rows = [
      { id: 'a', s: 0.9, t: 0.1, g: 0 },
      { id: 'b', s: 0.8, t: 0.4, g: 'x' },
      { id: 'c', s: 0.7, t: 0.3, g: 1 },
      {
        id: 'd',
        s: 0.5,
        t: 1,
        get g(): number {
          throw new Error('it cannot be read');
        },
      },
      { id: 'e', s: 0.4, t: 0.2, g: 1n },
    ];
    const outcome = (ranking: { readonly ranked: readonly object[]; readonly refused: readonly object[] }): unknown => [
      ranking.ranked.map((row) => ({ ...row, candidate: undefined })),
      ranking.refused.map((row) => ({ ...row, candidate: undefined })),
    ];
    for (const combine of ['weighted_mean', 'weighted_sum', 'geometric_mean'] as const) {
      for (const [by, refused] of [
        ['candidate.g + 1.0', ['b', 'd', 'e']],
        ['candidate.g', ['d']],
      ] as const) {
        const profile = {
          combine,
          tier2_scorers: [
            { id: 's', expr: 'candidate.s' },
            { id: 't', expr: 'candidate.t' },
          ],
          weights: { by, cases: { 1: { s: 2 }, 2: { t: 9 } } },
        };
        // oxlint-disable-next-line no-await-in-loop -- one profile after another
        const pipeline = await createPipeline<object>(profile, { codegen });
        const ranking = await pipeline.rank(rows); // oxlint-disable-line no-await-in-loop
        expect(idsOf(ranking.refused)).toEqual(refused);
        expect(outcome(ranking.reweigh({ top: 9 }))).toEqual(outcome(ranking));
        await expect(ranking.waysToWin('c')).resolves.toBeDefined(); // oxlint-disable-line no-await-in-loop
      }
    }
    const pipeline = await createPipeline<object>({
      tier2_scorers: [
        { id: 's', expr: 'candidate.s' },
        { id: 't', expr: 'candidate.t' },
      ],
      weights: { by: 'candidate.g', cases: { 1: { s: 0, t: 1 } } },
    });
    expect((await pipeline.rank([{ s: 1, t: 0.25, g: 1n }])).ranked[0]?.score).toBe(0.25);
  },
);

import { describe, expect, test } from 'vitest';
import { AssizeError, type Context, createPipeline, type ProfileInput, scorer, explanationParts } from 'assize';
import { messageOf } from '../properties/ranked.js';
import { newFolder } from '../scale/threads/folder.js';
import { goods, idsOf, openShop, shop } from './shop.js';

/** The error of a failing call. */
async function failure(failing: () => unknown): Promise<AssizeError> {
  const error = await Promise.resolve()
    .then(failing)
    .catch((thrown: unknown) => thrown);
  if (error instanceof AssizeError) return error;
  throw new Error('it did not fail as it should');
}

describe('weights and limits of a call', () => {
  test('apply to this call alone', async () => {
    const pipeline = await openShop();
    const overrides = { weights: { cheap: 4 }, top: 1 };
    for (const ranking of [await pipeline.rank(goods, {}, overrides), pipeline.rankSync(goods, {}, overrides)]) {
      expect(idsOf(ranking.selected)).toEqual(['vase']);
      expect(explanationParts(ranking.explain('vase')).scorers.map(({ weight }) => weight)).toEqual([3 / 7, 4 / 7]);
    }
    expect(idsOf((await pipeline.rank(goods)).selected)).toEqual(['lamp', 'vase']);
    const high = await pipeline.rank(goods, {}, { minScore: 0.6 });
    expect(high.notSelected.map(({ id, reason }) => [id, reason])).toEqual([['vase', 'min_score']]);
  });

  test('apply to every form of the call; if it selects nothing, only weights', async () => {
    const pipeline = await openShop();
    const [lamp, , vase] = goods;
    const weights = { cheap: 4 };
    const { score } = (await pipeline.rank(goods, {}, { weights })).ranked[0]!;
    expect(await pipeline.score(vase!, {}, { weights })).toMatchObject({ score });
    expect(pipeline.scoreSync(vase!, {}, { weights })).toMatchObject({ score });
    for await (const row of pipeline.scoreStream([vase!], {}, { weights })) expect(row).toMatchObject({ score });
    const { selected } = await pipeline.rankStream([lamp!, vase!], {}, { weights, top: 1 });
    expect(selected).toMatchObject([{ id: 'vase', score, rank: 1 }]);
    const limited = { top: 1 } as object;
    expect(await messageOf(pipeline.score(vase!, {}, limited))).toContain('score has no option top');
    expect((await failure(() => pipeline.scoreStream([], {}, limited))).message).toContain('has no option top');
  });

  test('are kept in comparisons, what-ifs and reweighting', async () => {
    const ranking = await (await openShop()).rank(goods, {}, { weights: { cheap: 4 }, top: 1 });
    const { ahead, terms } = await ranking.compare('lamp', 'vase');
    expect([ahead, terms.find(({ id }) => id === 'cheap')?.a.weight]).toEqual(['b', 4 / 7]);
    const without = await ranking.whatIf({ without: 'sold_out' });
    expect([idsOf(without.ranked), idsOf(without.selected)]).toEqual([['desk', 'vase', 'lamp'], ['desk']]);
    const rated = await ranking.whatIf({ weights: { rating: 9 } });
    expect([rated.ranked[0]?.id, rated.selected.length]).toEqual(['lamp', 1]);
    expect((await rated.whatIf({ without: 'rating' })).ranked.map(({ score }) => score)).toEqual([0.95, 1 - 0.8]);
    const more = ranking.reweigh({ top: 2 });
    expect(idsOf(more.selected)).toEqual(['vase', 'lamp']);
    expect(idsOf((await more.whatIf({ without: 'sold_out' })).selected)).toEqual(['desk', 'vase']);
    expect(await messageOf(ranking.whatIf({}))).toContain('the change is empty');
  });

  test('also apply to units with memories', async () => {
    const pipeline = await createPipeline<{ name: string }>({
      tier2_scorers: [
        { id: 'novelty', class: 'NoveltyScorer', params: { text: 'name', embedder: 'lexical' } },
        { id: 'short', expr: '1.0 / size(candidate.name)' },
      ],
    });
    const lamp = [{ name: 'a red lamp' }];
    await pipeline.rank(lamp, {}, { weights: { short: 0 } });
    const again = await pipeline.rank(lamp, {}, { weights: { short: 0 } });
    expect(again.ranked[0]?.score).toBeCloseTo(0);
  });

  test.each<[name: string, overrides: object, code: string, message: string]>([
    ['an unknown scorer', { weights: { ratign: 1 } }, 'ASZ534', 'did you mean rating?'],
    ['weights that are all 0', { weights: { rating: 0, cheap: 0 } }, 'ASZ534', 'all weights are 0'],
    [
      'a negative weight',
      { weights: { cheap: -1 } },
      'ASZ534',
      'cheap is the number -1; expected a number of at least 0',
    ],
    ['invalid weights', { weights: null }, 'ASZ533', 'weights of rank is null; expected weights by the ids'],
    ['a negative offset', { offset: -1 }, 'ASZ533', 'offset of rank is the number -1; expected a whole number'],
    ['a top that is not a count', { top: 1.5 }, 'ASZ533', 'top of rank is the number 1.5; expected a whole number'],
    ['an invalid minScore', { minScore: Number.NaN }, 'ASZ533', 'minScore of rank is the number NaN'],
  ])('are the caller’s fault if invalid: %s', async (_, overrides, code, message) => {
    const pipeline = await openShop();
    const error = await failure(() => pipeline.rank(goods, {}, overrides));
    expect(error.message).toContain(message);
    expect([error.fault, error.problems.map((problem) => problem.code)]).toEqual(['caller', [code]]);
  });

  test('determine the calls of expensive scorers', async () => {
    const list = Array.from({ length: 100 }, (_, i) => ({ cheap: i / 100, x: ((i * 37) % 100) / 100 }));
    const units = { Dear: scorer(({ x }: (typeof list)[number]) => x, { range: [0, 1], cost: 1_000_000 }) };
    const profile: ProfileInput = {
      tier2_scorers: [
        { id: 'cheap', expr: 'candidate.cheap', weight: 9 },
        { id: 'dear', class: 'Dear' },
      ],
    };
    const open = (top: number) => createPipeline<(typeof list)[number]>({ ...profile, select: { top } }, { units });
    const pipeline = await open(50);
    const few = await pipeline.rank(list, {}, { top: 3 });
    const page = await pipeline.rank(list, {}, { top: 3, offset: 6 });
    expect(few.pruned).toEqual((await (await open(3)).rank(list)).pruned);
    const whole = await pipeline.rank(list, {}, { prune: false });
    expect(page.selected).toEqual(whole.ranked.slice(6, 9));
    expect(page.pruned).toEqual((await (await open(9)).rank(list)).pruned);
    expect(page.explain(few.notSelected.at(-1)!.id).outcome.kind).toBe('not_evaluated');
    const more = await page.whatIf({ weights: { cheap: 8 } });
    expect(more.selected.map(({ rank }) => rank)).toEqual([7, 8, 9]);
    const none = await (await createPipeline<(typeof list)[number]>(profile, { units })).rank(list, {}, { top: 3 });
    expect(none.pruned).toEqual(few.pruned);
  });

  test('do not change the number of a rerank: pages end there', async () => {
    const list = Array.from({ length: 50 }, (_, i) => ({ id: `c${i}`, k: i / 50, x: ((i * 7) % 50) / 50 }));
    const pipeline = await createPipeline<(typeof list)[number]>({
      tier2_scorers: [
        { id: 'known', expr: 'candidate.k' },
        { id: 'judged', expr: 'candidate.x', weight: 3 },
      ],
      rerank: { top: 10, ask: ['judged'] },
      select: { top: 4 },
    });
    const all = await pipeline.rank(list, {}, { top: 50 });
    expect(all.selected).toHaveLength(10);
    const pages = await Promise.all([0, 4, 8, 12].map((offset) => pipeline.rank(list, {}, { offset })));
    expect(pages.flatMap(({ selected }) => selected)).toEqual(all.selected);
  });
});

describe('pages', () => {
  const paged: ProfileInput = {
    ...shop,
    candidate: { pinned: 'candidate.stock == 1' },
    tier1_scorers: [],
    fallback: [{ use: 'desk' }],
  };

  test('have the pinned and the fallback on the first one', async () => {
    const pipeline = await openShop(paged);
    const first = await pipeline.rank(goods, {}, { top: 1 });
    const second = await pipeline.rank(goods, {}, { top: 1, offset: 1 });
    const beyond = await pipeline.rank(goods, {}, { top: 1, offset: 2 });
    expect([first, second, beyond].map(({ selected }) => idsOf(selected))).toEqual([['vase', 'desk'], ['lamp'], []]);
    expect(second.notSelected.map(({ id, reason, text }) => [id, reason, text])).toEqual([
      ['vase', 'offset', 'before the offset'],
      ['desk', 'offset', 'before the offset'],
    ]);
    expect(second.explain('vase').outcome).toEqual({
      kind: 'pinned',
      notSelected: { reason: 'offset', text: 'before the offset' },
    });
    expect(second.selected[0]?.rank).toBe(2);
    const nobody = await pipeline.rank([goods[1]!], {}, { minScore: 2 });
    expect(nobody.selected).toMatchObject([{ id: 'desk', because: 'fallback' }]);
    const then = await pipeline.rank([goods[1]!], {}, { minScore: 2, offset: 1 });
    expect([then.selected, idsOf(then.notSelected)]).toEqual([[], ['desk']]);
  });

  test('can be turned without ranking again', async () => {
    const ranking = await (await openShop(paged)).rank(goods, {}, { top: 1 });
    const second = ranking.reweigh({ offset: 1 });
    expect(idsOf(second.selected)).toEqual(['lamp']);
    expect(idsOf(second.reweigh({ offset: 0 }).selected)).toEqual(['vase', 'desk']);
    expect(idsOf((await second.whatIf({ weights: { rating: 0 } })).selected)).toEqual(['lamp']);
  });

  test.each<[string, ProfileInput['select']]>([
    ['pack', { pack: { class: 'GreedyPack', cost: 'candidate.price', budget: 80 } }],
    ['place', { place: { class: 'UShaped' } }],
  ])('are not available for a selection with %s', async (key, select) => {
    const pipeline = await openShop({ ...shop, plugins: ['cupel'], select });
    const error = await failure(() => pipeline.rank(goods, {}, { offset: 1 }));
    expect(error.problems).toMatchObject([{ code: 'ASZ534', path: `select.${key}` }]);
    expect((await pipeline.rank(goods, {}, { offset: 0, top: 1 })).selected).toHaveLength(1);
  });
});

describe('limits computed from the context', () => {
  const computed = { ...shop, select: { top: 'context.most', min_score: 'context.?least.orValue(0)' } };

  test('apply as computed', async () => {
    const pipeline = await openShop(computed);
    expect(idsOf((await pipeline.rank(goods, { most: 1 })).selected)).toEqual(['lamp']);
    expect(idsOf((await pipeline.rank(goods, { most: 5, least: 0.6 })).selected)).toEqual(['lamp']);
    expect(idsOf(pipeline.rankSync(goods, { most: 1 }, { top: 2 }).selected)).toEqual(['lamp', 'vase']);
    expect(idsOf((await pipeline.rank(goods, { most: 1 })).reweigh({ top: 2 }).selected)).toEqual(['lamp', 'vase']);
    const stream = await pipeline.rankStream(goods, { most: 1 });
    expect([idsOf(stream.selected), stream.counts.notSelected]).toEqual([['lamp'], 1]);
    const whatIf = await (await pipeline.rank(goods, { most: 1 })).whatIf({ without: 'sold_out' });
    expect(idsOf(whatIf.selected)).toEqual(['desk']);
  });

  test('are not needed if a call has its own, or selects nothing', async () => {
    const pipeline = await openShop(computed);
    expect((await pipeline.rank(goods, {}, { top: 1 })).selected).toHaveLength(1);
    expect(pipeline.scoreSync(goods[0]!)).toMatchObject({ rank: 1 });
    for await (const row of pipeline.scoreStream([goods[0]!])) expect(row).toMatchObject({ id: 'lamp' });
  });

  test('prune like the same constants', async () => {
    const list = Array.from({ length: 100 }, (_, i) => ({ id: `c${i}`, x: ((i * 37) % 100) / 100 }));
    const units = { Dear: scorer(({ x }: (typeof list)[number]) => x / 2, { range: [0, 1], cost: 1_000_000 }) };
    const tier2_scorers = [
      { id: 'cheap', expr: 'candidate.x', weight: 9 },
      { id: 'dear', class: 'Dear' },
    ];
    const ranked = async (top: number | string) =>
      (await createPipeline<(typeof list)[number]>({ tier2_scorers, select: { top } }, { units })).rank(list, { k: 4 });
    const [number, expression] = [await ranked(4), await ranked('context.k')];
    expect(expression.pruned).toEqual(number.pruned);
    expect(number.pruned?.entries[0]?.pruned).toBeGreaterThan(0);
    expect(expression.selected).toEqual(number.selected);
  });

  const file = newFolder().write(
    'limits.yaml',
    'tier2_scorers: [{ id: a, expr: candidate.a }]\nselect:\n  top: context.k\n  min_score: 1 / context.m\n',
  );

  test.each<[context: Context, said: readonly string[]]>([
    [{ m: 1 }, [':3:8 error ASZ535 the top context.k is absent; expected a whole number of at least 0']],
    [{ k: -1, m: 1 }, [':3:8 error ASZ535 the top context.k is the number -1; expected a whole number']],
    [{ k: 2.5, m: 1 }, ['the top context.k is the number 2.5; expected a whole number']],
    [{ k: Number.NaN, m: 1 }, ['the top context.k is the number NaN']],
    [{ k: 'ten', m: 1 }, ['the top context.k failed', 'expected a whole number']],
    [
      { k: 1, m: 0 },
      [':4:14 error ASZ535 the min_score 1 / context.m is the number Infinity; expected a finite number'],
    ],
    [{ k: [], m: 0 }, [':3:8 error ASZ535', ':4:14 error ASZ535', '2 problems']],
  ])('are errors with their lines if invalid: %j', async (context, said) => {
    const pipeline = await createPipeline(file);
    for (const call of [() => pipeline.rank([], context), () => pipeline.rankStream([], context)]) {
      const error = await failure(call);
      for (const text of said) expect(error.message).toContain(text);
      expect(error.fault).toBe('caller');
    }
  });

  test('read only the context', async () => {
    const message = await messageOf(openShop({ ...shop, select: { top: 'signals.k + now' } }));
    expect(message).toContain('unknown name "signals" in a limit of the selection');
  });
});

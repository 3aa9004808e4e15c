import { describe, expect, test } from 'vitest';
import { type Change, createPipeline, scorer } from 'assize';
import { CLOCK } from 'assize/sdk';
import { type Item, rememberer } from '../engine/units.js';
import { messageOf } from '../properties/ranked.js';
import { goods, openShop, shop } from './shop.js';

describe('whatIf', () => {
  test('merges params key by key, and weights for all cases', async () => {
    const decaying = await createPipeline({
      tier2_scorers: [
        { id: 'fresh', class: 'DecayScorer', params: { field: 'at', curve: { type: 'exponential', half_life: '1d' } } },
        { id: 'size', expr: 'candidate.size', weight: 1 },
      ],
      weights: { by: 'candidate.kind', cases: { big: { size: 9, fresh: 1 } } },
    });
    const now = '2026-01-03';
    const one = { id: 'a', at: '2026-01-01', size: 0.5, kind: 'big' };
    const ranking = await decaying.rank([one], { now });
    expect(ranking.ranked[0]?.score).toBe(0.1 * 0.25 + 0.9 * 0.5);
    const slower = await ranking.whatIf({ params: { fresh: { curve: { half_life: '2d' } } } });
    expect(slower.matrix.column('fresh').values[0]).toBe(0.5);
    const even = await ranking.whatIf({ weights: { size: 1 } });
    expect(even.ranked[0]?.score).toBe((0.25 + 0.5) / 2);
  });

  test('uses the time and memory of the run, and updates nothing', async () => {
    const item = (id: string): Item => ({ id, at: 0, n: 0 });
    let asked = 0;
    const clock = { now: () => ++asked };
    const remembering = await createPipeline<Item>(
      {
        tier1_scorers: [{ id: 'no', expr: 'candidate.id == "no"' }],
        tier2_scorers: [
          { id: 'seen', class: 'Seen' },
          { id: 'time', expr: 'now', weight: 0 },
        ],
      },
      { units: { Seen: rememberer() }, services: [{ token: CLOCK, value: clock }] },
    );
    await remembering.rank([item('a')]);
    const ranking = await remembering.rank([item('no'), item('b')]);
    await remembering.rank([item('c')]);
    const otherwise = await ranking.whatIf({ without: 'no' });
    expect(otherwise.ranked.map(({ score }) => score)).toEqual([1, 1]);
    expect(otherwise.matrix.column('time').values[0]).toBe(ranking.matrix.column('time').values[0]);
    expect((await remembering.rank([item('d')])).ranked[0]?.score).toBe(3);
  });

  test('keeps the memory of an entry with another weight, and of one whose params give the same memory', async () => {
    const at = (id: string, v: readonly number[]) => ({ id, v });
    const near = await createPipeline({
      tier2_scorers: [
        { id: 'novelty', class: 'NoveltyScorer', params: { vector: 'v' } },
        { id: 'flat', expr: '1.0' },
      ],
    });
    await near.rank([at('a', [1, 0]), at('b', [0, 1])]);
    const ranking = await near.rank([at('c', [1, 0])]);
    const noveltyOf = async (change: Change) => (await ranking.whatIf(change)).matrix.column('novelty').values[0];
    expect(await noveltyOf({ weights: { novelty: 2 } })).toBe(0);
    expect(await noveltyOf({ params: { novelty: { max_elements: 9 } } })).toBe(0);
    expect(await noveltyOf({ params: { novelty: { max_elements: 1 } } })).toBe(1); // it holds b alone
    expect(await noveltyOf({ params: { novelty: { dimensions: 3 } } }).catch(String)).not.toBe(0);
  });

  test('starts empty if other params give another memory', async () => {
    const params = { text: 'name', embedder: 'lexical' };
    const told = await createPipeline({ tier2_scorers: [{ id: 'novelty', class: 'NoveltyScorer', params }] });
    await told.rank([{ name: 'a red lamp' }]);
    const ranking = await told.rank([{ name: 'a red lamp' }]);
    expect(ranking.ranked[0]?.score).toBeCloseTo(0);
    const embedder = { name: 'lexical', dimensions: 64 };
    const { refused } = await ranking.whatIf({ params: { novelty: { embedder } } });
    expect(refused[0]?.reason).toBe('no scorer returned a score');
  });

  test.each<[name: string, change: object, message: string]>([
    ['nothing', {}, 'the change is empty'],
    ['an unknown key', { wieghts: {} }, 'did you mean weights?'],
    ['an unknown entry', { without: 'soldout' }, 'did you mean sold_out?'],
    ['a weight of a veto', { weights: { sold_out: 1 } }, 'the profile has no sold_out'],
    ['an invalid weight', { weights: { rating: Number.NaN } }, 'rating is the number NaN; expected a number'],
    ['weights that are all 0', { weights: { rating: 0, cheap: 0 } }, 'weights'],
    ['a change that is not an object', [], 'expected an object'],
    ['an invalid id', { without: [7] }, 'expected ids, found the number 7'],
  ])('rejects %s', async (_, change, message) => {
    const ranking = await (await openShop()).rank(goods);
    expect(await messageOf(ranking.whatIf(change))).toContain(message);
  });

  test('names the entry that reads a removed one', async () => {
    const scorers = shop.tier2_scorers.map(({ id, expr }) => ({ id, expr }));
    const pipeline = await openShop({ ...shop, tier2_scorers: scorers, combine: { formula: 'rating + cheap' } });
    const ranking = await pipeline.rank(goods);
    expect(await messageOf(ranking.whatIf({ without: 'cheap' }))).toContain('cheap');
  });
});

describe('an entry in the params of a what-if', () => {
  const blended = (scorers: readonly object[]) => ({
    tier2_scorers: [{ id: 'blend', class: 'CompositeScorer', params: { scorers } }],
  });
  const own = [{ expr: 'candidate.rating / 5' }];
  const other = [
    { class: 'CompositeScorer', params: { scorers: [{ class: 'Cheap' }, { expr: 'candidate.stock / 3.0' }] } },
    { expr: 'candidate.rating / 5', weight: 2 },
  ];
  const units = { Cheap: scorer(({ price }: (typeof goods)[number]) => 1 - price / 100) };

  test('may be new, and is resolved like the entry’s own class', async () => {
    const ranking = await (await createPipeline<(typeof goods)[number]>(blended(own), { units })).rank(goods);
    const otherwise = await ranking.whatIf({ params: { blend: { scorers: other } } });
    const said = await createPipeline<(typeof goods)[number]>(blended(other), { units });
    expect(otherwise.ranked).toEqual((await said.rank(goods)).ranked);
    expect(otherwise.explain('lamp')).toEqual({
      ...(await said.rank(goods, { now: ranking.now })).explain('lamp'),
      profile: ranking.profile,
    });
  });

  test('is checked', async () => {
    const ranking = await (await createPipeline<(typeof goods)[number]>(blended(own), { units })).rank(goods);
    const change = { params: { blend: { scorers: [{ class: 'Cheep' }] } } };
    expect(await messageOf(ranking.whatIf(change))).toMatch(/unknown scorer class Cheep[^]*did you mean Cheap/);
  });
});

/* The differences between two rankings of the same candidates. */
import { describe, expect, test } from 'vitest';
import { createPipeline, diffProfiles, diffRankings, diffText, type ProfileInput } from 'assize';
import { messageOf, rankBy } from '../properties/ranked.js';

const shop = {
  name: 'shop',
  candidate: { pinned: 'candidate.keep' },
  tier1_scorers: [{ id: 'sold_out', expr: 'candidate.stock == 0' }],
  tier2_scorers: [
    { id: 'rating', expr: 'candidate.rating / 5', weight: 3 },
    { id: 'cheap', expr: '1 - candidate.price / 100' },
  ],
  select: { top: 2 },
} satisfies ProfileInput;
const goods = [
  { id: 'lamp', stock: 3, rating: 4, price: 80 },
  { id: 'desk', stock: 0, rating: 5, price: 10 },
  { id: 'vase', stock: 1, rating: 2, price: 5 },
  { id: 'sign', keep: true },
];
const ranked = () => rankBy<object>(shop, goods);

describe('diffRankings', () => {
  test('shows candidates whose rank changed, and the reasons', async () => {
    const ranking = await ranked();
    const diff = diffRankings(ranking, await ranking.whatIf({ weights: { rating: 1 } }));
    expect(diff.counts).toEqual({ given: 4, moved: 2, entered: 0, left: 0, refused: 0, admitted: 0, changed: 2 });
    expect(diff.before).toEqual({ profile: 'shop', ranked: 2, selected: 3, refused: 1 });
    expect(diff.moves).toMatchObject([
      { id: 'vase', before: { rank: 2 }, after: { rank: 1 } },
      { id: 'lamp', before: { rank: 1 }, after: { rank: 2 } },
    ]);
    for (const { before, after, because } of diff.moves) {
      expect(because).toMatchObject([
        { kind: 'scorer', id: expect.any(String), weight: { before: expect.any(Number), after: 0.5 } },
        { kind: 'scorer', id: expect.any(String), weight: { before: expect.any(Number), after: 0.5 } },
      ]);
      const parts = because.reduce((sum, { difference = 0 }) => sum + difference, 0);
      if (before.kind !== 'ranked' || after.kind !== 'ranked') throw new Error('both are ranked');
      expect(parts).toBeCloseTo(after.score - before.score, 12);
    }
    expect(JSON.parse(JSON.stringify(diff))).toStrictEqual(diff);
  });

  test('shows a candidate that is no longer refused, and the one that it displaces', async () => {
    const ranking = await ranked();
    const diff = diffRankings(ranking, await ranking.whatIf({ without: 'sold_out' }));
    expect(diff.counts).toMatchObject({ admitted: 1, entered: 1, left: 1, moved: 2 });
    expect(diff.moves.map(({ id, because }) => [id, because])).toEqual([
      ['desk', []],
      ['vase', []],
      ['lamp', []],
    ]);
    expect(diffText(diff)).toMatchInlineSnapshot(`
      "shop → shop: of 4 candidates, 2 moved, 1 entered the selection, 1 left it, 1 no
      longer refused

        id    rank           score   why
        desk  refused → 1st          selected now
        vase  2nd → 3rd      0.5375  others moved
                                     no longer selected: below the top
        lamp  1st → 2nd      0.65    others moved
      "
    `);
    const back = diffRankings(await ranking.whatIf({ without: 'sold_out' }), ranking);
    expect(back.counts).toMatchObject({ refused: 1, admitted: 0, entered: 1, left: 1 });
    expect(diffText(back)).toContain('sold_out (veto): candidate.stock == 0');
  });

  test('lists the requested number, and counts all', async () => {
    const list = Array.from({ length: 10_000 }, (_, n) => ({ id: `c${n}`, n }));
    const up: ProfileInput = { name: 'up', tier2_scorers: [{ id: 'n', expr: 'candidate.n' }] };
    const down: ProfileInput = { name: 'down', tier2_scorers: [{ id: 'n', expr: '-candidate.n' }] };
    const diff = await diffProfiles(up, down, list, {}, { most: 2 });
    expect(diff.counts).toMatchObject({ given: 10_000, moved: 10_000 });
    expect(diff.moves.map(({ id }) => id)).toEqual(['c0', 'c9999']);
    expect(diffText(diff)).toContain('and 9,998 more');
  });

  test('a fallback was refused, and is selected', async () => {
    const all: ProfileInput = { ...shop, candidate: {}, fallback: [{ use: 'desk' }] };
    const none: ProfileInput = { ...all, name: 'none', tier1_scorers: [{ id: 'no', expr: 'true' }] };
    const diff = await diffProfiles<object>(all, none, goods.slice(0, 3));
    expect(diff.counts).toMatchObject({ refused: 2, entered: 1, left: 2 });
    expect(diff.moves.find(({ id }) => id === 'desk')).toMatchObject({ after: { selected: 'fallback' } });
  });

  test('rankings of other candidates are an error', async () => {
    const ranking = await ranked();
    const fewer = await rankBy<object>(shop, goods.slice(1));
    const others = await rankBy<object>(shop, goods.toReversed());
    const run = (other: typeof ranking) => messageOf(Promise.resolve().then(() => diffRankings(ranking, other)));
    expect(await run(fewer)).toContain('the rankings are of 4 and of 3 candidates');
    expect(await run(others)).toContain('candidate 0 is lamp in one ranking, and sign in the other');
  });
});

describe('diffProfiles', () => {
  test('accepts compiled profiles, ranks at one time, and updates no memory', async () => {
    const novelty: ProfileInput = {
      name: 'new',
      tier2_scorers: [
        { id: 'novel', class: 'NoveltyScorer', params: { text: 'text', embedder: { name: 'lexical' } } },
        { id: 'time', expr: 'double(now)', weight: 0 },
      ],
    };
    const pipeline = await createPipeline<object>(novelty);
    const list = ['a cat', 'a dog'].map((text, k) => ({ id: `${k}`, text }));
    const first = await diffProfiles(pipeline, pipeline, list);
    const again = await diffProfiles(pipeline, pipeline, list);
    expect(again).toEqual(first);
    expect(first.counts.changed).toBe(0);
  });

  test('between combine methods, compares the contributing values', async () => {
    const tier2_scorers = shop.tier2_scorers.map(({ id, expr }) => ({ id, expr }));
    const least: ProfileInput = { ...shop, name: 'least', tier2_scorers, combine: 'min', select: {} };
    const lift: ProfileInput = {
      ...least,
      name: 'lift',
      adjustments: [{ id: 'up', when: 'candidate.stock < 2', add: 1 }],
    };
    const diff = await diffProfiles<object>(least, lift, goods);
    expect(diff.counts.changed).toBe(0); // vase was the first already
    const { moves } = await diffProfiles<object>(shop, lift, goods);
    expect(moves.find(({ id }) => id === 'vase')?.because).toContainEqual(
      expect.objectContaining({ kind: 'rule', id: 'up', difference: expect.closeTo(1) }),
    );
  });
});

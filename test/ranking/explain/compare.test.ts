/* The comparison of two candidates, and the pairs that can be compared. */
import { describe, expect, test } from 'vitest';
import { type Comparison, comparisonText, type ProfileInput } from 'assize';
import { messageOf, rankBy } from '../../properties/ranked.js';

const shop = {
  name: 'shop',
  candidate: { pinned: 'candidate.keep' },
  tier1_scorers: [
    { id: 'sold_out', expr: 'candidate.stock == 0' },
    { id: 'dear', expr: 'candidate.price > 500' },
  ],
  tier2_scorers: [
    { id: 'rating', expr: 'candidate.rating / 5', weight: 3 },
    { id: 'cheap', expr: '1 - candidate.price / 100' },
    { id: 'new', expr: '1.0', when: 'context.sale' },
  ],
} satisfies ProfileInput;
const goods = [
  { id: 'lamp', stock: 3, rating: 4, price: 80 },
  { id: 'desk', stock: 0, rating: 5, price: 10 },
  { id: 'vase', stock: 1, rating: 2, price: 5 },
  { id: 'yacht', stock: 0, rating: 5, price: 900 },
  { id: 'sign', keep: true },
  { id: 'flag', keep: true },
  { id: 'rock', stock: 1 },
  { id: 'vase', stock: 1, rating: 1, price: 5 },
];
const ranked = (profile: ProfileInput = shop) => rankBy<object>(profile, goods);
const flipOf = ({ flips }: Comparison, kind: 'weights' | 'values', id: string) =>
  flips[kind].find((flip) => flip.id === id);

const fieldOf = ({ flips }: Comparison, field: string) => flips.fields.find((change) => change.field === field);

describe('two ranked candidates', () => {
  test('shows each term, and ways to reverse their order', async () => {
    const comparison = await (await ranked()).compare('lamp', 'vase');
    expect(comparison).toMatchObject({ profile: 'shop', ahead: 'a', decidedBy: 'score' });
    expect(comparison.difference).toBeCloseTo(0.65 - 0.5375);
    expect(comparison.terms.map(({ id, favours }) => [id, favours])).toEqual([
      ['rating', 'a'],
      ['cheap', 'b'],
      ['new', undefined],
    ]);
    // w · 0.8 + 0.2 equals w · 0.4 + 0.95 if w is 1.875; 3 · 0.8 + 0.2 w equals 3 · 0.4 + 0.95 w if it is 1.6.
    const weights = ['rating', 'cheap'].map((id) => flipOf(comparison, 'weights', id));
    expect(weights).toMatchObject([
      { from: 3, state: 'flips', how: 'exact' },
      { from: 1, state: 'flips', how: 'exact' },
    ]);
    expect(weights.map((flip) => (flip?.state === 'flips' ? flip.to : undefined))).toEqual([
      expect.closeTo(1.875),
      expect.closeTo(1.6),
    ]);
    expect(fieldOf(comparison, 'rating')).toMatchObject({ from: 2, to: 3, threshold: 2, text: 'rating 3 or more' });
    expect(fieldOf(comparison, 'price')).toMatchObject({ readBy: ['dear', 'cheap'], state: 'none' }); // only below 0
    expect(flipOf(comparison, 'values', 'rating')).toMatchObject({ state: 'not_evaluated' });
    expect(flipOf(comparison, 'values', 'new')).toMatchObject({
      state: 'not_evaluated',
      because: 'its when is not true',
    });
    expect(comparison.flips).toMatchObject({ behind: 'b', without: [] });
  });

  test('finds no flip outside the range that a class declares', async () => {
    const profile: ProfileInput = {
      tier2_scorers: [
        { id: 'size', expr: 'candidate.size' },
        { id: 'fresh', class: 'DecayScorer', params: { field: 'at', curve: { type: 'window', max_age: '1d' } } },
      ],
    };
    const list = [
      { id: 'a', size: 3, at: '2026-01-01' },
      { id: 'b', size: 1, at: '2020-01-01' },
    ];
    const comparison = await (await rankBy(profile, list, { now: '2026-01-01' })).compare('a', 'b');
    expect(fieldOf(comparison, 'at')).toEqual({
      field: 'at',
      from: '2020-01-01',
      readBy: ['fresh'],
      state: 'none',
      certain: true,
      within: { least: '2013-12-31', most: '2032-01-02' },
    });
    expect(flipOf(comparison, 'weights', 'size')).toMatchObject({ state: 'none', how: 'exact' });
  });

  test('in a sum a weight becomes negative only if another is already', async () => {
    const list = [
      { id: 'a', m: 1, n: 0.1 },
      { id: 'b', m: 0.5, n: 0.2 },
    ];
    const sum = (weight: number): ProfileInput => ({
      tier2_scorers: [
        { id: 'm', expr: 'candidate.m' },
        { id: 'n', expr: 'candidate.n', weight },
      ],
      combine: 'weighted_sum',
    });
    const positive = await (await rankBy(sum(1), list)).compare('a', 'b');
    expect(flipOf(positive, 'weights', 'n')).toMatchObject({ state: 'flips', to: expect.closeTo(5), how: 'exact' });
    expect(flipOf(positive, 'weights', 'm')).toMatchObject({ state: 'flips', to: expect.closeTo(0.2) });
    const negative = await (await rankBy(sum(-1), list)).compare('a', 'b');
    expect(flipOf(negative, 'weights', 'm')).toMatchObject({ state: 'flips', to: expect.closeTo(-0.2) });
  });

  test('a tie is decided by the profile’s ties, and a small change reverses it', async () => {
    const list = [
      { id: 'a', n: 0.5, m: 1 },
      { id: 'b', n: 0.5, m: 2 },
    ];
    const profile: ProfileInput = {
      tier2_scorers: [{ id: 'n', expr: 'candidate.n' }],
      select: { ties: ['-candidate.m'] },
    };
    const comparison = await (await rankBy(profile, list)).compare('a', 'b');
    expect(comparison).toMatchObject({ ahead: 'b', decidedBy: 'ties', difference: 0 });
    expect(fieldOf(comparison, 'n')).toMatchObject({ from: 0.5, threshold: 0.5, to: 0.6, text: 'n 0.6 or more' });
  });

  test('uses the tie itself if its better position is enough', async () => {
    const list = [
      { id: 'a', n: 0.5 },
      { id: 'b', n: 1 },
    ];
    const profile: ProfileInput = { tier2_scorers: [{ id: 'n', expr: 'candidate.n' }] };
    const comparison = await (await rankBy(profile, list)).compare('a', 'b');
    expect(fieldOf(comparison, 'n')).toMatchObject({ from: 0.5, to: 1, text: 'n 1.0 or more' });
  });

  test('a rule that reads the score is solved by searching', async () => {
    const list = [
      { id: 'a', n: 0.6 },
      { id: 'b', n: 0.4 },
    ];
    const profile: ProfileInput = {
      tier2_scorers: [{ id: 'n', expr: 'candidate.n' }],
      adjustments: [{ id: 'lift', when: 'score >= 0.45 && candidate.id == "b"', add: 0.3 }],
    };
    const comparison = await (await rankBy(profile, list)).compare('a', 'b');
    expect(fieldOf(comparison, 'n')).toMatchObject({ from: 0.4, to: 0.5, text: 'n 0.5' });
  });
});

describe('decisions without a score', () => {
  test('a refused candidate: the result without each veto', async () => {
    const comparison = await (await ranked()).compare('lamp', 'desk');
    expect(comparison).toMatchObject({ ahead: 'a', decidedBy: 'refusal' });
    expect(comparison.difference).toBeUndefined();
    expect(comparison.flips).toMatchObject({
      behind: 'b',
      weights: [],
      values: [],
      because: 'desk was refused and not ranked',
      without: [{ id: 'sold_out', refusal: 'veto', state: 'flips', outcome: { kind: 'ranked', rank: 1 } }],
    });
  });

  test('a candidate refused by two vetoes: removing one alone does not let it win', async () => {
    const comparison = await (await ranked({ ...shop, veto_on_first: false })).compare('lamp', 'yacht');
    expect(comparison.flips.without).toMatchObject([
      { id: 'sold_out', state: 'none', outcome: { kind: 'refused', by: 'dear' } },
      { id: 'dear', state: 'none', outcome: { kind: 'refused', by: 'sold_out' } },
    ]);
  });

  test('an unscored candidate, and one that a scorer refused', async () => {
    const unscored = await (await ranked()).compare('lamp', 'rock');
    expect(unscored.flips.without).toEqual([
      { id: 'combine', refusal: 'unscored', state: 'not_evaluated', because: 'no entry refused it alone' },
    ]);
    const [rating, cheap, fresh] = shop.tier2_scorers;
    const strict = { ...shop, tier2_scorers: [{ ...rating!, on_absent: 'refuse' as const }, cheap!, fresh!] };
    const refused = await (await ranked(strict)).compare('rock', 'lamp');
    expect(refused.flips.without).toMatchObject([{ id: 'rating', refusal: 'absent', state: 'none' }]);
  });

  test.each([
    ['both are refused', 'desk', 'yacht', undefined, 'nothing', 'neither comes first'],
    ['both are pinned', 'sign', 'flag', undefined, 'nothing', 'neither comes first'],
    ['one is pinned', 'lamp', 'sign', 'b', 'pinned', 'sign is pinned, so its score has no effect'],
    ['a pinned one and a refused one', 'desk', 'sign', 'b', 'pinned', 'desk was refused and not ranked'],
  ])('%s', async (_, a, b, ahead, decidedBy, because) => {
    const comparison = await (await ranked()).compare(a, b);
    expect(comparison.ahead).toBe(ahead);
    expect(comparison).toMatchObject({ decidedBy, flips: { because } });
  });
});

describe('decisions by a step of select', () => {
  const list = [
    { id: 'a', n: 0.9, kind: 'x', twin: 1 },
    { id: 'b', n: 0.8, kind: 'x', twin: 1 },
    { id: 'c', n: 0.7, kind: 'y', twin: 2 },
  ];
  const selecting = (select: ProfileInput['select']): ProfileInput => ({
    tier2_scorers: [{ id: 'n', expr: 'candidate.n' }],
    select,
  });
  const mmr = { class: 'MmrSelector', params: { fields: 'kind', lambda: 0.3 } };

  test.each([
    [{ duplicates: 'candidate.twin' }, 'duplicates', 'c is selected and b is not: b is a duplicate'],
    [
      { per: { by: 'candidate.kind', top: 1 } },
      'per',
      'c is selected and b is not: the group limit decides, not the score',
    ],
    [{ diversify: mmr, top: 3 }, 'diversify', 'c comes before b: diversification decides, not the score'],
    [{ diversify: mmr, top: 2 }, 'diversify', 'c comes before b: diversification decides, not the score'],
  ])('%j: %s', async (select, decidedBy, said) => {
    const comparison = await (await rankBy(selecting(select), list)).compare('b', 'c');
    expect(comparison).toMatchObject({ ahead: 'b', decidedBy, difference: expect.closeTo(0.1) });
    expect(comparison.flips).toMatchObject({
      behind: 'a',
      weights: [],
      values: [],
      because: `${decidedBy} decides, not the score`,
    });
    expect(comparisonText(comparison)).toContain(said);
  });
});

describe('the pairs that can be compared', () => {
  test.each([
    ['lamp', 'lapm', 'did you mean lamp'],
    ['lamp', 'lamp', 'lamp is compared with itself'],
  ])('%s and %s: %s', async (a, b, message) => {
    const ranking = await ranked();
    const error: unknown = await ranking.compare(a, b).catch((thrown: unknown) => thrown);
    expect(JSON.stringify(error)).toContain(message);
  });

  test('two with one id are named by their positions', async () => {
    const ranking = await ranked();
    expect(await messageOf(ranking.compare('vase', { index: 2 }))).toContain('vase is compared with itself');
    expect(await ranking.compare('vase', { index: 7 })).toMatchObject({ ahead: 'a', b: { sameId: 2, index: 7 } });
  });

  test('rejects a candidate that has changed since', async () => {
    const list = goods.map((one) => ({ ...one }));
    const ranking = await rankBy<{ rating?: number }>(shop, list);
    list[0]!.rating = 1;
    expect(await messageOf(ranking.compare('lamp', 'vase'))).toContain('lamp has changed since it was ranked');
  });
});

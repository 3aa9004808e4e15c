/* Ways to win: the text, the limits of the work, and fields that are not tried. */
import { describe, expect, test } from 'vitest';
import { createPipeline, type ProfileInput, waysToWinText } from 'assize';
import { defineScorer, path, type PathReader, z } from 'assize/sdk';

const shop: ProfileInput = {
  name: 'shop',
  tier1_scorers: [{ id: 'sold_out', expr: 'candidate.stock == 0' }],
  tier2_scorers: [
    { id: 'rating', expr: 'clamp(candidate.rating / 5, 0, 1)', weight: 2 },
    { id: 'cheap', expr: '1 - min(candidate.price / 100, 1)', weight: 3 },
  ],
  select: {
    per: { by: 'candidate.brand', top: 1 },
    diversify: { class: 'MmrSelector', params: { lambda: 0.7, fields: 'kind' } },
    top: 3,
  },
};
const goods = [
  { id: 'lamp', stock: 3, rating: 4.5, price: 12.5, brand: 'fjord', kind: 'light' },
  { id: 'vase', stock: 2, rating: 4.9, price: 19.99, brand: 'fjord', kind: 'pot' },
  { id: 'desk', stock: 0, rating: 5, price: 5, brand: 'oslo', kind: 'table' },
  { id: 'bulb', stock: 1, rating: 2.5, price: 40.25, brand: 'bergen', kind: 'light' },
];

test('shows the values in the field, and the fields tried without success', async () => {
  const ranking = await (await createPipeline(shop)).rank(goods);
  expect(waysToWinText(await ranking.waysToWin('vase'))).toMatchInlineSnapshot(`
    "vase: 0.8721, 2nd of 3, not selected: 1 of fjord are already selected (instead:
    lamp) (shop)
      first now: lamp

    vase would be first with any one of these changes
      price 17.83 or less (is 19.99)
      rating with weight 2.809 (now 2)
      cheap with weight 2.136 (now 3)

    Each change was applied, and the candidates were ranked again: 81 runs. Not
    enough on their own: stock, rating.
    "
  `);
  expect(waysToWinText(await ranking.waysToWin('bulb'))).toMatchInlineSnapshot(`
    "bulb: 0.5585, 3rd of 3, selected (-0.3: relevance 0, and 0.3 lost by being 1
    like lamp) (shop)
      first now: lamp

    No single change works: with each of those tried, bulb would not be first.

    Each change was applied, and the candidates were ranked again: 86 runs. Not
    enough on their own: stock, rating, price, the weight of rating, the weight of
    cheap.
    "
  `);
  expect(waysToWinText(await ranking.waysToWin('@2', 'selected'))).toMatchInlineSnapshot(`
    "desk: refused by sold_out (shop)

    desk would be selected with any one of these changes
      without sold_out
      stock 1 (is 0)

    Each change was applied, and the candidates were ranked again: 51 runs. Not
    enough on their own: rating, price.
    "
  `);
  expect(waysToWinText(await ranking.waysToWin('lamp'))).toMatchInlineSnapshot(`
    "lamp: 0.885, 1st of 3, selected (the most relevant) (shop)

    It is first already.
    "
  `);
});

/** Counts its candidates, and waits. */
const calls = { count: 0 };
class Asked {
  static readonly meta = defineScorer({
    summary: 'Asks a service.',
    reads: 'params',
    scope: 'candidate',
    range: [0, 1],
    params: z.strictObject({ field: path() }),
  });
  async prepare({ field }: { field: PathReader }, { candidates }: { candidates: readonly object[] }) {
    calls.count += candidates.length;
    const column = await Promise.resolve(candidates.map((one) => Number(field(one)) / 100));
    return (_: object, index: number) => column[index];
  }
}

describe('the work is bounded', () => {
  const rows = [
    { id: 'a', n: 90, price: 10 },
    { id: 'b', n: 20, price: 20 },
  ];
  const profile: ProfileInput = {
    tier2_scorers: [
      { id: 'asked', class: 'Asked', params: { field: 'n' } },
      { id: 'cheap', expr: '1 - candidate.price / 100.0' },
      { id: 'weight', expr: 'candidate.price / 1000.0' },
    ],
  };

  test('an entry that waits is not called again: its fields are not tried, others are', async () => {
    const pipeline = await createPipeline<object>(profile, { units: { Asked } });
    const ranking = await pipeline.rank(rows);
    calls.count = 0;
    const { fields } = await ranking.waysToWin('b');
    expect(fields).toMatchObject([
      { field: 'n', state: 'not_evaluated', because: 'asked is asynchronous and would have to be called again' },
      { field: 'price', state: 'none' },
    ]);
    expect(calls.count).toBe(0);
  });

  test('an explanation tries nothing, and many candidates are ranked less often', async () => {
    const pipeline = await createPipeline<object>({ tier2_scorers: [{ id: 'n', expr: 'candidate.n / 7.0' }] });
    const few = await (await pipeline.rank(rows)).waysToWin('b');
    const many = Array.from({ length: 100_000 }, (_, k) => ({ id: `c${k}`, n: k % 977 }));
    const ways = await (await pipeline.rank(many)).waysToWin('c0');
    expect(few.runs.most).toBe(1000);
    expect(ways.runs.most).toBe(24);
    expect(ways.runs.used).toBeLessThanOrEqual(24);
    expect(ways.fields).toMatchObject([{ field: 'n', state: 'flips', to: 976, beyond: 'more' }]);
  });
});

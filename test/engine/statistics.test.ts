import { describe, expect, test } from 'vitest';
import { createPipeline, explanationText, type ProfileInput, type Ranking } from 'assize';
import { defineScorer, expression, type Live, type ParamsOf, type Score, z } from 'assize/sdk';

const SHOP: ProfileInput = {
  name: 'shop',
  let: {
    tags: 'candidate.tags.map(t, lower(t))',
    limit: 5,
    cheap: '(stats.price.max - candidate.price) / (stats.price.max - stats.price.min)',
  },
  stats: { price: 'candidate.price', load: { of: 'candidate.load', by: 'candidate.zone' }, all: {} },
  tier1_scorers: [{ id: 'off', expr: '"off" in tags' }],
  tier2_scorers: [
    { id: 'cheap_one', expr: 'cheap', weight: 2 },
    { id: 'idle', expr: '1 - candidate.load / stats.load.max' },
  ],
  adjustments: [{ id: 'busy', when: 'candidate.load > stats.load.mean && stats.all.count < limit', multiply: 0.5 }],
};

class Costs {
  static readonly meta = defineScorer({
    summary: 'The value of an expression.',
    params: z.strictObject({ of: expression({ want: 'number' }) }),
  });
  compile({ of }: ParamsOf<typeof Costs>, live: Live): Score<object> {
    const value = live.expression(of);
    return (candidate, index) => value(candidate, index) as number | undefined;
  }
}

const ITEMS = [
  { id: 'a', price: 10, load: 3, zone: 'x', tags: ['NEW'] },
  { id: 'b', price: 30, load: 6, zone: 'x', tags: [] },
  { id: 'c', price: 20, load: 8, zone: 'y', tags: ['new'] },
  { id: 'd', price: 1, load: 80, zone: 'y', tags: ['OFF'] },
];

const scores = (ranking: Ranking<object>): Readonly<Record<string, number>> =>
  Object.fromEntries(ranking.ranked.map(({ id, score }) => [id, score]));

test('statistics count the candidates that the vetoes keep', async () => {
  const pipeline = await createPipeline<object>(SHOP);
  expect(scores(pipeline.rankSync(ITEMS))).toEqual({
    a: expect.closeTo((2 * 1 + (1 - 3 / 6)) / 3, 12),
    b: 0,
    c: expect.closeTo((2 * 0.5 + 0) / 3, 12),
  });
});

test('an explanation shows a named value once, and statistics where they are read', async () => {
  const ranking = (await createPipeline<object>(SHOP)).rankSync(ITEMS);
  const text = explanationText(ranking.explain('b'));
  expect(text).toMatch(/Named values\n {2}tags +– +\[\], from candidate\.tags\.map\(t, lower\(t\)\)\n/);
  expect(text).toMatch(/cheap +0 +\(stats\.price\.max - candidate\.price\)/);
  expect(text.match(/stats\.price\.max = 30/g)).toHaveLength(1);
  expect(text).toContain('load = 6, stats.load.max = 6');
  const lets = ranking.explain('a').details.find(({ id }) => id === 'let')?.details;
  expect(lets?.map(({ id, value, state }) => [id, value, state])).toEqual([
    ['tags', ['new'], 'computed'],
    ['limit', 5, 'computed'],
    ['cheap', 1, 'computed'],
  ]);
  expect(explanationText(ranking.explain('d'))).toMatch(/tags +– +\["off"\], from/);
});

test('a candidate alone is an error, among others it is scored with their statistics', async () => {
  const pipeline = await createPipeline<object>(SHOP);
  expect(() => pipeline.scoreSync(ITEMS[0]!)).toThrow(/ASZ502.*relative to others/s);
  const row = pipeline.scoreSync(ITEMS[0]!, {}, { among: ITEMS });
  expect(row).toMatchObject({ score: expect.closeTo((2 * 1 + (1 - 3 / 6)) / 3, 12) });
});

test('a stream is refused, with the place of each statistic that is read', async () => {
  const pipeline = await createPipeline<object>({ ...SHOP, select: { top: 2 } });
  await expect(pipeline.rankStream(ITEMS)).rejects.toMatchObject({
    problems: ['price', 'load', 'all'].map((name) => ({
      code: 'ASZ518',
      message: `profile shop cannot rank a stream: stats.${name} needs all candidates at once`,
      path: `stats.${name}`,
    })),
  });
});

test('candidates that are scored one by one are refused, too', async () => {
  const pipeline = await createPipeline<object>(SHOP);
  expect(pipeline.needsAll).toEqual(['stats.price', 'stats.load', 'stats.all']);
  expect(() => pipeline.scoreStream(ITEMS)).toThrow('stats.price, stats.load, stats.all need all candidates');
});

test('named values alone can be ranked as a stream', async () => {
  const profile: ProfileInput = {
    let: { cost: 'candidate.price * candidate.load' },
    tier1_scorers: [{ id: 'dear', expr: 'cost > 200' }],
    tier2_scorers: [{ id: 'a', expr: '1 / cost' }],
    select: { top: 2 },
  };
  const pipeline = await createPipeline<object>(profile);
  const { selected } = await pipeline.rankStream(ITEMS);
  expect(selected.map(({ id }) => id)).toEqual(['a', 'd']);
  expect(pipeline.rankSync(ITEMS).selected.map(({ id }) => id)).toEqual(['a', 'd']);
});

test('params, weights by case, ties, groups, duplicates and a budget read both', async () => {
  const pipeline = await createPipeline<object>(
    {
      plugins: ['cupel'],
      let: { zone: 'candidate.zone', cost: 'candidate.price / stats.price.max', size: 'measures.half * 2' },
      stats: { price: 'candidate.price' },
      candidate: { pinned: 'zone == "y" && candidate.price < 5' },
      measures: [{ id: 'half', expr: 'candidate.load / 2' }],
      tier2_scorers: [
        { id: 'a', class: 'ScaledScorer', params: { scale: { type: 'max' }, scorer: { expr: 'size + cost' } } },
        { id: 'b', class: 'Costs', params: { of: 'cost > 0.5 ? 1 : stats.price.min' } },
      ],
      weights: { by: 'cost > 0.5 ? "dear" : "cheap"', cases: { dear: { a: 3 } } },
      select: {
        ties: ['cost'],
        per: { by: 'zone', top: 5 },
        duplicates: 'cost',
        pack: { class: 'GreedyPack', cost: 'stats.price.max / 10 + size', budget: 100 },
      },
    },
    { units: { Costs } },
  );
  const { selected, ranked } = pipeline.rankSync(ITEMS);
  expect(selected.map(({ id }) => id)).toEqual(['d', 'a', 'b']);
  expect(ranked.map(({ id }) => id)).toEqual(['a', 'c', 'b']);
});

describe('statistics', () => {
  test('of failing numbers skip them and report them', async () => {
    const pipeline = await createPipeline<object>({
      stats: { price: { of: 'candidate.price / candidate.load', by: 'candidate.tags[0]' } },
      tier2_scorers: [{ id: 'a', expr: 'stats.price.count', on_absent: -1 }],
    });
    const ranking = pipeline.rankSync([
      { id: 'zero', price: 1, load: 0, tags: ['x'] },
      { id: 'text', price: 'no', load: 1, tags: ['x'] },
      { id: 'fine', price: 1, load: 1, tags: ['x'] },
      { id: 'none', price: 1, load: 1, tags: [] },
    ]);
    expect(scores(ranking)).toEqual({ zero: 1, text: 1, fine: 1, none: -1 });
    expect(ranking.degraded.map(({ entry, stage, count }) => [entry, stage, count])).toEqual([
      ['stats.price', 'measure', 2],
    ]);
  });

  test('of no candidates are absent, with a count and a sum of 0', async () => {
    const pipeline = await createPipeline<object>({
      stats: { x: 'candidate.x' },
      tier2_scorers: [{ id: 'a', expr: 'stats.x.count + stats.x.sum + (has(stats.x.mean) ? 100 : 0.5)' }],
    });
    expect(scores(pipeline.rankSync([{ id: 'a' }]))).toEqual({ a: 0.5 });
  });

  test('may read others: a z-score of shares', async () => {
    const pipeline = await createPipeline<object>({
      let: { share: 'candidate.x / stats.x.sum' },
      stats: { shares: 'share', x: 'candidate.x' },
      tier2_scorers: [{ id: 'a', expr: '(share - stats.shares.mean) / stats.shares.stddev' }],
    });
    expect(
      scores(
        pipeline.rankSync([
          { id: 'a', x: 1 },
          { id: 'b', x: 3 },
        ]),
      ),
    ).toEqual({ a: -1, b: 1 });
  });

  test('change with a candidate that changes, and with the weights of a call', async () => {
    const pipeline = await createPipeline<{ id: string; x: number }>({
      stats: { x: 'candidate.x' },
      tier2_scorers: [
        { id: 'a', expr: 'candidate.x / stats.x.max', weight: 1 },
        { id: 'b', expr: 'stats.x.min / candidate.x', weight: 1 },
      ],
    });
    const given = [
      { id: 'a', x: 1 },
      { id: 'b', x: 4 },
    ];
    const ranking = pipeline.rankSync(given);
    expect(scores(await ranking.whatIf({ without: 'b' }))).toEqual({ a: 0.25, b: 1 });
    const changed = await pipeline.rank([given[0]!, { id: 'b', x: 2 }]);
    expect(scores(changed)).toEqual({ a: (0.5 + 1) / 2, b: (1 + 0.5) / 2 });
    expect(scores(ranking.reweigh({ weights: { a: 3 } }))).toEqual({ a: (3 * 0.25 + 1) / 4, b: (3 + 0.25) / 4 });
  });
});

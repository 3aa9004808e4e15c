import { describe, expect, test } from 'vitest';
import { createPipeline, type ProfileInput } from 'assize';
import {
  defineReport,
  defineScorer,
  defineSelector,
  type SelectorFunction,
  type SelectorLimits,
  type SelectorResult,
  z,
} from 'assize/sdk';
import { messageOf, rankBy } from '../properties/ranked.js';

type Pack = NonNullable<NonNullable<ProfileInput['select']>['pack']>;

/** The arguments of the last call of a selector. */
let asked: { readonly ids: readonly string[]; readonly limits: SelectorLimits } | undefined;

/** Keeps the rows that fit, in order, and the pinned. */
const firstFit: SelectorFunction = (rows, limits): SelectorResult => {
  asked = { ids: rows.map(({ id, score, pinned }) => `${id} ${score}${pinned ? ' pinned' : ''}`), limits };
  let room = limits.target;
  const kept = rows.filter((row) => {
    const fits = row.pinned || row.cost <= room;
    if (fits && !row.pinned) room -= row.cost;
    return fits;
  });
  const left = rows.flatMap(({ index, cost }) =>
    kept.some((row) => row.index === index) ? [] : [{ index, reason: 'no_room', data: { cost } }],
  );
  return { kept, left };
};

const selecting = (select: SelectorFunction) =>
  class {
    static readonly meta = defineSelector({
      summary: 'For a test.',
      params: z.strictObject({}),
      reasons: { no_room: 'no room for {cost}' },
    });
    prepare(): SelectorFunction {
      return select;
    }
  };

const units = { FirstFit: selecting(firstFit) };

const profile = (pack: Partial<Pack> = {}, more: ProfileInput = {}): ProfileInput => ({
  candidate: { pinned: 'candidate.keep' },
  tier2_scorers: [{ id: 's', expr: 'candidate.score' }],
  ...more,
  select: { pack: { cost: 'candidate.tokens', budget: 100, class: 'FirstFit', ...pack }, ...more.select },
});

const item = (id: string, tokens: number, score: number, more: object = {}) => ({ id, tokens, score, ...more });
const pin = (id: string, tokens: number) => item(id, tokens, 0, { keep: true });

const items = [item('a', 60, 0.9), pin('sys', 30), item('b', 40, 0.8), item('c', 10, 0.1)];

describe('the arithmetic of a budget', () => {
  test.each<[Pack['budget'], SelectorLimits]>([
    [1000, { target: 970, max: 970 }],
    [
      { target: 500, max: 1000 },
      { target: 470, max: 970 },
    ],
    [{ max: 1000 }, { target: 970, max: 970 }],
    [
      { target: 500, max: 500, output_reserve: 100 },
      { target: 370, max: 370 },
    ],
    [
      { target: 500, max: 1000, output_reserve: 600 },
      { target: 370, max: 370 },
    ],
    [
      { target: 500, max: 1000, reserved_slots: { tools: 50, memory: 20 } },
      { target: 400, max: 900 },
    ],
    [
      { target: 600, max: 1030, safety_margin: 90 },
      { target: 56, max: 99 },
    ], // 1 − 0.9 is slightly less than 0.1
    [
      { target: 1030, max: 1030, safety_margin: 100 },
      { target: 0, max: 0 },
    ],
    [
      { target: 20, max: 1000 },
      { target: 0, max: 970 },
    ],
  ])('%j with 30 pinned leaves %j', async (budget, limits) => {
    await rankBy(profile({ budget, overflow: 'proceed' }), items, {}, { units });
    expect(asked).toEqual({ ids: ['sys 1 pinned', 'a 0.9', 'b 0.8', 'c 0.1'], limits });
  });

  test('a ranking reports it', async () => {
    const budget = { target: 100, max: 200, output_reserve: 20, reserved_slots: { tools: 5 }, safety_margin: 10 };
    const ranking = await rankBy(profile({ budget }), items, {}, { units });
    expect(ranking.budget).toEqual({
      target: 100,
      max: 200,
      outputReserve: 20,
      reservedSlots: 5,
      safetyMargin: 10,
      pinned: 30,
      room: 58,
      used: 80,
      unused: 8,
    });
    expect(ranking.selected.map(({ id, cost, because }) => [id, cost, because])).toEqual([
      ['sys', 30, 'pinned'],
      ['b', 40, undefined],
      ['c', 10, undefined],
    ]);
    expect(ranking.notSelected).toMatchObject([
      {
        id: 'a',
        rank: 1,
        reason: 'pinned_first',
        text: 'it costs 60, and 58 are available next to the pinned candidates',
      },
    ]);
    expect(ranking.notSelected[0]?.replacedBy).toEqual(['sys']);
  });

  test('an explanation reports it', async () => {
    const ranking = await rankBy(profile(), [...items, pin('neg', -1)], {}, { units });
    expect(ranking.explain('a').outcome).toMatchObject({ selected: 'score' });
    expect(ranking.explain('b').outcome).toMatchObject({
      kind: 'ranked',
      rank: 2,
      notSelected: { reason: 'no_room', text: 'no room for 40' },
    });
    expect(ranking.explain('b').outcome).not.toHaveProperty('selected');
    expect(ranking.explain('sys').outcome).toEqual({ kind: 'pinned', selected: 'pinned' });
    expect(ranking.explain('neg').outcome).toMatchObject({ kind: 'pinned', notSelected: { reason: 'negative_cost' } });
  });

  test('is absent if the profile does not pack', async () => {
    const { budget, selected } = await rankBy({ tier2_scorers: [{ id: 's', expr: 'candidate.score' }] }, items);
    expect(budget).toBeUndefined();
    expect(selected[0]).not.toHaveProperty('cost');
  });
});

describe('a budget given with the call', () => {
  const open = profile({ budget: { output_reserve: 10 } });

  test('replaces target and max, but not the reserves', async () => {
    const pipeline = await createPipeline<object>(open, { units });
    const { budget } = await pipeline.rank(items, {}, { budget: 120 });
    expect(budget).toMatchObject({ target: 120, max: 120, outputReserve: 10, room: 80 });
    expect((await pipeline.pack(items, { target: 50, max: 90 })).budget).toMatchObject({
      target: 50,
      max: 90,
      room: 20,
    });
    expect((await pipeline.pack(items, { max: 90 })).budget).toMatchObject({ target: 90, max: 90 });
  });

  test('also applies to a what-if', async () => {
    const pipeline = await createPipeline<object>(open, { units });
    const ranking = await pipeline.pack(items, 150);
    expect((await ranking.whatIf({ weights: { s: 2 } })).budget).toMatchObject({ target: 150 });
  });

  test('is required if the profile has none, except to score one candidate', async () => {
    const pipeline = await createPipeline<object>(open, { units });
    expect(await messageOf(pipeline.rank(items))).toMatchInlineSnapshot(`
      "AssizeError: select.pack.budget error ASZ513 profile profile has select.pack, but neither it nor the call sets a budget
        pass one to the call: rank(candidates, context, { budget: 8000 }), or --budget 8000"
    `);
    expect(await pipeline.score(item('a', 60, 0.9))).toMatchObject({ score: 0.9 });
  });

  test('is an error if it is malformed or the profile does not pack', async () => {
    const pipeline = await createPipeline<object>(open, { units });
    const wrong = ['8000', -1, Number.NaN, null, { target: 9, max: 5 }, { target: '5' }, { targt: 5 }, 5] as never[];
    const messages = await Promise.all(wrong.map((budget) => messageOf(pipeline.pack(items, budget))));
    expect(messages.join('\n')).toMatchInlineSnapshot(`
      "AssizeError: select.pack.budget error ASZ513 the budget is the string "8000"; expected a number, or { target, max }
      AssizeError: select.pack.budget error ASZ513 the budget's target is the number -1; expected a number of at least 0
      AssizeError: select.pack.budget error ASZ513 the budget's target is the number NaN; expected a number of at least 0
      AssizeError: select.pack.budget error ASZ513 the budget is null; expected a number, or { target, max }
      AssizeError: select.pack.budget error ASZ513 the budget has a target of 9, more than its max of 5
      AssizeError: select.pack.budget error ASZ513 the budget's target is the string "5"; expected a number of at least 0
      AssizeError: select.pack.budget error ASZ513 the budget has targt; expected a number, or { target, max, output_reserve, reserved_slots, safety_margin }
      AssizeError: select.pack.budget error ASZ513 the output_reserve of 10 is more than the max of 5
        pass a larger budget, or lower the reserves"
    `);
    const reserving = await createPipeline<object>(profile({ budget: { reserved_slots: { tools: 6 } } }), { units });
    expect(await messageOf(reserving.pack([], 5))).toMatchInlineSnapshot(`
      "AssizeError: select.pack.budget error ASZ513 the reserved_slots of 6 together are more than the max of 5
        pass a larger budget, or lower the reserves"
    `);
    const plain = await createPipeline<object>({ tier2_scorers: [{ id: 's', expr: 'candidate.score' }] });
    expect(await messageOf(plain.pack(items, 100))).toMatchInlineSnapshot(`
      "AssizeError: select error ASZ513 profile profile has no select.pack, but the call has a budget
        select: { pack: { cost: candidate.tokens, class: GreedyPack } } uses a budget"
    `);
  });
});

describe('a pinned candidate', () => {
  test('that exceeds the budget is an error with the numbers', async () => {
    const budget = { target: 50, max: 60, output_reserve: 20, reserved_slots: { tools: 15 } };
    expect(await messageOf(rankBy(profile({ budget }), items, {}, { units }))).toMatchInlineSnapshot(`
      "AssizeError: select.pack error ASZ510 the pinned candidates cost 30, more than the available 25 (max 60 − output_reserve 20 − reserved_slots 15)
        pin fewer candidates, or raise the budget"
    `);
  });

  test.each(['throw', 'truncate', 'proceed'] as const)(
    'that alone exceeds the target, with overflow: %s',
    async (overflow) => {
      const run = rankBy(profile({ budget: { target: 20, max: 100 }, overflow }), items, {}, { units });
      if (overflow === 'throw')
        expect(await messageOf(run)).toMatchInlineSnapshot(`
      "AssizeError: select.pack error ASZ511 the required candidates cost 30, more than the target of 20 (30 for 1 pinned, 0 for 0 others)
        raise the target, or set overflow: truncate to keep what fits, or overflow: proceed to keep everything"
    `);
      else expect((await run).selected.map(({ id }) => id)).toEqual(['sys']);
    },
  );

  test('without a cost fails the run; with a negative cost it is not selected', async () => {
    const bare = { id: 'bare', keep: true };
    expect(await messageOf(rankBy(profile(), [...items, bare], {}, { units }))).toMatchInlineSnapshot(`
      "AssizeError: select.pack.cost error ASZ510 the cost of the pinned candidate bare is unknown: candidate.tokens is absent
        pinned candidates are always selected, so each needs a cost"
    `);
    const { notSelected } = await rankBy(profile(), [...items, pin('neg', -5)], {}, { units });
    expect(notSelected[0]).toMatchObject({ id: 'neg', rank: undefined, text: 'its cost of -5 is below 0' });
  });

  test('is measured for its cost, without changing measures of other candidates', async () => {
    class Rank {
      static readonly meta = defineScorer({ summary: 'Counts the batch.', params: z.strictObject({}) });
      prepare(_: unknown, { candidates }: { candidates: readonly unknown[] }) {
        return () => candidates.length;
      }
    }
    const measures = [{ id: 'size', class: 'Rank' }];
    const cost = 'candidate.tokens + measures.size';
    const { selected } = await rankBy(
      profile({ cost, budget: 300 }, { measures }),
      items,
      {},
      { units: { ...units, Rank } },
    );
    expect(selected.map((row) => [row.id, row.cost])).toEqual([
      ['sys', 31],
      ['a', 63],
      ['b', 43],
      ['c', 13],
    ]);
  });
});

describe('the cost of a candidate', () => {
  test('is an expression of its score, measures and context', async () => {
    const cost = 'candidate.tokens * context.factor + score * 10.0 + scores.s';
    const { selected } = await rankBy(profile({ cost, budget: 500 }), items.slice(2), { factor: 2 }, { units });
    expect(selected.map((row) => row.cost)).toEqual([88.8, 21.1]);
  });

  test('if absent, negative or not a number, excludes the candidate with a reason', async () => {
    const odd = [{ id: 'absent', score: 1 }, item('below', -1, 0.7), { id: 'text', tokens: 'many', score: 0.5 }];
    const { notSelected, degraded } = await rankBy(profile(), [...odd, items[0]!], {}, { units });
    expect(notSelected.map(({ id, reason, text }) => ({ id, reason, text }))).toMatchInlineSnapshot(`
      [
        {
          "id": "absent",
          "reason": "no_cost",
          "text": "its cost is unknown: candidate.tokens is absent",
        },
        {
          "id": "below",
          "reason": "negative_cost",
          "text": "its cost of -1 is below 0",
        },
        {
          "id": "text",
          "reason": "no_cost",
          "text": "its cost is unknown: the expression needs a number, found the string "many"",
        },
      ]
    `);
    expect(degraded).toMatchObject([{ entry: 'cost', stage: 'pack', count: 1 }]);
  });

  test('warns with a suggestion if no candidate has it', async () => {
    const { warnings } = await rankBy(
      profile({ cost: 'candidate.token' }),
      items.filter(({ id }) => id !== 'sys').concat(item('n', 1, 1, { keep: false })),
      {},
      { units },
    );
    expect(warnings).toMatchObject([{ code: 'ASZ722' }, { code: 'ASZ712', hint: 'did you mean tokens?' }]);
  });
});

describe('overflow, if required rows exceed the target', () => {
  const Greedy = class {
    static readonly meta = defineSelector({ summary: 'Takes all.', params: z.strictObject({}), overflows: true });
    prepare(): SelectorFunction {
      return (rows) => ({ kept: rows, left: [] });
    }
  };
  const run = (overflow: Pack['overflow']) =>
    rankBy(profile({ class: 'Greedy', overflow }), items, {}, { units: { Greedy } });

  test('throw: fails with the numbers', async () => {
    expect(await messageOf(run('throw'))).toMatchInlineSnapshot(`
      "AssizeError: select.pack error ASZ511 the required candidates cost 140, more than the target of 100 (30 for 1 pinned, 110 for 3 others)
        raise the target, or set overflow: truncate to keep what fits, or overflow: proceed to keep everything"
    `);
  });

  test('truncate: keeps pinned rows and, best first, rows that still fit', async () => {
    const { selected, notSelected, budget } = await run('truncate');
    expect(selected.map(({ id }) => id)).toEqual(['sys', 'a', 'c']);
    expect(notSelected.map(({ id, text, replacedBy }) => ({ id, text, replacedBy }))).toEqual([
      { id: 'b', text: 'it costs 40, and 10 of the target were available', replacedBy: ['a'] },
    ]);
    expect(budget).toMatchObject({ used: 100 });
  });

  test('proceed: keeps everything', async () => {
    const { selected, budget } = await run('proceed');
    expect(selected.map(({ id }) => id)).toEqual(['sys', 'a', 'b', 'c']);
    expect(budget).toMatchObject({ target: 100, used: 140, unused: 0 });
  });
});

describe('a selector that breaks its contract', () => {
  const broken = (select: SelectorFunction): Promise<string> =>
    messageOf(rankBy(profile({ class: 'Broken' }), items, {}, { units: { Broken: selecting(select) } }));
  const none = (rows: readonly { index: number }[]) => rows.map(({ index }) => ({ index, reason: 'no_room' }));

  test.each<[string, SelectorFunction]>([
    ['drops the pinned', (rows) => ({ kept: [], left: none(rows) })],
    ['loses rows', (rows) => ({ kept: rows.slice(0, 1), left: [] })],
    ['invents a row', (rows) => ({ kept: [...rows, { ...rows[0]!, index: 77 }], left: [] })],
    ['gives a row twice', (rows) => ({ kept: rows, left: none(rows.slice(1)) })],
    ['exceeds the max', (rows) => ({ kept: rows, left: [] })],
    ['returns no lists', (rows) => rows as never],
    [
      'throws',
      () => {
        throw new Error('too tired');
      },
    ],
  ])('%s', async (_, select) => {
    expect(await broken(select)).toMatchSnapshot();
  });
});

describe('placing', () => {
  const backwards = selecting((rows) => ({ kept: rows.toReversed(), left: [] }));
  const base: ProfileInput = {
    candidate: { pinned: 'candidate.keep' },
    tier2_scorers: [{ id: 's', expr: 'candidate.score' }],
    select: { top: 2, place: { class: 'Backwards' } },
  };

  test('needs no budget, and also moves pinned rows', async () => {
    const { selected, notSelected } = await rankBy(base, items, {}, { units: { Backwards: backwards } });
    expect(selected.map(({ id, rank, because }) => [id, rank, because])).toEqual([
      ['b', 2, undefined],
      ['a', 1, undefined],
      ['sys', undefined, 'pinned'],
    ]);
    expect(notSelected.map(({ id, reason, text }) => [id, reason, text])).toEqual([['c', 'top', 'below the top']]);
  });

  test('keeps every row', async () => {
    const units2 = { Backwards: selecting(({ 0: first }) => ({ kept: [first!], left: [] })) };
    expect(await messageOf(rankBy(base, items, {}, { units: units2 }))).toContain(
      'lost a, b: in neither kept nor left',
    );
    const dropping = selecting((rows) => ({
      kept: rows.slice(0, 2),
      left: rows.slice(2).map(({ index }) => ({ index, reason: 'no_room' })),
    }));
    expect(await messageOf(rankBy(base, items, {}, { units: { Backwards: dropping } }))).toContain(
      'dropped b: a class under place must keep every row',
    );
  });

  test('determines the order that reports receive', async () => {
    class Order {
      static readonly meta = defineReport({ summary: 'The order.', params: z.strictObject({}) });
      prepare(_: unknown, { selected }: { selected: readonly { id: string; score: number }[] }) {
        return { value: selected.map(({ id, score }) => `${id} ${score}`) };
      }
    }
    const withReport = { ...base, report: [{ id: 'order', class: 'Order' }] };
    const { report } = await rankBy(withReport, items, {}, { units: { Backwards: backwards, Order } });
    expect(report['order']).toEqual(['b 0.8', 'a 0.9', 'sys NaN']);
  });
});

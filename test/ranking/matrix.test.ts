import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { CELL_STATES, createPipeline, type MatrixData, scorer } from 'assize';
import { goods, openShop, shop } from './shop.js';

/** A plain list of an array's numbers. */
const list = (array: Iterable<number>) => [...array];

/** The message at the other end of a channel. */
function post({ data, transfer }: { readonly data: MatrixData; readonly transfer: ArrayBuffer[] }): MatrixData {
  const { port1, port2 } = new MessageChannel();
  port1.postMessage(data, transfer);
  const { message } = receiveMessageOnPort(port2) as { readonly message: MatrixData };
  port1.close();
  return message;
}

describe('the matrix', () => {
  test('has the numbers of every entry, before and after its rules', async () => {
    const pipeline = await createPipeline<Record<string, unknown>>({
      tier2_scorers: [
        { id: 'x', expr: 'candidate.x', on_absent: 0.25 },
        { id: 'y', expr: 'candidate.y', on_error: 'skip' },
        { id: 'z', expr: 'candidate.x', when: 'false' },
      ],
    });
    const { matrix } = pipeline.rankSync([{ x: 1, y: 2 }, { y: 4 }, { x: 3, y: 'many' }]);
    const { values, resolved, states } = matrix.column('x');
    expect([list(values), list(resolved)]).toEqual([
      [1, Number.NaN, 3],
      [1, 0.25, 3],
    ]);
    expect(Array.from(states, (state) => CELL_STATES[state])).toEqual(['scored', 'absent', 'scored']);
    expect(Array.from(matrix.column('y').states, (state) => CELL_STATES[state])).toEqual([
      'scored',
      'scored',
      'failed',
    ]);
    expect(Array.from(matrix.column('z').states, (state) => CELL_STATES[state])).toEqual(
      Array(3).fill('not_evaluated'),
    );
    expect([matrix.weights('x'), matrix.weights('y')]).toEqual([
      Float64Array.of(0.5, 0.5, 1),
      Float64Array.of(0.5, 0.5, 0),
    ]);
    expect(matrix.weights('z')).toBeUndefined();
    expect(matrix.combined).toBe(matrix.totals);
  });

  test('shows the effect of each rule', async () => {
    const pipeline = await createPipeline<{ x: number }>({
      tier2_scorers: [{ id: 'x', expr: 'candidate.x' }],
      adjustments: [
        { id: 'double', when: 'score > 1', multiply: 2 },
        { id: 'cap', max: 5 },
      ],
    });
    const { matrix } = pipeline.rankSync([{ x: 1 }, { x: 2 }, { x: 4 }]);
    expect(matrix.rules).toEqual(['double', 'cap']);
    expect([list(matrix.combined), list(matrix.totals)]).toEqual([
      [1, 2, 4],
      [1, 4, 5],
    ]);
    expect([list(matrix.rule('double').fired), list(matrix.rule('double').totals)]).toEqual([
      [0, 1, 1],
      [1, 4, 8],
    ]);
    expect(() => matrix.rule('triple')).toThrow('no rule triple; there are double, cap');
  });

  test('has the entries inside others by their paths', async () => {
    const pipeline = await createPipeline<{ x: number; y?: number }>({
      tier2_scorers: [
        {
          id: 'both',
          class: 'CompositeScorer',
          params: {
            scorers: [
              { id: 'big', expr: 'candidate.x / 10', weight: 3 },
              { class: 'ScaledScorer', params: { scorer: { expr: 'candidate.y' } }, on_absent: 0.5 },
              { class: 'ScaledScorer', params: { scorer: { expr: 'candidate.x' } } },
            ],
          },
        },
      ],
    });
    const { matrix } = pipeline.rankSync([{ x: 1, y: 4 }, { x: 3 }, { x: 5, y: 8 }]);
    expect(matrix.children).toEqual([
      'both/big',
      'both/ScaledScorer',
      'both/ScaledScorer/candidate.y',
      'both/ScaledScorer#2',
      'both/ScaledScorer#2/candidate.x',
    ]);
    expect(list(matrix.column('both/big').values)).toEqual([0.1, 0.3, 0.5]);
    expect(list(matrix.column('both/ScaledScorer').values)).toEqual([0, Number.NaN, 1]);
    expect(list(matrix.column('both/ScaledScorer').resolved)).toEqual([0, 0.5, 1]);
    expect(list(matrix.column('both/ScaledScorer#2').values)).toEqual([0, 0.5, 1]);
    expect(matrix.weights('both/big')).toBe(3);
    expect(() => matrix.column('both/small')).toThrow('no entry both/small; there are both');
  });

  test('has the entries inside a scorer of a rerank', async () => {
    const pipeline = await createPipeline<{ x: number; y: number }>({
      tier2_scorers: [
        { id: 'near', expr: 'candidate.x', weight: 9 },
        { id: 'far', class: 'ScaledScorer', params: { scorer: { expr: 'candidate.y' } } },
      ],
      rerank: { ask: ['far'], top: 2 },
      select: { top: 1 },
    });
    const candidates = [
      { x: 1, y: 3 },
      { x: 5, y: 4 },
      { x: 4, y: 8 },
    ];
    const { matrix } = pipeline.rankSync(candidates);
    expect(list(matrix.index)).toEqual([1, 2]);
    expect(list(matrix.column('far/candidate.y').values)).toEqual([4, 8]);
    expect(list(matrix.column('far').values)).toEqual([0, 1]);
  });

  test('has the entries inside a scorer that an earlier run prepared', async () => {
    const pipeline = await createPipeline<{ x: number }>({
      tier2_scorers: [
        { id: 'far', class: 'ScaledScorer', params: { scorer: { expr: 'candidate.x' } } },
        { id: 'near', expr: '1 / candidate.x' },
      ],
    });
    const { matrix } = await pipeline.rankSync([{ x: 1 }, { x: 2 }, { x: 5 }]).whatIf({ weights: { near: 2 } });
    expect(list(matrix.column('far/candidate.x').values)).toEqual([1, 2, 5]);
    expect(list(matrix.column('far').values)).toEqual([0, 0.25, 1]);
  });

  test('can be transferred, and is computed again', async () => {
    const { matrix } = (await openShop({ ...shop, adjustments: [{ id: 'up', add: 1 }] })).rankSync(goods);
    const before = list(matrix.column('rating').values);
    const { data, transfer } = matrix.transferable();
    const arrived = post({ data, transfer });
    expect(list(arrived.columns['rating']!.values)).toEqual(before);
    expect(arrived.columns['rating']!.weights).toBe(0.75);
    expect(list(arrived.rules['up']!.fired)).toEqual([1, 1]);
    expect(list(arrived.totals)).toEqual(list(matrix.totals));
    expect(data.columns['rating']!.values).toHaveLength(0); // detached
    expect(list(matrix.column('rating').values)).toEqual(before);
    expect(list(matrix.rule('up').totals)).toEqual(list(matrix.totals));
  });

  test('of a reweighted ranking can be transferred, and the ranking still explains itself', async () => {
    const adjustments = [{ id: 'up', when: 'scores.rating > 0.5', add: 'scores.cheap' }];
    const ranking = (await openShop({ ...shop, adjustments })).rankSync(goods).reweigh({ weights: { cheap: 2 } });
    const [best] = ranking.ranked;
    post(ranking.matrix.transferable());
    expect(ranking.explain(best!.id).outcome).toMatchObject({ kind: 'ranked', score: best!.score });
    expect(ranking.reweigh({}).ranked).toEqual(ranking.ranked);
  });

  test('of a reweighted ranking calls no scorer', async () => {
    let calls = 0;
    const units = { Counted: scorer(({ x }: { x: number }) => (calls++, x)) };
    const pipeline = await createPipeline<{ x: number }>(
      {
        tier2_scorers: [
          { id: 'a', class: 'Counted' },
          { id: 'b', expr: 'candidate.x / 2' },
        ],
      },
      { units },
    );
    const ranking = pipeline.rankSync([{ x: 1 }, { x: 2 }]);
    void ranking.matrix.column('a');
    const before = calls;
    const { matrix } = ranking.reweigh({ weights: { a: 3 } });
    expect([list(matrix.column('a').values), matrix.weights('a'), list(matrix.totals)]).toEqual([
      [1, 2],
      0.75,
      [0.875, 1.75],
    ]);
    expect(calls).toBe(before);
  });
});

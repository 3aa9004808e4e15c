import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { curveRange, CurveScorer } from '../../../plugins/core/curve-scorer.js';
import { createPipeline, evaluate, explanationText, scorer, explanationParts } from 'assize';
import { compiled, problems } from './ask.js';

const points = [
  [0, 0.25],
  [10, 0.75],
  [40, 0.5],
];
const at = (x: unknown, curve: unknown = points): number | undefined =>
  compiled(CurveScorer, { value: 'x', points: curve })({ x }, 0);

/** Curves of any finite points whose differences are finite too. */
const curves = fc
  .uniqueArray(fc.double({ min: -1e300, max: 1e300, noNaN: true }), {
    minLength: 2,
    maxLength: 12,
    comparator: (a, b) => a === b,
  })
  .chain((xs) =>
    fc
      .array(fc.double({ min: -1e300, max: 1e300, noNaN: true }), { minLength: xs.length, maxLength: xs.length })
      .map((ys) => xs.toSorted((a, b) => a - b).map((x, k) => [x, ys[k]!] as const)),
  );

describe('CurveScorer', () => {
  it('is linear between its points, and constant beyond them', () => {
    expect([-5, 0, 5, 10, 25, 40, 41].map((x) => at(x))).toEqual([0.25, 0.25, 0.5, 0.75, 0.625, 0.5, 0.5]);
  });

  it('passes through each of its points, and stays between two of them', () => {
    fc.assert(
      fc.property(curves, fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(), (curve, share, pick) => {
        for (const [x, y] of curve) expect(at(x, curve)).toBe(y);
        const k = pick % (curve.length - 1);
        const [[x0, y0], [x1, y1]] = [curve[k]!, curve[k + 1]!];
        const y = at(x0 + share * (x1 - x0), curve)!;
        expect(y).toBeGreaterThanOrEqual(Math.min(y0, y1));
        expect(y).toBeLessThanOrEqual(Math.max(y0, y1));
      }),
    );
  });

  it('never changes direction between its points', () => {
    const rising = curves.map((curve) => {
      const ys = curve.map(([, y]) => y).toSorted((a, b) => a - b);
      return curve.map(([x], k) => [x, ys[k]!] as const);
    });
    fc.assert(
      fc.property(rising, fc.double({ noNaN: true }), fc.double({ noNaN: true }), (curve, a, b) => {
        const [low, high] = a < b ? [a, b] : [b, a];
        expect(at(Math.max(-1e301, low), curve)!).toBeLessThanOrEqual(at(Math.min(1e301, high), curve)!);
      }),
    );
  });

  it('abstains if its number is absent, and fails on other types', () => {
    expect(at(undefined)).toBeUndefined();
    expect(at(null)).toBeUndefined();
    expect(() => at('5')).toThrow('x: expected a finite number');
    const around = (inner: number | undefined) =>
      compiled(CurveScorer, { scorer: { expr: '1.0' }, points }, { children: () => () => inner })({}, 0);
    expect([around(undefined), around(5)]).toEqual([undefined, 0.5]);
  });

  it('declares the range of its points', () => {
    expect(
      curveRange([
        [0, 0.25],
        [10, 0.75],
        [40, 0.5],
      ]),
    ).toEqual([0.25, 0.75]);
  });

  it('bounds the effect of an expensive scorer inside it, so that pruning skips most calls', async () => {
    const Costly = scorer(() => 1, { summary: 'Costly.', cost: 10_000 });
    const pipeline = await createPipeline<object>(
      {
        tier2_scorers: [
          { id: 'cheap', expr: 'candidate.x' },
          { id: 'curve', class: 'CurveScorer', weight: 0.1, params: { scorer: { class: 'Costly' }, points } },
        ],
        select: { top: 3 },
      },
      { units: { Costly } },
    );
    const candidates = Array.from({ length: 2000 }, (_, id) => ({ id, x: ((id * 7) % 2000) / 2000 }));
    const ranking = await pipeline.rank(candidates);
    const all = await pipeline.rank(candidates, {}, { prune: false });
    expect(ranking.selected.map(({ id, score }) => [id, score])).toEqual(
      all.selected.map(({ id, score }) => [id, score]),
    );
    const [entry] = ranking.pruned!.entries;
    expect([ranking.pruned!.exact, entry!.entry]).toEqual([true, 'curve']);
    expect(entry!.pruned).toBeGreaterThan(1500);
  });

  it('reports the invalid point', async () => {
    const wrong = (curve: unknown) => problems(CurveScorer, { value: 'x', points: curve });
    expect(wrong([[0, 1]])).not.toEqual([]);
    expect(
      wrong([
        [0, 1],
        [0, 2],
      ]),
    ).not.toEqual([]);
    expect(
      wrong([
        [0, 1],
        [1, Number.POSITIVE_INFINITY],
      ]),
    ).not.toEqual([]);
    expect(
      wrong([
        [-1.7e308, 1],
        [1.7e308, 2],
      ]),
    ).not.toEqual([]);
    expect(problems(CurveScorer, { points })).not.toEqual([]);
    expect(problems(CurveScorer, { points, value: 'x', scorer: { expr: '1.0' } })).not.toEqual([]);
    const params = {
      value: 'x',
      points: [
        [0, 1],
        [5, 2],
        [3, 3],
      ],
    };
    await expect(createPipeline({ tier2_scorers: [{ id: 'c', class: 'CurveScorer', params }] })).rejects.toThrow(
      /points\[2\]\[0\] error ASZ202 expected an x above 5, that of the point before, found the number 3/,
    );
  });

  it('explains itself as a plot, with the data for a page', async () => {
    const pipeline = await createPipeline<object>({
      tier2_scorers: [{ id: 'length', class: 'CurveScorer', params: { scorer: { expr: 'candidate.x' }, points } }],
    });
    const ranking = await pipeline.rank([
      { id: 'a', x: 5 },
      { id: 'b', x: -1 },
      { id: 'c', x: 100 },
    ]);
    const explanations = ['a', 'b', 'c'].map((id) => ranking.explain(id));
    expect(explanations.map((one) => explanationParts(one).scorers[0]?.text)).toEqual([
      '5 gives 0.5, between (0, 0.25) and (10, 0.75): 0 ▂▄[▅]▇██▇▇▇▆▆▆▆▅▅▅ 40',
      '-1 gives 0.25, as all up to (0, 0.25): 0 [▂]▄▅▇██▇▇▇▆▆▆▆▅▅▅ 40',
      '100 gives 0.5, as all from (40, 0.5) on: 0 ▂▄▅▇██▇▇▇▆▆▆▆▅▅[▅] 40',
    ]);
    expect(explanationParts(explanations[0]!).scorers[0]?.details[0]).toMatchObject({
      kind: 'note',
      data: { x: 5, y: 0.5, curve: { points, x: 5 } },
    });
    expect(explanationText(explanations[0]!)).toContain('▂▄[▅]▇');
    expect(explanations.map(evaluate)).toEqual([0.5, 0.25, 0.5]);
  });
});

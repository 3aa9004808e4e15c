import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ScaledScorer } from '../../../plugins/core/scaled-scorer.js';
import type { Score } from 'assize/sdk';
import { explained, prepared, problems } from './ask.js';

const itself: Score<unknown> = (candidate) => (candidate === undefined ? undefined : Number(candidate));
const scaled = (values: readonly (number | undefined)[], inner = itself) =>
  prepared(ScaledScorer, { scorer: { expr: 'x' } }, values, { children: () => inner });
const all = (...values: (number | undefined)[]) => {
  const score = scaled(values);
  return values.map((value, index) => score(value, index));
};
/** Fails on one candidate. */
const picky: Score<unknown> = (candidate, index) => {
  if (candidate === 2) throw new Error('not that one');
  return itself(candidate, index);
};
const INF = Number.POSITIVE_INFINITY;

describe('ScaledScorer', () => {
  it('scales over the batch', () => {
    expect(all(2, 4, 3)).toEqual([0, 1, 0.5]);
    expect(all(-1, 3, 0)).toEqual([0, 1, 0.25]);
  });

  it('gives exactly 0.5 if all are equal', () => {
    expect(all(0.3)).toEqual([0.5]);
    expect(all(7, 7, 7)).toEqual([0.5, 0.5, 0.5]);
    expect(all(0, -0)).toEqual([0.5, 0.5]);
  });

  it('treats values that are not finite like the reference', () => {
    expect(all(Number.NaN, 1, 3)).toEqual([0.5, 0, 1]);
    expect(all(INF, 1, 3)).toEqual([0.5, 0, 0]);
    expect(all(-INF, 1, 3)).toEqual([0.5, Number.NaN, Number.NaN]);
    expect(all(Number.NaN, Number.NaN)).toEqual([0.5, 0.5]);
  });

  it('abstains if the inner scorer does, without an effect on the extremes', () => {
    expect(all(undefined, 1, 2)).toEqual([undefined, 0, 1]);
    expect(all(undefined)).toEqual([undefined]);
    expect(explained(scaled([undefined, 1]), undefined).notes).toEqual([['absent']]);
  });

  it('reports a failure at its candidate', () => {
    const score = scaled([1, 2, 3], picky);
    expect(score(1, 0)).toBe(0);
    expect(() => score(2, 1)).toThrow('not that one');
    expect(score(3, 2)).toBe(1);
  });

  it('calls the inner scorer once per candidate, and again only for an explanation', () => {
    let asked = 0;
    const counting: Score<unknown> = (candidate) => {
      asked += 1;
      return itself(candidate, 0);
    };
    const score = scaled([1, 2, 3], counting);
    for (const [index, value] of [1, 2, 3].entries()) score(value, index);
    expect(asked).toBe(3);
    expect(explained(score, 2, 1)).toEqual({ value: 0.5, notes: [['scaled', { raw: 2, min: 1, max: 3 }]] });
    expect(asked).toBe(4);
  });

  it('explains a score of 0.5', () => {
    expect(explained(scaled([1, 1]), 1).notes).toEqual([['alike', { raw: 1 }]]);
    expect(explained(scaled([INF, 1]), INF).notes).toEqual([['not_finite', { raw: INF }]]);
  });

  it('equals the definition to the last bit', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ noNaN: true, min: -1e100, max: 1e100 }), { minLength: 1, maxLength: 30 }),
        (values) => {
          const [min, max] = [Math.min(...values), Math.max(...values)];
          expect(all(...values)).toEqual(values.map((raw) => (max === min ? 0.5 : (raw - min) / (max - min))));
        },
      ),
    );
  });

  it('handles an empty batch, and requires its scorer', () => {
    expect(() => scaled([])).not.toThrow();
    expect(problems(ScaledScorer, {})).not.toEqual([]);
  });
});

describe('ScaledScorer on another scale', () => {
  const on = (scale: object, ...values: (number | undefined)[]) => {
    const score = prepared(ScaledScorer, { scorer: { expr: 'x' }, scale }, values, { children: () => itself });
    return values.map((value, index) => score(value, index));
  };

  it('does not enlarge a spread that is too small to matter', () => {
    const small = { type: 'min_max', min_spread: 0.5 };
    expect(on(small, 0.1, 0.2)).toEqual([expect.closeTo(0.4, 12), expect.closeTo(0.6, 12)]);
    expect(on(small, 0.3, 0.3)).toEqual([0.5, 0.5]);
    expect(on(small, 0, 0.5, 0.25)).toEqual([0, 1, 0.5]);
  });

  it('returns shares of the greatest', () => {
    expect(on({ type: 'max' }, 2, 4, undefined, -1)).toEqual([0.5, 1, undefined, -0.25]);
    expect(on({ type: 'max' }, 0, -3)).toEqual([0, 0]);
  });

  it('counts in standard deviations', () => {
    expect(on({ type: 'z_score' }, 1, 2, 3, undefined)).toEqual([-Math.sqrt(1.5), 0, Math.sqrt(1.5), undefined]);
    expect(on({ type: 'z_score' }, 5, 5)).toEqual([0, 0]);
    // Equal values have no deviation, however their sum is rounded.
    for (const many of [3, 6, 7, 10, 100]) {
      expect(new Set(on({ type: 'z_score' }, ...Array.from({ length: many }, () => 0.1)))).toEqual(new Set([0]));
    }
  });

  it('uses ranks, shared among equals', () => {
    expect(on({ type: 'rank' }, 10, 30, 30, undefined, 20)).toEqual([0, 5 / 6, 5 / 6, undefined, 1 / 3]);
    expect(on({ type: 'rank' }, 7)).toEqual([0.5]);
    expect(on({ type: 'rank' }, 7, 7, 7)).toEqual([0.5, 0.5, 0.5]);
  });

  it('ranks equals by their order', () => {
    expect(on({ type: 'rank', ties: 'order' }, 7, 7, 7)).toEqual([1, 0.5, 0]);
    expect(on({ type: 'rank', equal: 1 }, 7)).toEqual([1]);
    expect(on({ type: 'rank', equal: 1 }, 7, 7)).toEqual([1, 1]);
  });

  it('scales to the unit length', () => {
    expect(on({ type: 'l2' }, 3, undefined, -4)).toEqual([0.6, undefined, -0.8]);
    expect(on({ type: 'l2', floor: 0.001 }, 0, 0)).toEqual([0.001, 0.001]);
  });

  it('divides by the deviation of a sample', () => {
    expect(on({ type: 'z_score', deviation: 'sample', floor: 0.001 }, 1, 2, 3)).toEqual([0.001, 0.001, 1]);
    expect(on({ type: 'z_score', deviation: 'sample', equal: 1 }, 5)).toEqual([1]);
  });

  it('replaces the value of equal scores, turns the scale round and raises the lowest', () => {
    expect(on({ type: 'min_max', equal: 1 }, 7, 7)).toEqual([1, 1]);
    expect(on({ type: 'min_max', reverse: true }, 10, 5, 0)).toEqual([0, 0.5, 1]);
    expect(on({ type: 'min_max', floor: 0.001 }, 1, 2)).toEqual([0.001, 1]);
    expect(on({ type: 'max', reverse: true }, 0, 0)).toEqual([1, 1]);
  });

  it('returns integers, without an error of rounding', () => {
    expect(on({ type: 'max', integer: 100 }, 2, 11, 4)).toEqual([18, 100, 36]);
    expect(on({ type: 'max', integer: 100, reverse: true }, 1, 3, 0)).toEqual([67, 0, 100]);
    // 0.29 * 100 is 28.999999999999996.
    expect(on({ type: 'max', integer: 100 }, 29, 100)).toEqual([29, 100]);
    expect(on({ type: 'min_max', integer: 100, equal: 100 }, 3, 3)).toEqual([100, 100]);
  });

  it('scales within bounds', () => {
    const within = (lower: object | undefined, upper: object | undefined, ...values: number[]) =>
      on({ type: 'min_max', lower, upper }, 0.1, 0.9, ...values).slice(2);
    const [low, high] = [{ at: 0.3 }, { at: 0.7 }];
    const close = (...values: number[]) => values.map((value) => expect.closeTo(value, 12) as number);
    expect(within(low, high, 0.2, 0.4, 0.8)).toEqual(close(1 / 6, 0.25, 0.5 / 0.6));
    expect(within({ ...low, mode: 'clip' }, { ...high, mode: 'clip' }, 0.2, 0.4, 0.8)).toEqual(close(0, 0.25, 1));
    expect(within(undefined, high, 0.5, 0.8)).toEqual(close(2 / 3, 0.875));
    // A score at a bound is not within it, and a bound beyond all scores does not clip.
    expect(within({ at: 0.5 }, undefined, 0.5)).toEqual(close(0.5));
    expect(within({ at: 2, mode: 'clip' }, { at: 3, mode: 'ignore' }, 0.5)).toEqual(close(0.5));
  });

  it.each([
    [{ type: 'min_max', min_spread: 1, lower: { at: 0 } }, 'min_spread'],
    [{ type: 'min_max', lower: { at: 1 }, upper: { at: 1 } }, 'lower'],
    [{ type: 'min_max', equal: 2 }, 'equal'],
    [{ type: 'min_max', integer: 100, equal: 0.5 }, 'integer'],
    [{ type: 'max', floor: 1 }, 'floor'],
    [{ type: 'max', equal: 1 }, 'equal'],
    [{ type: 'z_score', reverse: true }, 'reverse'],
  ])('refuses %j', (scale, key) => {
    expect(JSON.stringify(problems(ScaledScorer, { scorer: { expr: 'x' }, scale }))).toContain(key);
  });

  it('uses a fixed curve, which reads no other candidate', () => {
    expect(on({ type: 'log', full: 15 }, 0, 3, 15, 1000)).toEqual([0, 0.5, 1, 1]);
    expect(() => on({ type: 'log', full: 15 }, -1)).toThrow('expected a score of at least 0 for a logarithmic scale');
    expect(on({ type: 'logistic', midpoint: 2, slope: 3 }, 2, -1000, 1000)).toEqual([0.5, 0, 1]);
    expect(on({ type: 'bounds', min: 10, max: 20 }, 5, 15, 25)).toEqual([0, 0.5, 1]);
    const { scope } = ScaledScorer.meta;
    const scopeOf = (scale: object): unknown =>
      typeof scope === 'function'
        ? scope(ScaledScorer.meta.params.parse({ scorer: { expr: 'x' }, scale }) as never)
        : scope;
    expect([{ type: 'log', full: 1 }, { type: 'rank' }].map(scopeOf)).toEqual(['candidate', 'set']);
  });

  it('reports its basis, and rejects an invalid scale', () => {
    const score = prepared(ScaledScorer, { scorer: { expr: 'x' }, scale: { type: 'rank' } }, [1, 2], {
      children: () => itself,
    });
    expect(explained(score, 2, 1).notes).toEqual([['placed', { raw: 2, place: 1, count: 2 }]]);
    for (const scale of [{ type: 'softmax' }, { type: 'log' }, { type: 'bounds', min: 1, max: 1 }])
      expect(problems(ScaledScorer, { scorer: { expr: 'x' }, scale })).not.toEqual([]);
  });
});

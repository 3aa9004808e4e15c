import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DecayScorer } from '../../../plugins/core/number-units.js';
import { compiled, explained, problems } from './ask.js';

const HOUR = 3_600_000;
const now = Date.UTC(2026, 0, 31);
const decay = (curve: object, more: object = {}) => compiled(DecayScorer, { curve, ...more }, { now });
const aged = (ms: number) => ({ timestamp: now - ms });
const day = { type: 'exponential', half_life: '24h' };
const range = (params: object) => {
  const { range: of } = DecayScorer.meta;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a meta does not keep the type of its params
  return typeof of === 'function' ? of(DecayScorer.meta.params.parse(params) as never) : of;
};

const step = (score: number) => ({ max_age: '1h', score });

describe('DecayScorer', () => {
  it('halves with every half-life', () => {
    const score = decay(day);
    expect(score(aged(0), 0)).toBe(1);
    expect(score(aged(24 * HOUR), 0)).toBe(0.5);
    expect(score(aged(48 * HOUR), 0)).toBe(0.25);
    expect(score(aged(24 * HOUR * 10_000), 0)).toBe(0);
  });

  it('counts whole milliseconds under the half-life, like the reference', () => {
    const score = decay({ type: 'exponential', half_life: 2.9 });
    expect(score(aged(2.5), 0)).toBe(0.5);
  });

  it('treats a time in the future as new', () => {
    expect(decay(day)(aged(-5 * HOUR), 0)).toBe(1);
    expect(decay({ type: 'window', max_age: '1h' })(aged(-5 * HOUR), 0)).toBe(1);
  });

  it('reads ISO 8601 and dates, by its field', () => {
    const score = decay(day, { field: 'meta.released' });
    expect(score({ meta: { released: '2026-01-30' } }, 0)).toBe(0.5);
    expect(score({ meta: { released: new Date(now) } }, 0)).toBe(1);
    expect(() => score({ meta: { released: 'Jun 12 1998' } }, 0)).toThrow('expected a time');
  });

  it.each(['linear', 'gaussian'])(
    'falls by a %s curve, from 1 at the offset through decay at offset + scale',
    (type) => {
      const params = fc.record({
        scale: fc.integer({ min: 1, max: 1000 }),
        offset: fc.nat(1000),
        decay: fc.double({ min: 0.01, max: 0.99, noNaN: true }),
      });
      fc.assert(
        fc.property(params, fc.nat(5000), fc.nat(5000), ({ scale, offset, decay: at }, age, other) => {
          const score = decay({ type, scale, offset, decay: at });
          const scoreAt = (ms: number): number => score(aged(ms), 0)!;
          expect(scoreAt(offset)).toBe(1);
          expect(scoreAt(offset + scale)).toBeCloseTo(at, 12);
          expect(scoreAt(Math.min(age, other))).toBeGreaterThanOrEqual(scoreAt(Math.max(age, other)));
          expect(scoreAt(age)).toBeGreaterThanOrEqual(0);
        }),
      );
    },
  );

  it('falls as search engines define it, to the digit', () => {
    // Elasticsearch: max(0, (s − x) / s) with s = scale / (1 − decay), and exp(−x² / 2σ²) with σ² = −scale² / (2 ln decay).
    const curve = { scale: '5d', offset: '5d', decay: 0.5 };
    const days = [0, 5, 7.5, 10, 15, 20].map((n) => aged(n * 24 * HOUR));
    const linear = decay({ type: 'linear', ...curve });
    const gaussian = decay({ type: 'gaussian', ...curve });
    expect(days.map((one) => linear(one, 0))).toEqual([1, 1, 0.75, 0.5, 0, 0]);
    expect(days.map((one) => gaussian(one, 0))).toEqual([1, 1, 0.5 ** 0.25, 0.5, 0.5 ** 4, 0.5 ** 9]);
    expect(explained(gaussian, aged(240 * HOUR))).toMatchObject({ value: 0.5 });
  });

  it('gives 1 inside a window, 0 from its end on', () => {
    const score = decay({ type: 'window', max_age: '1h' });
    expect(score(aged(HOUR - 0.5), 0)).toBe(1);
    expect(score(aged(HOUR), 0)).toBe(0);
  });

  it('takes the first step above the age, in the order of the list', () => {
    const score = decay({
      type: 'step',
      windows: [
        { max_age: '1h', score: 1 },
        { max_age: '24h', score: 0.5 },
        { max_age: '12h', score: 7 },
        { max_age: '72h', score: 0.1 },
      ],
    });
    expect([0, HOUR, 23 * HOUR, 24 * HOUR, 72 * HOUR].map((age) => score(aged(age), 0))).toEqual([
      1, 0.5, 0.5, 0.1, 0.1,
    ]);
  });

  it('gives candidates without a time the configured score', () => {
    expect(decay(day)({}, 0)).toBe(0.5);
    expect(decay(day, { null_timestamp_score: 0 })({ timestamp: null }, 0)).toBe(0);
    expect(explained(decay(day, { null_timestamp_score: 'abstain' }), {})).toEqual({
      value: undefined,
      notes: [['undated', { field: 'timestamp' }]],
    });
  });

  it('reports the age', () => {
    expect(explained(decay(day), aged(HOUR)).notes).toEqual([['aged', { age: HOUR, half_life: 24 * HOUR }]]);
    const window = decay({ type: 'window', max_age: '2h' });
    expect(explained(window, aged(HOUR)).notes).toEqual([['inside', { age: HOUR, max_age: 2 * HOUR }]]);
    expect(explained(window, aged(3 * HOUR)).notes).toEqual([['outside', { age: 3 * HOUR, max_age: 2 * HOUR }]]);
    const steps = decay({ type: 'step', windows: [{ max_age: '2h', score: 1 }] });
    expect(explained(steps, aged(HOUR)).notes).toEqual([['inside', { age: HOUR, max_age: 2 * HOUR }]]);
    expect(explained(steps, aged(3 * HOUR)).notes).toEqual([['oldest', { age: 3 * HOUR }]]);
  });

  it('declares the range of its curve', () => {
    expect(range({ curve: day })).toEqual([0, 1]);
    expect(range({ curve: { type: 'step', windows: [step(2), step(1)] } })).toEqual([0.5, 2]);
    expect(range({ curve: { type: 'step', windows: [step(2), step(1)] }, null_timestamp_score: 'abstain' })).toEqual([
      1, 2,
    ]);
  });

  it('agrees with 2^(−age / half-life) to 1e-9', () => {
    fc.assert(
      fc.property(fc.nat(1e9), fc.integer({ min: 1, max: 1e9 }), (age, half_life) => {
        const reference = 2 ** -(age / 1000 / (half_life / 1000));
        expect(
          Math.abs((decay({ type: 'exponential', half_life })(aged(age), 0) ?? Number.NaN) - reference),
        ).toBeLessThan(1e-9);
      }),
    );
  });

  it('rejects invalid params', () => {
    expect(problems(DecayScorer, { curve: { type: 'exponential', half_life: 0 } })).toHaveLength(1);
    expect(problems(DecayScorer, { curve: { type: 'exponential', half_life: 0.5 } })).toHaveLength(1);
    expect(problems(DecayScorer, { curve: { type: 'window', max_age: '0s' } })).toHaveLength(1);
    expect(problems(DecayScorer, { curve: { type: 'step', windows: [] } })).toHaveLength(1);
    expect(problems(DecayScorer, { curve: { type: 'step', windows: [{ max_age: 0, score: 1 }] } })).toHaveLength(1);
    expect(problems(DecayScorer, { curve: { type: 'linear' } })).toHaveLength(1);
    expect(problems(DecayScorer, { curve: day, null_timestamp_score: 1.5 })).toHaveLength(1);
    expect(problems(DecayScorer, {})).toHaveLength(1);
  });
});

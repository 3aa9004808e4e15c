import { describe, expect, it } from 'vitest';
import { ThresholdVeto } from '../../../plugins/core/number-units.js';
import { compiled, explained, problems } from './ask.js';

const refuses = compiled(ThresholdVeto, { value: 'size', min: 1, max: 3 });

describe('ThresholdVeto', () => {
  it('refuses values below or above its bounds, and accepts the bounds', () => {
    expect([0.99, 1, 2, 3, 3.01].map((size) => refuses({ size }, 0))).toEqual([true, false, false, false, true]);
  });

  it('needs only one bound', () => {
    expect(compiled(ThresholdVeto, { value: 'size', min: 1 })({ size: 1e9 }, 0)).toBe(false);
    expect(compiled(ThresholdVeto, { value: 'size', max: 0 })({ size: -1e9 }, 0)).toBe(false);
  });

  it('abstains without a number, and fails on other types', () => {
    expect(explained(refuses, {})).toEqual({ value: undefined, notes: [['absent', { field: 'size' }]] });
    expect(() => refuses({ size: '2' }, 0)).toThrow('size: expected a finite number, found the string "2"');
    expect(() => refuses({ size: Number.NaN }, 0)).toThrow('size');
  });

  it('reports the reason', () => {
    expect(explained(refuses, { size: 0 }).notes).toEqual([['below', { value: 0, min: 1 }]]);
    expect(explained(refuses, { size: 4 }).notes).toEqual([['above', { value: 4, max: 3 }]]);
    expect(explained(refuses, { size: 2 }).notes).toEqual([['within', { value: 2 }]]);
  });

  it('rejects invalid params', () => {
    expect(problems(ThresholdVeto, { value: 'size' })).toEqual([': expected min, max or both']);
    expect(problems(ThresholdVeto, { value: 'size', min: 2, max: 1 })).toEqual(['min: expected min to be at most max']);
    expect(problems(ThresholdVeto, { min: 0 })).toHaveLength(1);
  });
});

import { describe, expect, it } from 'vitest';
import { bar, columnFormatter } from '../../../src/cli/output/format.js';
import { extentOf } from '../../../src/base/numbers.js';

describe('the format of numbers', () => {
  it('bars are to scale', () => {
    expect([1, 0.5, 0.3, 0.01, 0, -1, 2].map((value) => bar(value, 1, 4))).toEqual([
      '████',
      '██  ',
      '█▎  ',
      '    ',
      '    ',
      '    ',
      '████',
    ]);
  });

  it.each([
    [
      [0.5, 1],
      ['0.500', '1.000'],
    ],
    [
      [3, 12],
      ['3', '12'],
    ],
    [
      [12.5, 1],
      ['12.50', '1.00'],
    ],
    [
      [-0.0001, 0.5],
      ['0.000', '0.500'],
    ],
    [
      [0.00012, 0],
      ['1.20e-4', '0'],
    ],
    [
      [2e9, 1],
      ['2.00e+9', '1.00e+0'],
    ],
    [
      [1234.5, 7.25],
      ['1235', '7'],
    ],
  ])('the numbers %j', (values, texts) => {
    expect(values.map(columnFormatter(extentOf(values)))).toEqual(texts);
  });
});

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { sparkline } from '../../src/base/numbers.js';

test('draws a curve on one line, with a mark at x', () => {
  const curve = [
    [0, 0],
    [16, 1],
  ] as const;
  expect(sparkline(curve, 8)).toBe('0 ▁▂▂▃▃▃▄▄[▅]▅▆▆▆▇▇█ 16');
  expect(sparkline(curve, -1)).toBe('0 [▁]▂▂▃▃▃▄▄▅▅▆▆▆▇▇█ 16');
  expect(sparkline(curve, 99)).toBe('0 ▁▂▂▃▃▃▄▄▅▅▆▆▆▇▇[█] 16');
});

test('draws a flat curve as a flat line', () => {
  const level = [
    [0.5, 3],
    [1.5, 3],
  ] as const;
  expect(sparkline(level, 0.5)).toBe('0.5 [▄]▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄ 1.5');
});

test('every curve has sixteen cells and one mark', () => {
  const size = { min: -1e9, max: 1e9, noNaN: true };
  const curves = fc
    .uniqueArray(fc.integer({ min: -1e6, max: 1e6 }), { minLength: 2, maxLength: 8 })
    .chain((xs) =>
      fc
        .array(fc.double(size), { minLength: xs.length, maxLength: xs.length })
        .map((ys) => xs.toSorted((a, b) => a - b).map((x, k) => [x, ys[k]!] as const)),
    );
  fc.assert(
    fc.property(curves, fc.double(size), (curve, x) => {
      expect(sparkline(curve, x)).toMatch(/^\S+ [▁-█]*\[[▁-█]\][▁-█]* \S+$/);
      expect(sparkline(curve, x).match(/[▁-█]/g)).toHaveLength(16);
    }),
  );
});

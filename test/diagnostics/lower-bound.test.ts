import { expect, test } from 'vitest';
import { lowerBound } from '../../src/diagnostics/index.js';

test.each([
  [0, 0],
  [1, 0],
  [2, 1],
  [3, 1],
  [4, 4],
  [9, 4],
  [10, 5],
])('the first number that is not less than %d is at %d', (value, position) => {
  expect(lowerBound([1, 3, 3, 3, 9], value)).toBe(position);
});

test('a part of the numbers, and none', () => {
  expect(lowerBound(Int32Array.of(7, 8, 1, 5, 9, 2), 5, 2, 5)).toBe(3);
  expect(lowerBound(Int32Array.of(7, 8, 1, 5, 9, 2), 10, 2, 5)).toBe(5);
  expect(lowerBound([], 1)).toBe(0);
  expect(lowerBound([4, 5], 4, 1, 1)).toBe(1);
});

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sharesOf, withBorder, withShare } from '../../src/page/recipe/shares.js';

const weights = new Map([
  ['a', 3],
  ['b', 2],
  ['c', 1],
  ['d', 1],
]);
const after = (change: Readonly<Record<string, number>>) => sharesOf(new Map([...weights, ...Object.entries(change)]));
const NONE: ReadonlySet<string> = new Set();

describe('the share of a criterion', () => {
  test('without locks changes only its own weight', () => {
    const change = withShare(weights, 'b', 0.5, NONE);
    expect(Object.keys(change)).toEqual(['b']);
    expect(after(change).get('b')).toBeCloseTo(0.5, 2);
  });

  test('with a lock leaves the locked share, and the others fill the rest', () => {
    const next = after(withShare(weights, 'b', 0.5, new Set(['a'])));
    expect(next.get('a')).toBeCloseTo(3 / 7, 2);
    expect(next.get('b')).toBeCloseTo(0.5, 2);
    expect(next.get('c')).toBeCloseTo(next.get('d')!, 2);
  });

  test('is at most what locked shares leave, and can be everything', () => {
    expect(after(withShare(weights, 'b', 0.9, new Set(['a']))).get('b')).toBeCloseTo(4 / 7, 2);
    expect(after(withShare(weights, 'b', 1, NONE)).get('b')).toBe(1);
    expect(withShare(new Map([['a', 1]]), 'a', 0.5, NONE)).toEqual({});
  });

  test('is what a person types, for any weights', () => {
    const positive = fc.double({ min: 0.01, max: 100, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(positive, { minLength: 2, maxLength: 6 }),
        fc.double({ min: 0, max: 0.99, noNaN: true }),
        (all, share) => {
          const some = new Map(all.map((weight, k) => [String(k), weight]));
          const change = withShare(some, '0', share, NONE);
          expect(sharesOf(new Map([...some, ...Object.entries(change)])).get('0')).toBeCloseTo(share, 2);
        },
      ),
    );
  });
});

test('a border moves a share from one criterion to its neighbour alone', () => {
  const next = after(withBorder(weights, 'a', 'b', 0.2));
  expect(next.get('a')).toBeCloseTo(0.2, 2);
  expect(next.get('b')).toBeCloseTo(5 / 7 - 0.2, 2);
  expect(next.get('c')).toBeCloseTo(1 / 7, 2);
  expect(withBorder(weights, 'a', 'b', 5)).toEqual({ a: 5, b: 0 });
  expect(withBorder(weights, 'a', 'b', -1)).toEqual({ a: 0, b: 5 });
});

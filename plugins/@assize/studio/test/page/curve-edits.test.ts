import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { curveAt } from '../../../evaluate/src/curves.js';
import { type CurvePoints, FEWEST_POINTS, MOST_POINTS } from '../../src/data/studio-data.js';
import { isMonotone, widestStep, withoutPoint, withPoint, withPointBefore } from '../../src/page/curves/curve-edits.js';
import { roundedIn } from '../../src/page/parts/rounded-in.js';

const number = fc.oneof(
  fc.integer({ min: -1e9, max: 1e9 }).map((n) => n / 1000),
  fc.double({ min: -1e9, max: 1e9, noNaN: true }),
);
const curve: fc.Arbitrary<CurvePoints> = fc
  .uniqueArray(fc.tuple(number, number), { minLength: 2, maxLength: 8, selector: ([x]) => x })
  .map((points) => points.toSorted(([a], [b]) => a - b));
const isRising = (points: CurvePoints): boolean => points.every(([x], k) => k === 0 || x > points[k - 1]![0]);

test('a point is inserted in order, and not twice', () => {
  fc.assert(
    fc.property(curve, fc.tuple(number, number), (points, point) => {
      const added = withPoint(points, point);
      expect(added === undefined).toBe(points.some(([x]) => x === point[0]));
      if (!added) return;
      expect(added.points[added.at]).toEqual(point);
      expect(isRising(added.points)).toBe(true);
      expect(withoutPoint(added.points, added.at)).toEqual(points);
    }),
  );
});

test('a point between two leaves the curve nearly unchanged, and as monotone', () => {
  fc.assert(
    fc.property(curve, fc.nat(), (points, pick) => {
      const at = 1 + (pick % (points.length - 1));
      const added = withPointBefore(points, at);
      if (!added) return; // no shorter number is between them
      const [[x, y], [[x0, y0], [x1, y1]]] = [added.points[at]!, [points[at - 1]!, points[at]!]];
      expect(added.at).toBe(at);
      expect(x > x0 && x < x1).toBe(true);
      expect(Math.abs(y - curveAt(points, x))).toBeLessThanOrEqual(Math.max(Math.abs(y1 - y0) / 1000, 1e-20));
      expect(isMonotone(added.points)).toBe(isMonotone(points));
    }),
  );
});

test('finds the widest step, and adds no point without space', () => {
  expect(
    widestStep([
      [0, 0],
      [1, 1],
      [5, 1],
      [6, 0],
    ]),
  ).toBe(2);
  expect(
    withPointBefore(
      [
        [0, 0],
        [Number.MIN_VALUE, 1],
      ],
      1,
    ),
  ).toBeUndefined();
  expect(
    withPointBefore(
      [
        [1, 0.25],
        [1 + Number.EPSILON, 0.25],
      ],
      1,
    ),
  ).toBeUndefined();
  expect(
    withPointBefore(
      [
        [0, 0.123456],
        [1, 0.123456],
      ],
      1,
    )?.points[1],
  ).toEqual([0.5, 0.123456]);
});

test('a curve has at least two points, and at most a thousand', () => {
  const most: CurvePoints = Array.from({ length: MOST_POINTS }, (_, x) => [x, 0]);
  expect(withPoint(most, [0.5, 0])).toBeUndefined();
  expect(withoutPoint(most.slice(0, FEWEST_POINTS), 0)).toBeUndefined();
  expect(withoutPoint(most.slice(0, 3), 2)).toEqual([
    [0, 0],
    [1, 0],
  ]);
});

test.each([
  [89_213_665, 3e8, 89_200_000],
  [1234.56, 5000, 1235],
  [0.123456, 1, 0.123],
  [-0.5, 0, -0.5],
])('%d on a width of %d is %d', (value, width, rounded) => {
  expect(roundedIn(value, width)).toBe(rounded);
});

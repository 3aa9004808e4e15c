import type { CurvePoint } from '../../evaluate/curves/curve.js';
import { knotsOf } from '../curves/curve.js';
import type { Part } from './model.js';

/**
 * The form that is looked for in one scorer: how its score becomes features, all of whose coefficients enter the model
 * linearly, so that the search for them is convex; and what the coefficients say.
 */
export interface Shape {
  /** How many features it has. */
  readonly width: number;
  /** The least that its coefficients may be. */
  readonly floor: number;
  /** What each coefficient is pulled towards: those of the start; 0 for a curve. */
  readonly start: readonly number[];
  /** Writes the features of one score. */
  readonly fill: (score: number, into: Float64Array, at: number) => void;
  readonly part: (coefficients: Float64Array) => Part;
}

/** A weight alone. */
export const weightShape = (start: number, signed: boolean): Shape => ({
  width: 1,
  floor: signed ? Number.NEGATIVE_INFINITY : 0,
  start: [start],
  fill: (score, into, at) => void (into[at] = score),
  part: ([weight]) => ({ weight: weight! }),
});

/** A scorer that gets no weight. */
export const LEFT_OUT: Shape = { width: 0, floor: 0, start: [], fill: () => {}, part: () => ({ weight: 0 }) };

/** How a curve may run. */
export type Direction = 'rising' | 'falling' | 'any';

/**
 * A curve through points at fixed x: the sum of ramps, each from 0 to 1 between two neighbours. Coefficients of at least
 * 0 make it monotone. The weight is what it rises or falls in all, so that the curve itself reaches from 0 to 1.
 */
export function curveShape(knots: readonly number[], direction: Direction): Shape {
  const width = knots.length - 1;
  return {
    width,
    floor: direction === 'any' ? Number.NEGATIVE_INFINITY : 0,
    start: Array.from({ length: width }, () => 0),
    fill(score, into, at) {
      for (let k = 0; k < width; k++) {
        const share = (score - knots[k]!) / (knots[k + 1]! - knots[k]!);
        const ramp = share < 0 ? 0 : share > 1 ? 1 : share;
        into[at + k] = direction === 'falling' ? 1 - ramp : ramp;
      }
    },
    part: (steps) => curvePart(knots, steps, direction),
  };
}

/** The curve of some steps, scaled to reach from 0 to 1, in hundredths. A level one has a weight of 0. */
function curvePart(knots: readonly number[], steps: Float64Array, direction: Direction): Part {
  const heights = [0];
  for (const step of steps) heights.push(heights.at(-1)! + (direction === 'falling' ? -step : step));
  const [low, high] = [Math.min(...heights), Math.max(...heights)];
  const weight = high - low;
  const share = (height: number): number => (weight > 0 ? Math.round(((height - low) / weight) * 100) / 100 : 0);
  const points = knots.map((x, k): CurvePoint => [x, share(heights[k]!)]);
  return { weight, points: withoutInner(points) };
}

/** Without the points that lie on the line of their neighbours anyway. */
function withoutInner(points: readonly CurvePoint[]): readonly CurvePoint[] {
  const kept: CurvePoint[] = [];
  for (const [k, point] of points.entries()) {
    const [before, after] = [kept.at(-1), points[k + 1]];
    const isLevel = before !== undefined && after !== undefined && before[1] === point[1] && after[1] === point[1];
    if (!isLevel) kept.push(point);
  }
  return kept;
}

/** The knots of a curve over the scores that are learnt from; undefined where there are not two different ones. */
export function knotsFor(column: Float64Array, rows: Int32Array, most: number): readonly number[] | undefined {
  const knots = knotsOf(
    Array.from(rows, (row) => column[row]!),
    most,
  );
  return knots.length >= 2 ? knots : undefined;
}

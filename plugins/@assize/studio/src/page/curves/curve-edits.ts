import { curveAt } from '@assize/evaluate/measures';
import { type CurvePoints, FEWEST_POINTS, MOST_POINTS } from '../../data/studio-data.js';
import { roundedIn } from '../parts/rounded-in.js';

type Point = CurvePoints[number];

/** A curve with another point, and where that is among its points. */
export interface WithPoint {
  readonly points: CurvePoints;
  readonly at: number;
}

/** A curve with one more point; undefined where a point has that x already, or there are as many as there may be. */
export function withPoint(points: CurvePoints, point: Point): WithPoint | undefined {
  if (points.length >= MOST_POINTS || points.some(([x]) => x === point[0])) return undefined;
  const next = points.findIndex(([x]) => x > point[0]);
  const at = next < 0 ? points.length : next;
  return { points: points.toSpliced(at, 0, point), at };
}

/**
 * A curve with one more point in the middle between two that follow one another, and on the line between them; undefined
 * where no number lies between them.
 *
 * @param at the position of the second of the two
 */
export function withPointBefore(points: CurvePoints, at: number): WithPoint | undefined {
  const [before, after] = [points[at - 1]!, points[at]!];
  const span = after[0] - before[0];
  const x = roundedIn(before[0] + span / 2, span);
  if (x <= before[0] || x >= after[0]) return undefined;
  const [least, most] = [Math.min(before[1], after[1]), Math.max(before[1], after[1])];
  const y = roundedIn(curveAt(points, x), most - least);
  return withPoint(points, [x, Math.max(least, Math.min(most, y))]);
}

/** The position of the point that is furthest from the one before. */
export function widestStep(points: CurvePoints): number {
  const steps = points.slice(1).map(([x], k) => x - points[k]![0]);
  return 1 + steps.indexOf(Math.max(...steps));
}

/** A curve without one of its points; undefined where it would be none any more. */
export const withoutPoint = (points: CurvePoints, at: number): CurvePoints | undefined =>
  points.length > FEWEST_POINTS ? points.toSpliced(at, 1) : undefined;

/** Whether a curve only rises, or only falls. */
export function isMonotone(points: CurvePoints): boolean {
  const steps = points.slice(1).map(([, y], k) => y - points[k]![1]);
  return steps.every((step) => step >= 0) || steps.every((step) => step <= 0);
}

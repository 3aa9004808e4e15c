import { lowerBound, z } from '../../../src/sdk.js';

/** A point of a curve: x, and the y there. */
export type CurvePoint = readonly [x: number, y: number];

/** What is wrong with two points that follow one another; undefined where nothing is. */
function stepProblem([x, y]: CurvePoint, [nextX, nextY]: CurvePoint): string | undefined {
  if (nextX <= x) return `expected an x above ${x}, that of the point before`;
  // Between points too far apart for a double, no number lies in proportion.
  return Number.isFinite(nextX - x) && Number.isFinite(nextY - y)
    ? undefined
    : 'expected a point less far from the one before';
}

/** A param that is a curve: at least two points, each with an x above that of the one before. */
export const curvePoints = () =>
  z
    .array(z.tuple([z.number(), z.number()]))
    .min(2)
    .superRefine((points, ctx) => {
      for (const [k, point] of points.entries()) {
        const before = points[k - 1];
        const message = before && stepProblem(before, point);
        if (message !== undefined) ctx.addIssue({ code: 'custom', path: [k, 0], message });
      }
    });

/** The least and the greatest y of a curve: it goes nowhere beyond. */
export function curveRange(points: readonly CurvePoint[]): readonly [number, number] {
  const ys = points.map(([, y]) => y);
  return [Math.min(...ys), Math.max(...ys)];
}

/** A curve, ready to be read. */
export interface Curve {
  /** Its y at an x: linear between two points, and that of the first or last point beyond them. */
  readonly at: (x: number) => number;
  /** The position of the first point at or above an x; the number of points where there is none. */
  readonly segment: (x: number) => number;
}

/** Compiles a curve: a binary search, and one line between two points. */
export function compileCurve(points: readonly CurvePoint[]): Curve {
  const xs = Float64Array.from(points, ([x]) => x);
  const ys = Float64Array.from(points, ([, y]) => y);
  const last = xs.length - 1;
  const segment = (x: number): number => lowerBound(xs, x);
  const at = (x: number): number => {
    if (x <= xs[0]!) return ys[0]!;
    if (x >= xs[last]!) return ys[last]!;
    const k = segment(x);
    const from = ys[k - 1]!;
    const to = ys[k]!;
    if (x === xs[k]) return to; // what is computed below may round to a number beside it
    const y = from + ((x - xs[k - 1]!) / (xs[k]! - xs[k - 1]!)) * (to - from);
    // Rounding must not lead beyond a point, that is out of the range.
    return from < to ? Math.min(y, to) : Math.max(y, to);
  };
  return { at, segment };
}

/** The same as an expression: the first line whose end is not below x, operation by operation. */
export function curveFormula(points: readonly CurvePoint[], x: string, number: (value: number) => string): string {
  const [[firstX, firstY]] = points as readonly [CurvePoint];
  const lines = points.slice(1).map(([toX, to], k): string => {
    const [fromX, from] = points[k]!;
    const share = `(${x} - ${number(fromX)}) / ${number(toX - fromX)}`;
    const y = `${number(from)} + ${share} * ${number(to - from)}`;
    return `${x} == ${number(toX)} ? ${number(to)} : ${x} < ${number(toX)} ? ${from < to ? 'min' : 'max'}(${y}, ${number(to)}) : `;
  });
  return `${x} <= ${number(firstX)} ? ${number(firstY)} : ${lines.join('')}${x} >= ${number(points.at(-1)![0])} ? ${number(points.at(-1)![1])} : 0 / 0`;
}

/** A point of a curve: x, and the y there. */
export type CurvePoint = readonly [x: number, y: number];

/** The y of a curve at an x: linear between two points, level beyond them. As CurveScorer reads it. */
export function curveAt(points: readonly CurvePoint[], x: number): number {
  const [first, last] = [points[0]!, points.at(-1)!];
  if (x <= first[0]) return first[1];
  if (x >= last[0]) return last[1];
  let k = 1;
  while (points[k]![0] < x) k += 1;
  const [[x0, y0], [x1, y1]] = [points[k - 1]!, points[k]!];
  return x === x1 ? y1 : y0 + ((x - x0) / (x1 - x0)) * (y1 - y0);
}

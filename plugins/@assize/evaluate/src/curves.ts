/** A point of a curve. */
export type CurvePoint = readonly [x: number, y: number];

/** The y of a curve at x, as CurveScorer computes it: linear between points, constant beyond the ends. */
export function curveAt(points: readonly CurvePoint[], x: number): number {
  const [first, last] = [points[0]!, points.at(-1)!];
  if (x <= first[0]) return first[1];
  if (x >= last[0]) return last[1];
  let k = 1;
  while (points[k]![0] < x) k += 1;
  const [[x0, y0], [x1, y1]] = [points[k - 1]!, points[k]!];
  return x === x1 ? y1 : y0 + ((x - x0) / (x1 - x0)) * (y1 - y0);
}

/** The number of parts of a histogram. */
const HISTOGRAM_PARTS = 24;

/** Counts scores in equal parts of the range of a curve. Scores beyond an end count in its outermost part; NaN is ignored. */
export function histogramOf(points: readonly CurvePoint[], scores: Iterable<number>): readonly number[] {
  const [first, last] = [points[0]![0], points.at(-1)![0]];
  const counts = Array.from({ length: HISTOGRAM_PARTS }, () => 0);
  for (const score of scores) {
    if (Number.isNaN(score)) continue;
    const share = Math.min(1, Math.max(0, (score - first) / (last - first)));
    counts[Math.min(HISTOGRAM_PARTS - 1, Math.floor(share * HISTOGRAM_PARTS))]! += 1;
  }
  return counts;
}

/** Describes the direction of a curve. */
export function directionOf(points: readonly CurvePoint[]): string {
  const steps = points.slice(1).map(([, y], k) => y - points[k]![1]);
  const [rises, falls] = [steps.some((step) => step > 0), steps.some((step) => step < 0)];
  return rises && falls ? 'rises and falls' : rises ? 'rises' : falls ? 'falls' : 'is level';
}

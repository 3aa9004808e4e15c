import { bars, formatNumber } from '../text/index.js';

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

/** So many parts does the plot of a curve have, and the histogram below it. */
const PLOT_PARTS = 24;

/** A curve, and the histogram of the scores that it is read at, in the same places: `0.01 ▁▂▃ 0.6`. */
interface CurvePlot {
  readonly curve: string;
  readonly histogram: string;
}

/** How many scores lie in each of as many even parts of a curve. Scores beyond it count at its ends, NaN nowhere. */
export function histogramOf(points: readonly CurvePoint[], scores: Iterable<number>): readonly number[] {
  const [first, last] = [points[0]![0], points.at(-1)![0]];
  const counts = Array.from({ length: PLOT_PARTS }, () => 0);
  for (const score of scores) {
    if (Number.isNaN(score)) continue;
    const share = Math.min(1, Math.max(0, (score - first) / (last - first)));
    counts[Math.min(PLOT_PARTS - 1, Math.floor(share * PLOT_PARTS))]! += 1;
  }
  return counts;
}

/** Plots a curve over what the data have of its x, from its lowest point to its highest. */
export function plotCurve(points: readonly CurvePoint[], counts: readonly number[]): CurvePlot {
  const [first, last] = [points[0]![0], points.at(-1)![0]];
  const heights = Array.from({ length: PLOT_PARTS }, (_, k) =>
    curveAt(points, first + ((k + 0.5) / PLOT_PARTS) * (last - first)),
  );
  const ys = points.map(([, y]) => y);
  const frame = (line: string): string => `${formatNumber(first)} ${line} ${formatNumber(last)}`;
  return {
    curve: frame(bars(heights, Math.min(...ys), Math.max(...ys))),
    histogram: frame(bars(counts, 0, Math.max(...counts))),
  };
}

/** How a curve runs, in a word. */
export function directionOf(points: readonly CurvePoint[]): string {
  const steps = points.slice(1).map(([, y], k) => y - points[k]![1]);
  const [rises, falls] = [steps.some((step) => step > 0), steps.some((step) => step < 0)];
  return rises && falls ? 'rises and falls' : rises ? 'rises' : falls ? 'falls' : 'is level';
}

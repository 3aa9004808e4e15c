import { bars, formatNumber } from '../../text/index.js';
import { type CurvePoint, curveAt } from '../curves/curve.js';

const WIDTH = 24;

/** A curve, and the histogram of the scores that it is read at, in the same places: `0.01 ▁▂▃ 0.6`. */
export interface CurvePlot {
  readonly curve: string;
  readonly histogram: string;
}

/** Plots a curve over what the data have of its x. Scores beyond the curve count at its ends. */
export function plotCurve(points: readonly CurvePoint[], scores: Float64Array): CurvePlot {
  const [first, last] = [points[0]![0], points.at(-1)![0]];
  const heights = Array.from({ length: WIDTH }, (_, k) =>
    curveAt(points, first + ((k + 0.5) / WIDTH) * (last - first)),
  );
  const counts = Array.from({ length: WIDTH }, () => 0);
  for (const score of scores) {
    if (Number.isNaN(score)) continue;
    const share = Math.min(1, Math.max(0, (score - first) / (last - first)));
    counts[Math.min(WIDTH - 1, Math.floor(share * WIDTH))]! += 1;
  }
  const frame = (line: string): string => `${formatNumber(first)} ${line} ${formatNumber(last)}`;
  return { curve: frame(bars(heights, 0, 1)), histogram: frame(bars(counts, 0, Math.max(...counts))) };
}

/** How a curve runs, in a word. */
export function directionOf(points: readonly CurvePoint[]): string {
  const steps = points.slice(1).map(([, y], k) => y - points[k]![1]);
  const [rises, falls] = [steps.some((step) => step > 0), steps.some((step) => step < 0)];
  return rises && falls ? 'rises and falls' : rises ? 'rises' : falls ? 'falls' : 'is level';
}

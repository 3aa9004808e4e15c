import { formatNumber } from 'assize/internal';
import { curveAt, type CurvePoint } from '../curves.js';

/** A plotted curve and the histogram of its inputs over the same columns: `0.01 ▁▂▃ 0.6`. */
interface CurvePlot {
  readonly curve: string;
  readonly histogram: string;
}

const LEVELS = '▁▂▃▄▅▆▇█';

/** One bar per number: the lowest for `low`, the highest for `high`. If both are equal, all bars have half the height. */
function bars(values: readonly number[], low: number, high: number): string {
  const level = (value: number): number =>
    high === low ? 3 : Math.round(((value - low) / (high - low)) * (LEVELS.length - 1));
  return values.map((value) => LEVELS.charAt(level(value))).join('');
}

/** Plots a curve and the histogram of its inputs as text, with a column for each part of the histogram. */
export function plotCurve(points: readonly CurvePoint[], counts: readonly number[]): CurvePlot {
  const [first, last] = [points[0]![0], points.at(-1)![0]];
  const heights = counts.map((_, k) => curveAt(points, first + ((k + 0.5) / counts.length) * (last - first)));
  const ys = points.map(([, y]) => y);
  const frame = (line: string): string => `${formatNumber(first)} ${line} ${formatNumber(last)}`;
  return {
    curve: frame(bars(heights, Math.min(...ys), Math.max(...ys))),
    histogram: frame(bars(counts, 0, Math.max(...counts))),
  };
}

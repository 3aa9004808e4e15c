import { formatNumber } from './format-number.js';

const LEVELS = '▁▂▃▄▅▆▇█';
const WIDTH = 16;

/** The bars of some numbers, between the lowest one at `low` and the highest at `high`; where both are one, in the middle. */
export function bars(values: readonly number[], low: number, high: number): string {
  const level = (value: number): number =>
    high === low ? 3 : Math.round(((value - low) / (high - low)) * (LEVELS.length - 1));
  return values.map((value) => LEVELS.charAt(level(value))).join('');
}

/** A point of a plot. */
export type PlotPoint = readonly [x: number, y: number];

/**
 * Plots a curve in one line, with a mark around the place of one x: `0 ▁▁▂▂▃[▄]▅▆▇█ 40`. The numbers are the x of the
 * first and the last point; an x beyond them is marked at the end.
 *
 * @param points at least two, x rising; straight lines are drawn between them
 */
export function sparkline(points: readonly PlotPoint[], x: number): string {
  const [first, last] = [points[0]![0], points.at(-1)![0]];
  const ys = points.map(([, y]) => y);
  const [low, high] = [Math.min(...ys), Math.max(...ys)];
  const share = Math.min(1, Math.max(0, (x - first) / (last - first)));
  const marked = Math.min(WIDTH - 1, Math.floor(share * WIDTH));
  const middles = Array.from({ length: WIDTH }, (_, k) =>
    heightAt(points, first + ((k + 0.5) / WIDTH) * (last - first)),
  );
  const cells = Array.from(bars(middles, low, high), (bar, k) => (k === marked ? `[${bar}]` : bar));
  return `${formatNumber(first)} ${cells.join('')} ${formatNumber(last)}`;
}

/** The y at an x within a curve. */
function heightAt(points: readonly PlotPoint[], x: number): number {
  const k = Math.max(
    1,
    points.findIndex(([at]) => at >= x),
  );
  const [[x0, y0], [x1, y1]] = [points[k - 1]!, points[k]!];
  return y0 + ((x - x0) / (x1 - x0)) * (y1 - y0);
}

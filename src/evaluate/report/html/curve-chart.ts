import type { ReportedCurve } from '../report.js';
import { svgText } from './charts.js';
import type { Drawing } from './load-plot.js';

const LINE = '#4479c4';
const BAR = '#8a939c';

/** A part of the histogram, as high as the curve reaches where most candidates lie. */
interface Bar {
  readonly from: number;
  readonly to: number;
  readonly height: number;
  readonly count: number;
}

/** A curve, over the histogram of the numbers that it is read at. */
export function curveChart(drawing: Drawing, { profile, scorer, points, histogram }: ReportedCurve): string {
  const { Plot } = drawing;
  const ys = points.map(([, y]) => y);
  const [low, high] = [Math.min(...ys), Math.max(...ys)];
  const [first, last] = [points[0]![0], points.at(-1)![0]];
  const width = (last - first) / histogram.length;
  const most = Math.max(1, ...histogram);
  const bars = histogram.map((count, k): Bar => {
    const height = low + (high > low ? high - low : 1) * (count / most);
    return { from: first + k * width, to: first + (k + 1) * width, height, count };
  });
  return svgText(drawing, `The curve of ${scorer} in ${profile}, over how many candidates lie where`, {
    height: 220,
    marginLeft: 60,
    x: { label: `${scorer}: what it is read at` },
    y: { label: 'what it gives', grid: true },
    marks: [
      Plot.rectY(bars, {
        x1: 'from',
        x2: 'to',
        y1: low,
        y2: 'height',
        insetRight: 1,
        fill: BAR,
        fillOpacity: 0.45,
        title: ({ count, from, to }: Bar) => `${count} from ${from} to ${to}`,
      }),
      Plot.line(points, {
        x: ([x]: ReportedCurve['points'][number]) => x,
        y: ([, y]: ReportedCurve['points'][number]) => y,
        stroke: LINE,
        strokeWidth: 2.5,
      }),
      Plot.dot(points, {
        x: ([x]: ReportedCurve['points'][number]) => x,
        y: ([, y]: ReportedCurve['points'][number]) => y,
        fill: LINE,
        r: 4,
      }),
    ],
  });
}

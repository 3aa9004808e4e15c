import * as Plot from '@observablehq/plot';
import type { Result } from '../result.js';
import { MUTED, onPaper } from './paper.js';
import { AXIS, type Chart, colour, extent, pointsOf, powersOfTen } from './points.js';
import { amountText } from './words.js';

/** What a chart of growth shows. */
interface Growth {
  readonly file: string;
  readonly title: string;
  readonly alt: string;
  readonly sizes: string;
  /** The time for this number of items is shown. */
  readonly times: (size: number) => number;
}

/** Time by size, a line per subject, both axes logarithmic: linear growth is a diagonal. */
export function growthChart(results: readonly Result[], { file, title, alt, sizes, times }: Growth): Chart {
  const points = pointsOf(results.filter(({ size }) => size !== undefined)).map((point) => {
    const nanos = point.nanos * times(point.size);
    return { ...point, nanos, text: amountText(nanos, 'ns') };
  });
  const [least, most] = extent(points);
  const ticks = [...new Set(points.map(({ size }) => size))];
  const subjects = [...new Set(points.map(({ subject }) => subject))];
  const last = subjects
    .flatMap((subject) => points.findLast((point) => point.subject === subject) ?? [])
    .sort((a, b) => b.nanos - a.nanos);
  const svg = onPaper(
    {
      width: 1000,
      height: 400,
      marginTop: 52,
      marginLeft: 80,
      marginRight: 220,
      x: { type: 'log' },
      y: { type: 'log', domain: [least / 1.5, most * 1.5], label: null },
      marks: [
        Plot.gridY(powersOfTen(least / 1.5, most * 1.5), { stroke: MUTED, strokeOpacity: 0.2 }),
        Plot.axisX(ticks, { ...AXIS, label: sizes }),
        Plot.axisY(powersOfTen(least / 1.5, most * 1.5), {
          tickSize: 0,
          tickFormat: (nanos: number) => amountText(nanos, 'ns'),
        }),
        Plot.line(points, { x: 'size', y: 'nanos', z: 'subject', stroke: colour, strokeWidth: 2.5 }),
        Plot.dot(points, { x: 'size', y: 'nanos', fill: colour, r: 4 }),
        // Lines that end next to each other: the upper number is above its line's end, the lower one below.
        ...last.map((point, k) =>
          Plot.text([point], {
            x: 'size',
            y: 'nanos',
            text: [`${point.subject}: ${point.text}`],
            dx: 12,
            dy: k === 0 ? -5 : 7,
            textAnchor: 'start',
            fill: colour,
            fontWeight: 600,
          }),
        ),
      ],
    },
    title,
  );
  return { file, svg, alt };
}

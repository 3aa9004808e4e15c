import * as Plot from '@observablehq/plot';
import type { Result } from '../result.js';
import { MUTED, onPaper } from './paper.js';
import { AXIS, type Chart, colour, extent, pointsOf, powersOfTen } from './points.js';

/** Time per candidate, by engine, with a panel for each data set. */
export function enginesChart(results: readonly Result[]): Chart {
  const points = pointsOf(results);
  const subjects = [...new Set(points.map(({ subject }) => subject))];
  const [least, most] = extent(points);
  const [from, to] = [least / 2.5, most * 14]; // space for the numbers
  const cell = { fx: 'work', y: 'subject' } as const;
  const svg = onPaper(
    {
      width: 1000,
      height: 120 + 30 * subjects.length,
      marginLeft: 210,
      x: { type: 'log', domain: [from, to] },
      y: { domain: subjects, label: null },
      fx: { domain: [...new Set(points.map(({ work }) => work))], label: null, padding: 0.05 },
      marks: [
        Plot.gridX(powersOfTen(from, to), { stroke: MUTED, strokeOpacity: 0.2 }),
        Plot.axisX(powersOfTen(from, to), { ...AXIS, label: 'nanoseconds a candidate, on a logarithmic scale' }),
        Plot.axisY({ tickSize: 0 }),
        Plot.ruleY(points, { ...cell, x1: from, x2: 'nanos', stroke: colour, strokeWidth: 7, strokeOpacity: 0.3 }),
        Plot.dot(points, { ...cell, x: 'nanos', fill: colour, r: 5 }),
        Plot.text(points, { ...cell, x: 'nanos', text: 'text', dx: 10, textAnchor: 'start', fontWeight: 600 }),
      ],
    },
    'Three vetoes, six weighted scorers, a decay, the best ten: time a candidate',
  );
  return { file: 'engines.svg', svg, alt: 'Time a candidate: a loop by hand, Assize, and five other engines' };
}

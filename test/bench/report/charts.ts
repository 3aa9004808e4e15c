import * as Plot from '@observablehq/plot';
import type { Measured } from '../measured.js';
import type { Result } from '../result.js';
import { INK, MUTED, onPaper } from './paper.js';
import { amountText } from './words.js';

/** A file beside the report. */
export interface Chart {
  readonly file: string;
  readonly svg: string;
  /** What it shows, for who cannot see it. */
  readonly alt: string;
}

const OURS = '#0969da';
const OTHERS = '#818b98';
const colour = ({ subject }: { readonly subject: string }): string => {
  if (subject.startsWith('Assize')) return OURS;
  return subject.includes('by hand') ? INK : OTHERS;
};

const AXIS = { tickSize: 0, tickFormat: ',', labelAnchor: 'center', labelArrow: 'none' } as const;

const powersOfTen = (from: number, to: number): readonly number[] => {
  const [least, most] = [Math.ceil(Math.log10(from)), Math.floor(Math.log10(to))];
  return Array.from({ length: Math.max(0, most - least + 1) }, (_, k) => 10 ** (least + k));
};

interface Point {
  readonly work: string;
  readonly subject: string;
  readonly size: number;
  readonly nanos: number;
  readonly text: string;
}

const pointsOf = (results: readonly Result[]): readonly Point[] =>
  results
    .filter(({ unit }) => unit === 'ns')
    .map(({ work, subject, size = 1, amount: { median } }) => {
      return { work, subject, size, nanos: median, text: amountText(median, 'ns') };
    });

const extent = (points: readonly Point[]): readonly [number, number] => {
  const nanos = points.map((point) => point.nanos);
  return [Math.min(...nanos), Math.max(...nanos)];
};

/** Time a candidate, engine by engine, a panel for each data set. */
function engines(results: readonly Result[]): Chart {
  const points = pointsOf(results);
  const subjects = [...new Set(points.map(({ subject }) => subject))];
  const [least, most] = extent(points);
  const [from, to] = [least / 2.5, most * 14]; // room for the numbers
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

interface Growth {
  readonly file: string;
  readonly title: string;
  readonly alt: string;
  readonly sizes: string;
  /** The time of how many of what was measured is shown. */
  readonly times: (size: number) => number;
}

/** Time by size, a line for each subject, both logarithmic: what is linear is a diagonal. */
function growth(results: readonly Result[], { file, title, alt, sizes, times }: Growth): Chart {
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
        // Lines that end side by side: the upper number stands above its line's end, the lower below.
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

/** The charts of what was measured. */
export function charts(measured: readonly Measured[]): readonly Chart[] {
  const of = (name: string): readonly Result[] => measured.find(({ section }) => section.name === name)?.results ?? [];
  return [
    engines(of('engines')),
    growth(of('growth'), {
      file: 'growth.svg',
      title: 'The same profile, by the number of candidates: time a run',
      alt: 'Time a run from 1,000 to 1,000,000 candidates: two parallel lines',
      sizes: 'candidates',
      times: (size) => size,
    }),
    growth(of('vectors'), {
      file: 'vectors.svg',
      title: 'The most similar of so many vectors of 384 numbers: time a query',
      alt: 'Time a query from 1,000 to 100,000 vectors',
      sizes: 'vectors',
      times: () => 1,
    }),
  ];
}

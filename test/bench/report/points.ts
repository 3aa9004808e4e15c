import type { Result } from '../result.js';
import { INK } from './paper.js';
import { amountText } from './words.js';

/** A file beside the report. */
export interface Chart {
  readonly file: string;
  readonly svg: string;
  /** The alternative text. */
  readonly alt: string;
}

const OURS = '#0969da';
const OTHERS = '#818b98';
/** The subject of a point. */
export const colour = ({ subject }: { readonly subject: string }): string => {
  if (subject.startsWith('Assize')) return OURS;
  return subject.includes('by hand') ? INK : OTHERS;
};

export const AXIS = { tickSize: 0, tickFormat: ',', labelAnchor: 'center', labelArrow: 'none' } as const;

export const powersOfTen = (from: number, to: number): readonly number[] => {
  const [least, most] = [Math.ceil(Math.log10(from)), Math.floor(Math.log10(to))];
  return Array.from({ length: Math.max(0, most - least + 1) }, (_, k) => 10 ** (least + k));
};

/** The drawn part of a result. */
export interface Point {
  readonly work: string;
  readonly subject: string;
  readonly size: number;
  readonly nanos: number;
  readonly text: string;
}

export const pointsOf = (results: readonly Result[]): readonly Point[] =>
  results
    .filter(({ unit }) => unit === 'ns')
    .map(({ work, subject, size = 1, amount: { median } }) => {
      return { work, subject, size, nanos: median, text: amountText(median, 'ns') };
    });

export const extent = (points: readonly Point[]): readonly [number, number] => {
  const nanos = points.map((point) => point.nanos);
  return [Math.min(...nanos), Math.max(...nanos)];
};

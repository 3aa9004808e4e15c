import { widthOf } from '../../document/width.js';
import { paragraph } from '../output/text.js';
import type { Look } from '../terminal/io.js';
import { painter } from '../terminal/paint.js';

const WIDEST_TERM = 28;
const LEAST_TEXT = 20;

/** A term, and what it is. */
export type Definition = readonly [term: string, text: string];

/** Definitions under a title. */
export const titled = (title: string, rows: readonly Definition[], look: Look): string =>
  `${painter(look.colour)('bold', title)}\n${definitions(rows, look)}`;

/** Terms, and what each is, beside it: a list as help texts have it. */
export function definitions(rows: readonly Definition[], { columns, colour }: Look): string {
  const paint = painter(colour);
  const width = Math.min(
    WIDEST_TERM,
    rows.reduce((most, [term]) => Math.max(most, widthOf(term)), 0),
  );
  const indent = ' '.repeat(width + 4);
  return rows
    .map(([term, text]) => {
      const lines = paragraph(text, Math.max(columns, indent.length + LEAST_TEXT), indent).split('\n');
      const label = `  ${term}`;
      if (widthOf(term) > width) return [paint('bold', label), ...lines];
      const [first = '', ...rest] = lines;
      const pad = ' '.repeat(width + 2 - widthOf(term));
      return [`${paint('bold', label)}${pad}${first.trimStart()}`.trimEnd(), ...rest];
    })
    .flat()
    .map((line) => `${line}\n`)
    .join('');
}

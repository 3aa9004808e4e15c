import { displayWidth } from '../../text/display-width.js';
import { paragraph } from '../output/text.js';
import type { OutputStyle } from '../terminal/io.js';
import { createStyler } from '../terminal/styler.js';

const MAX_TERM_WIDTH = 28;
const MIN_TEXT_WIDTH = 20;

/** A term, and what it is. */
export type Definition = readonly [term: string, text: string];

/** Definitions under a title. */
export const titledDefinitions = (title: string, rows: readonly Definition[], look: OutputStyle): string =>
  `${createStyler(look.colour)('bold', title)}\n${definitions(rows, look)}`;

/** Terms, and what each is, beside it: a list as help texts have it. */
export function definitions(rows: readonly Definition[], { columns, colour }: OutputStyle): string {
  const paint = createStyler(colour);
  const width = Math.min(
    MAX_TERM_WIDTH,
    rows.reduce((most, [term]) => Math.max(most, displayWidth(term)), 0),
  );
  const indent = ' '.repeat(width + 4);
  return rows
    .map(([term, text]) => {
      const lines = paragraph(text, Math.max(columns, indent.length + MIN_TEXT_WIDTH), indent).split('\n');
      const label = `  ${term}`;
      if (displayWidth(term) > width) return [paint('bold', label), ...lines];
      const [first = '', ...rest] = lines;
      const pad = ' '.repeat(width + 2 - displayWidth(term));
      return [`${paint('bold', label)}${pad}${first.trimStart()}`.trimEnd(), ...rest];
    })
    .flat()
    .map((line) => `${line}\n`)
    .join('');
}

import { displayWidth } from '../../base/index.js';
import { paragraph } from '../output/format.js';
import type { OutputStyle } from '../terminal/io.js';
import { createStyler } from '../terminal/styler.js';

const MAX_TERM_WIDTH = 28;
const MIN_TEXT_WIDTH = 20;

/** A term and its definition. */
export type Definition = readonly [term: string, text: string];

/** Definitions under a title. */
export const titledDefinitions = (title: string, rows: readonly Definition[], style: OutputStyle): string =>
  `${createStyler(style.colour)('bold', title)}\n${definitions(rows, style)}`;

/** Terms with their definitions beside them, as in a help text; a long term has a line of its own. */
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

import { widthOf } from '../../document/width.js';
import { paragraph } from '../output/text.js';
import type { Paint } from '../terminal/paint.js';

const WIDEST_TERM = 28;
const LEAST_TEXT = 20;

/** Terms, and what each is, beside it: a list as help texts have it. */
export function definitions(rows: readonly (readonly [term: string, text: string])[], columns: number, paint: Paint) {
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

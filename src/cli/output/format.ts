import { isWarning, type Problem, type Extent, escapeInvisible, wrap, displayWidth } from '../../base/index.js';
import type { OutputStyle } from '../terminal/io.js';
import { createStyler } from '../terminal/styler.js';

/**
 * The formatter of one column of numbers: three or four digits, with the same number of decimals in every row, so that
 * the points are aligned.
 *
 * @param extent of the numbers of the column
 */
export function columnFormatter({ maxMagnitude, integersOnly }: Extent): (value: number) => string {
  if (maxMagnitude >= 1e7 || (maxMagnitude > 0 && maxMagnitude < 0.01))
    return (value) => (value === 0 ? '0' : value.toExponential(2));
  if (integersOnly) return String;
  const decimals = maxMagnitude < 10 ? 3 : maxMagnitude < 100 ? 2 : maxMagnitude < 1000 ? 1 : 0;
  return (value) => value.toFixed(decimals).replace(/^-(0\.?0*)$/, '$1'); // without the sign of −0.000
}

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A bar to scale, drawn to an eighth of a column, and padded to its width. */
export function bar(value: number, full: number, width: number): string {
  const eighths = full > 0 ? Math.round(Math.min(1, Math.max(0, value / full)) * width * 8) : 0;
  return ('█'.repeat(eighths >> 3) + EIGHTHS[eighths & 7]).padEnd(width);
}

/** Wraps a text at a width, every line with the same indentation. */
export const paragraph = (text: string, width: number, indent: string): string =>
  wrap(text, width - indent.length, '')
    .split('\n')
    .map((line) => indent + line)
    .join('\n');

/** The number of scorers that scored each row; undefined if all of them scored every row. */
export function partialCells(
  rows: readonly { readonly partial?: { readonly present: number; readonly of: number } | undefined }[],
): readonly string[] | undefined {
  if (rows.every(({ partial }) => partial === undefined)) return undefined;
  return rows.map(({ partial }) => (partial ? `${partial.present} of ${partial.of}` : ''));
}

/**
 * A problem as a workflow command of GitHub Actions, which shows it at its line of a pull request:
 * `::error file=team.yaml,line=3,col=9,title=ASZ201::unknown key wieght`.
 */
export function workflowCommand({ code, message, place, hint }: Problem): string {
  const at = place ? [`file=${property(place.file)}`, `line=${place.line}`, `col=${place.column}`] : [];
  const properties = [...at, `title=${property(code)}`].join(',');
  const text = [message, ...(hint === undefined ? [] : [hint])].join('\n');
  return `::${isWarning(code) ? 'warning' : 'error'} ${properties}::${data(text)}\n`;
}

/** Percent-encodes the characters that would end a command or one of its properties. */
const data = (text: string): string => escapeInvisibleInLines(text).replaceAll('%', '%25').replaceAll('\n', '%0A');
const escapeInvisibleInLines = (text: string): string => text.split('\n').map(escapeInvisible).join('\n');
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

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

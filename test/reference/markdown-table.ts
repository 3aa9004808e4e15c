/** A text as a cell of a table. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replace(/\s*\n\s*/g, ' ');

export const rowText = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;

/** A table of Markdown: the row of its heads, and the given rows. */
export const tableOf = (heads: readonly string[], rows: readonly string[]): string =>
  [rowText(heads), `|${heads.map(() => '---').join('|')}|`, ...rows].join('\n');

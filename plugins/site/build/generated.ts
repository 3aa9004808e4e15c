import type { PageGroup } from './page.js';

/** Files of Markdown that are generated, by path. A path starts with `@`. Links in them that start with `/` are routes. */
export type GeneratedFiles = Map<string, string>;

/** What a part of the reference adds: pages, and the files that these show. */
export interface Generated {
  readonly groups: readonly PageGroup[];
  readonly files: ReadonlyMap<string, string>;
}

/** A text as a cell of a table. */
export const cell = (text: string): string => text.replaceAll('|', '\\|').replace(/\s+/g, ' ');

/** A table of Markdown, without columns that are empty. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const used = heads.map((_, column) => rows.some((row) => row[column] !== ''));
  const line = (cells: readonly string[]): string => `| ${cells.filter((_, column) => used[column]).join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map((row) => line(row.map(cell)))].join('\n');
}

import { rowText, tableOf } from '../../../test/reference/markdown-table.js';
import type { PageGroup } from './page.js';

/** What a part of the reference adds: pages, and the files that these show. */
export interface Generated {
  readonly groups: readonly PageGroup[];
  /** Markdown by path. A path starts with `@`. Links that start with `/` are routes. */
  readonly files: ReadonlyMap<string, string>;
}

/** A table of Markdown, without columns that are empty. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const isUsed = heads.map((_, column) => rows.some((cells) => cells[column] !== ''));
  const used = (cells: readonly string[]): readonly string[] => cells.filter((_, column) => isUsed[column]);
  return tableOf(
    used(heads),
    rows.map((cells) => rowText(used(cells))),
  );
}

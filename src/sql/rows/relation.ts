import type { Column, Dialect } from '../dialects/dialect.js';

/** The rows that a statement reads, in an order that is known: a table, or files. */
export interface Relation {
  /** The column of a name; undefined where there is none: then every candidate lacks that field. */
  readonly column: (name: string) => Column | undefined;
  /**
   * A query of `k`, what tells rows apart and orders them, of which no two have the same and none has NULL, and of columns,
   * each by the name that the statement has for it.
   */
  readonly read: (columns: ReadonlyMap<string, string>) => string;
  /** Whether `read` has a column `odd_row` besides: TRUE where nothing of the row is known but its cells. */
  readonly marksOdd?: boolean;
  /** A query of `k`, and `pos`, the place among all rows, from 0; undefined where `k` is the place. */
  readonly positions: string | undefined;
  /** A query of `k` and `cells`: each row as a text, from which `decode` makes the candidate. */
  readonly cells: string;
  /** @throws SyntaxError where the text is no row */
  readonly decode: (cells: string) => object;
}

/**
 * What `read` of a relation gives, where its columns are those of a table.
 *
 * @param table   what stands behind FROM
 * @param columns by their names in the table, those in the statement
 */
export function readTable(
  { identifier }: Dialect,
  table: string,
  key: string,
  columns: Iterable<readonly [name: string, own: string]>,
): string {
  const read = Array.from(columns, ([name, own]) => `${identifier(name)} AS ${own}`);
  return `SELECT ${[`${key} AS k`, ...read].join(', ')} FROM ${table}`;
}

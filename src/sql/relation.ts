import type { Column } from './dialect.js';

/** The rows that a statement reads, in an order that is known: a table, or files. */
export interface Relation {
  /** The column of a name; undefined where there is none: then every candidate lacks that field. */
  readonly column: (name: string) => Column | undefined;
  /** What stands behind FROM to read these columns by their names, and whatever `position` reads. */
  readonly rows: (columns: readonly string[]) => string;
  /** The place of a row among all, counted from 0, in a query over `rows`. */
  readonly position: string;
  /** A column of `rows`, as an identifier: TRUE where nothing of the row is known but its cells; none when not given. */
  readonly odd?: string;
  /** A query of `pos` and `cells`: each row as a text, from which `decode` makes the candidate. */
  readonly cells: string;
  /** @throws SyntaxError where the text is no row */
  readonly decode: (cells: string) => object;
}

import type { Column } from './dialect.js';

/** The rows that a statement reads, in an order that is known: a table, or files. */
export interface Relation {
  /** The column of a name; undefined where there is none: then every candidate lacks that field. */
  readonly column: (name: string) => Column | undefined;
  /** What stands behind FROM to read these columns by their names, and whatever `key` reads. */
  readonly rows: (columns: readonly string[]) => string;
  /** What tells rows apart and orders them, in a query over `rows`: no two have the same, and none has NULL. */
  readonly key: string;
  /** A query of `k`, the key, and `pos`, the place among all rows, from 0; undefined where the key is the place. */
  readonly positions: string | undefined;
  /** A column of `rows`, as an identifier: TRUE where nothing of the row is known but its cells; none when not given. */
  readonly odd?: string;
  /** A query of `k` and `cells`: each row as a text, from which `decode` makes the candidate. */
  readonly cells: string;
  /** @throws SyntaxError where the text is no row */
  readonly decode: (cells: string) => object;
}

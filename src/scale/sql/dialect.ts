import { toAssizeError, type Problem } from '../../base/index.js';

/** The type of a column, as the engine sees its values. */
export type ColumnKind =
  /** Any number, including NaN and infinities. */
  | 'number'
  /** A whole number of at most 64 bits. */
  | 'integer'
  | 'bool'
  | 'text'
  /** A date or a timestamp. Its value is a `Date`, rounded down to milliseconds. */
  | 'time'
  /** A JSON document. Each of its values has its own type. */
  | 'json'
  /** Any other type. Its values are shown; entries that read them run in the process. */
  | 'other';

/** A column of a table. */
export interface Column {
  readonly name: string;
  /** The database's name of the type. */
  readonly type: string;
  readonly kind: ColumnKind;
}

/** The SQL of a value in a JSON document, as each type; NULL if the value has another type. */
export interface JsonParts {
  readonly isPresent: string;
  readonly number: string;
  readonly text: string;
  readonly bool: string;
  /** Conditions under which the SQL may differ from the value that `JSON.parse` returns. */
  readonly uncertain: readonly string[];
}

/**
 * The SQL of a database. Methods take and return SQL, except `identifier` and `text`: only these take names and strings
 * from profiles and tables, and quote them.
 */
export interface Dialect {
  readonly name: string;
  /** Writes constants without casts, for statements that people read. The types of numbers are the database's. */
  readonly isPlain?: true;
  readonly types: { readonly number: string; readonly text: string; readonly bool: string; readonly position: string };
  /** A suffix that prevents the planner from merging a subquery with the query around it. */
  readonly fence: string;
  /** Wraps a value so that it is computed once, for a database without `MATERIALIZED`. */
  readonly once?: (value: string) => string;
  /** The keyword for a WITH query that is read more than once. */
  readonly materialized: string;

  /**
   * A query of `k`, the key of each row of `assize_chosen`, and `pos`, its position in the order of keys, starting at 0. For
   * a database in which one sort of all keys would run on a single machine. Undefined for keys that it cannot divide into
   * ranges.
   */
  readonly positions?: (table: string, key: string, kind: ColumnKind) => string | undefined;

  /** Reads a WITH query that has fewer rows than a table that it is joined to, for a database that may assume otherwise. */
  readonly fewRows?: (name: string, columns: string) => string;

  /**
   * An aggregate: the nth greatest of the values that are not NULL, and NULL if there are fewer. Omitted if the database
   * has none that is faster than a sort, or for a large n.
   */
  readonly nthGreatest?: (value: string, n: number) => string | undefined;

  /** Whether a join by `IS NOT DISTINCT FROM` is as fast as one by `=`. */
  readonly joinsNull?: true;

  readonly identifier: (name: string) => string;
  /**
   * Quotes a string.
   *
   * @throws Untranslatable for a string that the database cannot hold
   */
  readonly text: (value: string) => string;

  readonly kindOf: (type: string) => ColumnKind;
  /** A number column as a double, rounded as JavaScript rounds decimal digits. */
  readonly double: (column: string, type: string) => string;
  /** A time column in milliseconds since 1970, rounded down to a whole number; NULL if it is infinite. */
  readonly millis: (column: string, type: string) => string;
  /** A text column as a string that compares by bytes. */
  readonly textOf: (column: string, type: string) => string;
  /** A value as text, from which the process restores exactly the same value. */
  readonly cell: (column: string, type: string, kind: ColumnKind) => string;
  /** Strings, some of them NULL, as one JSON array. */
  readonly cells: (texts: readonly string[]) => string;
  /** The value at nested keys of a JSON column; undefined if the dialect does not read JSON. */
  readonly json?: (column: string, keys: readonly string[]) => JsonParts;

  readonly floor: (x: string) => string;
  readonly ceil: (x: string) => string;
  readonly log2: (x: string) => string;
  /** The remainder, with the sign of the dividend; undefined if the database has none for doubles. */
  readonly remainder?: (x: string, y: string) => string;
  readonly contains: (text: string, part: string) => string;
  readonly startsWith: (text: string, start: string) => string;
  readonly endsWith: (text: string, end: string) => string;
  /** The number of code points. */
  readonly size: (text: string) => string;
  readonly lower: (text: string) => string;
  readonly isAscii: (text: string) => string;
  /** Whether the whole string matches a POSIX pattern. */
  readonly matches: (text: string, pattern: string) => string;
  /** The days from 1970-01-01 to a date such as `2011-01-31`, as a double. */
  readonly days: (date: string) => string;
}

/**
 * A string in quotes, with each inner quote doubled. Strings from profiles and tables enter a statement only through
 * this function.
 *
 * @throws Untranslatable for NUL and for lone surrogates, which databases cannot hold
 */
export function quote(value: string, mark: "'" | '"' | '`'): string {
  if (value.includes('\0') || /\p{Surrogate}/u.test(value)) {
    throw new Untranslatable(`${JSON.stringify(value)} is not a text that a database can hold`);
  }
  return mark + value.replaceAll(mark, mark + mark) + mark;
}

/** A part of a profile has no translation. The process evaluates the entry, or the row. */
export class Untranslatable extends Error {
  override readonly name = 'Untranslatable';
}

/** Throws an `AssizeError` with one problem. */
export function fail(code: Problem['code'], message: string, hint?: string, cause?: unknown): never {
  throw toAssizeError([{ code, message, ...(hint !== undefined && { hint }) }], { cause });
}

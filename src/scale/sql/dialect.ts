import { toAssizeError, type Problem } from '../../base/index.js';

/** What a column of a table holds, for the engine: what a candidate has there. */
export type ColumnKind =
  /** A number of any magnitude, NaN and infinities too. */
  | 'number'
  /** A whole number of at most 64 bits. */
  | 'integer'
  | 'bool'
  | 'text'
  /** A date or a timestamp: a Date, of whole milliseconds. */
  | 'time'
  /** A document: each value in it has a type of its own. */
  | 'json'
  /** Anything else: shown, and left to the process if it is read. */
  | 'other';

/** A column of a table. */
export interface Column {
  readonly name: string;
  /** As the database names it. */
  readonly type: string;
  readonly kind: ColumnKind;
}

/** The parts of a value in a JSON document, each NULL if it is of another type. */
export interface JsonParts {
  readonly isPresent: string;
  readonly number: string;
  readonly text: string;
  readonly bool: string;
  /** Conditions under which what is read of it is not what the process reads. */
  readonly uncertain: readonly string[];
}

/**
 * How a database writes what the prefilter says. Every method takes SQL and gives SQL, but for the quoting of names and
 * literals, which alone take what comes from a profile or a table.
 */
export interface Dialect {
  readonly name: string;
  readonly types: { readonly number: string; readonly text: string; readonly bool: string; readonly position: string };
  /** What stands behind a subquery that must not be merged with the one around it. */
  readonly fence: string;
  /** A value of a query that is read more than once, so that it is computed once, where `materialized` cannot say so. */
  readonly once?: (value: string) => string;
  /** What stands before a query that is named by WITH and read more than once. */
  readonly materialized: string;

  /**
   * A query of `k`, the key of each row of a table, and `pos`, its place in their order, from 0: where one sort of all keys
   * would be the work of one machine of several. Undefined for a key of a kind for which there is none.
   */
  readonly positions?: (table: string, key: string, kind: ColumnKind) => string | undefined;

  readonly identifier: (name: string) => string;
  /** @throws Untranslatable for a text that the database cannot hold */
  readonly text: (value: string) => string;

  readonly kindOf: (type: string) => ColumnKind;
  /** A number column as a double, rounded as JavaScript rounds its decimal digits. */
  readonly double: (column: string, type: string) => string;
  /** A time column in milliseconds since 1970, rounded down, as a whole number; NULL if it is infinite. */
  readonly millis: (column: string, type: string) => string;
  /** A text column as a text that is compared byte by byte. */
  readonly textOf: (column: string, type: string) => string;
  /** A value as text, from which the process makes exactly the value that this is. */
  readonly cell: (column: string, type: string, kind: ColumnKind) => string;
  /** Texts, some of them NULL, as one text: a JSON array. */
  readonly cells: (texts: readonly string[]) => string;
  /** The value under keys in a JSON column; undefined if the dialect reads none. */
  readonly json?: (column: string, keys: readonly string[]) => JsonParts;

  readonly floor: (x: string) => string;
  readonly ceil: (x: string) => string;
  readonly log2: (x: string) => string;
  /** The remainder with the sign of the dividend; undefined if there is none for doubles. */
  readonly remainder?: (x: string, y: string) => string;
  readonly contains: (text: string, part: string) => string;
  readonly startsWith: (text: string, start: string) => string;
  readonly endsWith: (text: string, end: string) => string;
  /** The number of code points. */
  readonly size: (text: string) => string;
  readonly lower: (text: string) => string;
  readonly isAscii: (text: string) => string;
  /** Whether a whole text matches a pattern of POSIX. */
  readonly matches: (text: string, pattern: string) => string;
  /** The days from 1970-01-01 to a date as `2011-01-31`, as a double. */
  readonly days: (date: string) => string;
}

/**
 * A text between quotes, each quote inside doubled: the one place where a text of a profile or of a table comes to
 * stand inside a statement.
 *
 * @throws Untranslatable for what no database holds: NUL, and half of a surrogate pair
 */
export function quote(value: string, mark: "'" | '"' | '`'): string {
  if (value.includes('\0') || /\p{Surrogate}/u.test(value)) {
    throw new Untranslatable(`${JSON.stringify(value)} is no text that a database can hold`);
  }
  return mark + value.replaceAll(mark, mark + mark) + mark;
}

/** Why SQL cannot say something: the row, or the entry, is left to the process. */
export class Untranslatable extends Error {
  override readonly name = 'Untranslatable';
}

/** Throws one problem of a call. */
export function fail(code: Problem['code'], message: string, hint?: string, cause?: unknown): never {
  throw toAssizeError([{ code, message, ...(hint !== undefined && { hint }) }], { cause });
}

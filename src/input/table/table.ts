import type { Columns } from '../../columns/index.js';
import { type Problem, toAssizeError, toError } from '../../diagnostics/index.js';

/** Bytes that can be read from any place. */
export interface RandomAccess {
  readonly byteLength: number;
  /** The bytes from one to before another, or to the end. */
  slice(start: number, end?: number): Promise<ArrayBuffer>;
  /** Of a file: its absolute path. */
  readonly path?: string;
}

/** Consecutive rows: the first, and the one after the last. */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

/** Candidates that are kept by column in a file: it can be read column by column. */
export interface Table {
  /** All rows in their order, cut where a reader can begin without what comes before: Parquet's row groups. */
  readonly groups: readonly RowRange[];
  /**
   * Reads rows in their order, a batch at a time. A batch may be used until the next one is asked for.
   *
   * @param fields which columns; all when not given
   * @param range  which rows, from the first of a group to the last of one; all when not given
   */
  batches(fields?: ReadonlySet<string>, range?: RowRange): AsyncIterable<Columns>;
  /** Reads whole rows by position. */
  rows(positions: readonly number[]): Promise<readonly object[]>;
  /** Ends what was started for it; the bytes are the caller's. */
  close?(): void;
}

/** How many rows a table has. */
export const rowCount = ({ groups }: Pick<Table, 'groups'>): number => groups.at(-1)?.to ?? 0;

/**
 * Opens a table.
 *
 * @param name    the name of the input in problems
 * @param threads how many threads may read, where more than one can
 * @throws AssizeError (ASZ120) where it is not of the format
 */
export type TableReader = (bytes: RandomAccess, name: string, threads: number) => Promise<Table>;

/** The error of a table that cannot be read. */
export function tableError(name: string, format: string, error: unknown, hint?: string): Error {
  const { message } = toError(error);
  const problem: Problem = { code: 'ASZ120', message: `${name} cannot be read as ${format}: ${message}`, hint };
  return toAssizeError([problem], { cause: error });
}

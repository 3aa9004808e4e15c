import { parseJsonLine, stripByteOrderMark } from '../input/index.js';
import type { RetainedRow } from '../stream/top-k-collector.js';
import type { LineSpan } from './shards.js';
import { fileChangedError, type ReadBytesAt } from './versioned-file.js';

/** Retained rows by column: the line of each in the file in place of its candidate, or the candidate itself. Plain data. */
export interface RetainedColumns {
  readonly totals: Float64Array;
  /** Positions in the part. */
  readonly indexes: Float64Array;
  /** Of the lines in the file; empty where there are candidates. */
  readonly offsets: Float64Array;
  readonly lengths: Float64Array;
  readonly candidates: readonly object[];
  /** By row; empty where the profile has no ties. */
  readonly keys: readonly (readonly unknown[])[];
}

/** A retained row, and where its candidate is: a line, or here. */
export interface LocatedRow extends RetainedRow, LineSpan {
  readonly candidate: object | undefined;
}

/** Rows by column, with their lines or their candidates. */
export const toRetainedColumns = (
  rows: readonly RetainedRow[],
  spans: readonly LineSpan[],
  candidates: readonly object[],
): RetainedColumns => ({
  totals: Float64Array.from(rows, ({ total }) => total),
  indexes: Float64Array.from(rows, ({ index }) => index),
  offsets: Float64Array.from(spans, ({ offset }) => offset),
  lengths: Float64Array.from(spans, ({ length }) => length),
  candidates,
  keys: rows.some(({ keys }) => keys.length > 0) ? rows.map(({ keys }) => keys.map(toCloneable)) : [],
});

/** Ties do not distinguish lists, maps and other objects: null stands for any of them. */
const toCloneable = (key: unknown): unknown => (typeof key === 'object' ? null : key);

/**
 * The rows of a part with their positions among all candidates.
 *
 * @param before how many candidates come before the part
 */
export function* locatedRows(
  { totals, indexes, offsets, lengths, candidates, keys }: RetainedColumns,
  before: number,
): Generator<LocatedRow> {
  for (let k = 0; k < totals.length; k++) {
    yield {
      total: totals[k]!,
      index: before + indexes[k]!,
      keys: keys[k] ?? [],
      offset: offsets[k] ?? 0,
      length: lengths[k] ?? 0,
      candidate: candidates[k],
    };
  }
}

/** How many lines are read at a time: each is a request where the input is not on this machine. */
const READS_AT_ONCE = 8;

/**
 * Reads the candidates of rows.
 *
 * @param name the input's name in problems
 * @throws AssizeError (ASZ101) where a line is no candidate any longer
 */
export async function readRetained(
  read: ReadBytesAt,
  rows: readonly Omit<LocatedRow, keyof RetainedRow>[],
  name: string,
): Promise<object[]> {
  const candidates: object[] = [];
  const readOne = async ({ offset, length, candidate }: Omit<LocatedRow, keyof RetainedRow>): Promise<object> => {
    if (candidate) return candidate;
    const text = (await read(offset, length)).toString();
    const parsed = parseJsonLine(stripByteOrderMark(text, offset === 0));
    if (parsed === undefined) throw fileChangedError({ name });
    return parsed;
  };
  for (let from = 0; from < rows.length; from += READS_AT_ONCE) {
    // oxlint-disable-next-line no-await-in-loop -- some at a time
    candidates.push(...(await Promise.all(rows.slice(from, from + READS_AT_ONCE).map(readOne))));
  }
  return candidates;
}

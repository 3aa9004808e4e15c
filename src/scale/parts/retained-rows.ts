import { toAssizeError } from '../../base/index.js';
import { parseJsonLine, stripByteOrderMark } from '../../data/node.js';
import type { RetainedRow } from '../../pipeline/index.js';
import type { LineSpan, ReadBytesAt } from './shard-lines.js';

/** Retained rows as columns, each with its candidate or the candidate's line in the file. Plain data. */
export interface RetainedColumns {
  readonly totals: Float64Array;
  /** Positions in the part. */
  readonly indexes: Float64Array;
  /** Of the lines in the file; empty if the part contains the candidates. */
  readonly offsets: Float64Array;
  readonly lengths: Float64Array;
  readonly candidates: readonly object[];
  /** By row; empty if the profile has no tie breakers. */
  readonly keys: readonly (readonly unknown[])[];
}

/** A retained row, with its candidate or the candidate's line. */
export interface LocatedRow extends RetainedRow, LineSpan {
  readonly candidate: object | undefined;
}

/** Converts rows to columns, with their lines or their candidates. */
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

/** Replaces objects by null: tie breakers do not distinguish lists, maps and other objects. */
export const toCloneable = (key: unknown): unknown => (typeof key === 'object' ? null : key);

/**
 * The rows of a part with their positions among all candidates.
 *
 * @param before the number of candidates before the part
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

/** The number of concurrent reads of lines. For a remote input each read is a request. */
const READS_AT_ONCE = 8;

/**
 * Reads the candidates of rows.
 *
 * @param name the input's name in problems
 * @throws AssizeError (ASZ101) if a line is no longer a candidate
 */
export async function readRetained(
  read: ReadBytesAt,
  rows: readonly Omit<LocatedRow, keyof RetainedRow>[],
  name: string,
): Promise<object[]> {
  const candidates: object[] = [];
  const readOne = async ({ offset, length, candidate }: Omit<LocatedRow, keyof RetainedRow>): Promise<object> => {
    if (candidate) return candidate;
    const bytes = await read(offset, length);
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
    const parsed = parseJsonLine(stripByteOrderMark(text, offset === 0));
    if (parsed === undefined) throw fileChangedError(name);
    return parsed;
  };
  for (let from = 0; from < rows.length; from += READS_AT_ONCE) {
    // oxlint-disable-next-line no-await-in-loop -- some at a time
    candidates.push(...(await Promise.all(rows.slice(from, from + READS_AT_ONCE).map(readOne))));
  }
  return candidates;
}

/** The error for a file that changes during a read. */
export const fileChangedError = (name: string): Error =>
  toAssizeError([
    { code: 'ASZ101', message: `cannot read ${name}: it changed while it was read`, hint: 'rank a copy of the file' },
  ]);

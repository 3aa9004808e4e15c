import { parseJsonLine, stripByteOrderMark } from '../input/index.js';
import type { RetainedRow } from '../stream/top-k-collector.js';
import type { LineSpan } from './shards.js';
import { fileChangedError, readUnchanged, type VersionedFile } from './versioned-file.js';

/** Retained rows by column, with the line of each in the file in place of its candidate. Plain data. */
export interface RetainedColumns {
  readonly totals: Float64Array;
  /** Positions in the shard. */
  readonly indexes: Int32Array;
  readonly offsets: Float64Array;
  readonly lengths: Float64Array;
  /** By row; empty where the profile has no ties. */
  readonly keys: readonly (readonly unknown[])[];
}

/** A retained row, and the line of its candidate. */
export interface RetainedLine extends RetainedRow, LineSpan {}

export const toRetainedColumns = (rows: readonly RetainedRow[], spans: readonly LineSpan[]): RetainedColumns => ({
  totals: Float64Array.from(rows, ({ total }) => total),
  indexes: Int32Array.from(rows, ({ index }) => index),
  offsets: Float64Array.from(spans, ({ offset }) => offset),
  lengths: Float64Array.from(spans, ({ length }) => length),
  keys: rows.some(({ keys }) => keys.length > 0) ? rows.map(({ keys }) => keys.map(toCloneable)) : [],
});

/** Ties do not distinguish lists, maps and other objects: null stands for any of them. */
const toCloneable = (key: unknown): unknown => (typeof key === 'object' ? null : key);

/**
 * The rows of a shard with their positions in the file.
 *
 * @param before how many candidates come before the shard
 */
export function* retainedLines(
  { totals, indexes, offsets, lengths, keys }: RetainedColumns,
  before: number,
): Generator<RetainedLine> {
  for (let k = 0; k < totals.length; k++) {
    yield {
      total: totals[k]!,
      index: before + indexes[k]!,
      keys: keys[k] ?? [],
      offset: offsets[k]!,
      length: lengths[k]!,
    };
  }
}

/** Reads the candidates of lines. */
export function readRetained(file: VersionedFile, spans: readonly LineSpan[]): object[] {
  return readUnchanged(file, (read) =>
    spans.map(({ offset, length }) => {
      const candidate = parseJsonLine(stripByteOrderMark(read(offset, length).toString(), offset === 0));
      if (candidate === undefined) throw fileChangedError(file);
      return candidate;
    }),
  );
}

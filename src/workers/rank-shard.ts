import { Failures } from '../engine/failures.js';
import { parseJsonLine, parseJsonLines, stripByteOrderMark } from '../input/index.js';
import { type CollectedPart, Collector } from '../stream/collector.js';
import type { StreamRun } from '../stream/stream-run.js';
import type { RetainedRow } from '../stream/top-k-collector.js';
import { type LineSpan, lineSpansOf, readShardLines, type Shard } from './shards.js';
import { fileChangedError, readUnchanged, type VersionedFile } from './versioned-file.js';

/** A part of a file to be judged, and what is wanted of it. Plain data. */
export interface RankShardTask extends Shard {
  /** How many of its best rows may be among the best of all. */
  readonly count: number;
  /** What those must score at the least: others have done so already. */
  readonly minCompetitiveScore: number;
}

/** Rows that may be selected, by column: where each is in the file, and how it stands. No candidate. */
export interface RetainedColumns {
  readonly totals: Float64Array;
  /** Positions in the part. */
  readonly indexes: Int32Array;
  readonly at: Float64Array;
  readonly lengths: Float64Array;
  /** By row; nothing where the profile has no ties. */
  readonly keys: readonly (readonly unknown[])[];
}

/** What a part of a file came to. Plain data. */
export interface RankShardResult extends CollectedPart {
  /** Whether there is a line that cannot be read: then nothing else is of use. */
  readonly unreadable: boolean;
  readonly retained: RetainedColumns;
}

/** A row, and its line in the part. */
interface RowOfLine extends RetainedRow {
  readonly line: number;
}

/** A row that is held, and where its candidate is. */
export interface RetainedLine extends RetainedRow, LineSpan {}

/** As many as a stream is judged by, so that what is prepared is as large. */
export const ROWS_PER_CHUNK = 1024;

/**
 * Reads, judges and scores a part of a file of JSON Lines.
 *
 * @param before how many candidates come before it, where that is known: for what is said where it fails
 * @param breathe waited for before each part of it, where the thread has other things to do
 */
export async function rankShard(
  run: StreamRun,
  file: VersionedFile,
  { from, to, count, minCompetitiveScore }: RankShardTask,
  before = 0,
  breathe?: () => Promise<void>,
): Promise<RankShardResult> {
  const { bytes, at } = readUnchanged(file, (read) => readShardLines(read, { from, to }, file.size));
  const own: StreamRun = { plan: run.plan, start: run.start, abort: run.abort, failures: new Failures() };
  const gathering = new Collector<RowOfLine>(own, count);
  const parts = parseJsonLines(bytes, at === 0, ROWS_PER_CHUNK, () => false);
  let part = parts.next();
  for (; !part.done; part = parts.next()) {
    const { values, lines } = part.value;
    // oxlint-disable-next-line no-await-in-loop -- between parts, and not before all of them
    await breathe?.();
    // oxlint-disable-next-line no-await-in-loop -- one after another, in memory for one
    await gathering.collect(
      values,
      ({ total, index, keys }, position) => ({ total, index, keys, line: lines[position]! }),
      before,
    );
  }
  const held = gathering.topK.retained().filter(({ total }) => !(total < minCompetitiveScore));
  const spans = lineSpansOf(
    bytes,
    held.map(({ line }) => line),
    at,
  );
  return { ...gathering.collected, unreadable: !part.value, retained: toRetainedColumns(held, spans) };
}

const toRetainedColumns = (rows: readonly RetainedRow[], spans: readonly LineSpan[]): RetainedColumns => ({
  totals: Float64Array.from(rows, ({ total }) => total),
  indexes: Int32Array.from(rows, ({ index }) => index),
  at: Float64Array.from(spans, ({ at }) => at),
  lengths: Float64Array.from(spans, ({ length }) => length),
  keys: rows.some(({ keys }) => keys.length > 0) ? rows.map(({ keys }) => keys.map(toCloneable)) : [],
});

/** Lists, maps and the like are all alike to ties. */
const toCloneable = (key: unknown): unknown => (typeof key === 'object' ? null : key);

/** The rows of a part as they stand in the whole. */
export function* retainedLines(
  { totals, indexes, at, lengths, keys }: RetainedColumns,
  offset: number,
): Generator<RetainedLine> {
  for (let k = 0; k < totals.length; k++) {
    yield { total: totals[k]!, index: offset + indexes[k]!, keys: keys[k] ?? [], at: at[k]!, length: lengths[k]! };
  }
}

/** Reads the candidates of some lines. */
export function readRetained(file: VersionedFile, spans: readonly LineSpan[]): object[] {
  return readUnchanged(file, (read) =>
    spans.map(({ at, length }) => {
      const candidate = parseJsonLine(stripByteOrderMark(read(at, length).toString(), at === 0));
      if (candidate === undefined) throw fileChangedError(file);
      return candidate;
    }),
  );
}

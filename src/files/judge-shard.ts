import { lineRow, lineRows, withoutMark } from '../document/index.js';
import { type Gathered, Gathering } from '../pipeline/stream/gathering.js';
import type { HeldRow } from '../pipeline/stream/sieve.js';
import type { StreamRun } from '../pipeline/stream/stream-run.js';
import { Failures } from '../stages/failures.js';
import { readLines, type Shard, type Span, spansOf } from './shards.js';
import { hasChanged, readWatched, type WatchedFile } from './watched-file.js';

/** A part of a file to be judged, and what is wanted of it. Plain data. */
export interface ShardTask extends Shard {
  /** How many of its best rows may be among the best of all. */
  readonly count: number;
  /** What those must score at the least: others have done so already. */
  readonly floor: number;
}

/** Rows that may be selected, by column: where each is in the file, and how it stands. No candidate. */
export interface HeldColumns {
  readonly totals: Float64Array;
  /** Positions in the part. */
  readonly indexes: Int32Array;
  readonly at: Float64Array;
  readonly lengths: Float64Array;
  /** By row; nothing where the profile has no ties. */
  readonly keys: readonly (readonly unknown[])[];
}

/** What a part of a file came to. Plain data. */
export interface ShardOutcome extends Gathered {
  /** Whether there is a line that cannot be read: then nothing else is of use. */
  readonly wrong: boolean;
  readonly held: HeldColumns;
}

/** A row, and its line in the part. */
interface ReadRow extends HeldRow {
  readonly line: number;
}

/** A row that is held, and where its candidate is. */
export interface HeldLine extends HeldRow, Span {}

/** As many as a stream is judged by, so that what is prepared is as large. */
export const PART = 1024;

/**
 * Reads, judges and scores a part of a file of JSON Lines.
 *
 * @param before how many candidates come before it, where that is known: for what is said where it fails
 * @param breathe waited for before each part of it, where the thread has other things to do
 */
export async function judgeShard(
  run: StreamRun,
  file: WatchedFile,
  { from, to, count, floor }: ShardTask,
  before = 0,
  breathe?: () => Promise<void>,
): Promise<ShardOutcome> {
  const { bytes, at } = readWatched(file, (read) => readLines(read, { from, to }, file.size));
  const own: StreamRun = { plan: run.plan, start: run.start, abort: run.abort, failures: new Failures() };
  const gathering = new Gathering<ReadRow>(own, count);
  const parts = lineRows(bytes, at === 0, PART, () => false);
  let part = parts.next();
  for (; !part.done; part = parts.next()) {
    const { values, lines } = part.value;
    // oxlint-disable-next-line no-await-in-loop -- between parts, and not before all of them
    await breathe?.();
    // oxlint-disable-next-line no-await-in-loop -- one after another, in memory for one
    await gathering.take(
      values,
      ({ total, index, keys }, position) => ({ total, index, keys, line: lines[position]! }),
      before,
    );
  }
  const held = gathering.sieve.list().filter(({ total }) => !(total < floor));
  const spans = spansOf(
    bytes,
    held.map(({ line }) => line),
    at,
  );
  return { ...gathering.gathered, wrong: !part.value, held: columnsOf(held, spans) };
}

const columnsOf = (rows: readonly HeldRow[], spans: readonly Span[]): HeldColumns => ({
  totals: Float64Array.from(rows, ({ total }) => total),
  indexes: Int32Array.from(rows, ({ index }) => index),
  at: Float64Array.from(spans, ({ at }) => at),
  lengths: Float64Array.from(spans, ({ length }) => length),
  keys: rows.some(({ keys }) => keys.length > 0) ? rows.map(({ keys }) => keys.map(sendable)) : [],
});

/** Lists, maps and the like are all alike to ties. */
const sendable = (key: unknown): unknown => (typeof key === 'object' ? null : key);

/** The rows of a part as they stand in the whole. */
export function* heldLines({ totals, indexes, at, lengths, keys }: HeldColumns, offset: number): Generator<HeldLine> {
  for (let k = 0; k < totals.length; k++) {
    yield { total: totals[k]!, index: offset + indexes[k]!, keys: keys[k] ?? [], at: at[k]!, length: lengths[k]! };
  }
}

/** Reads the candidates of some lines. */
export function readHeld(file: WatchedFile, spans: readonly Span[]): object[] {
  return readWatched(file, (read) =>
    spans.map(({ at, length }) => {
      const candidate = lineRow(withoutMark(read(at, length).toString(), at === 0));
      if (candidate === undefined) throw hasChanged(file);
      return candidate;
    }),
  );
}

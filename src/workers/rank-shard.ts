import { Failures } from '../engine/failures.js';
import { parseJsonLines } from '../input/index.js';
import { CHUNK_SIZE } from '../stream/chunks.js';
import { type CollectedPart, Collector } from '../stream/collector.js';
import type { StreamRun } from '../stream/stream-run.js';
import type { RetainedRow } from '../stream/top-k-collector.js';
import { type RetainedColumns, toRetainedColumns } from './retained-lines.js';
import { lineSpansOf, readShardLines, type Shard } from './shards.js';
import { readUnchanged, type VersionedFile } from './versioned-file.js';

/** A shard to be ranked. Plain data. */
export interface RankShardTask extends Shard {
  /** How many of its best rows may be among the best of the file. */
  readonly count: number;
  /** The score below which a row cannot be: earlier shards have `count` better ones. */
  readonly minCompetitiveScore: number;
}

/** What was collected of a shard. Plain data. */
export interface RankShardResult extends CollectedPart {
  /** Whether a line cannot be read: then the rest of the result is incomplete. */
  readonly unreadable: boolean;
  readonly retained: RetainedColumns;
}

/** A retained row, and the number of its line in the shard. */
interface RowOfLine extends RetainedRow {
  readonly line: number;
}

/**
 * Reads and evaluates a shard of a file of JSON Lines.
 *
 * @param before how many candidates come before it, where that is known: for positions in errors
 * @param pause  awaited before each chunk, where the thread has an event loop to run
 */
export async function rankShard(
  run: StreamRun,
  file: VersionedFile,
  { from, to, count, minCompetitiveScore }: RankShardTask,
  before = 0,
  pause?: () => Promise<void>,
): Promise<RankShardResult> {
  const { bytes, offset } = readUnchanged(file, (read) => readShardLines(read, { from, to }, file.size));
  const own: StreamRun = { plan: run.plan, start: run.start, abort: run.abort, failures: new Failures() };
  const collector = new Collector<RowOfLine>(own, count);
  const chunks = parseJsonLines(bytes, offset === 0, CHUNK_SIZE, () => false);
  let chunk = chunks.next();
  for (; !chunk.done; chunk = chunks.next()) {
    const { values, lines } = chunk.value;
    // oxlint-disable-next-line no-await-in-loop -- between chunks
    await pause?.();
    // oxlint-disable-next-line no-await-in-loop -- one after another, in memory for one
    await collector.collect(
      values,
      ({ total, index, keys }, position) => ({ total, index, keys, line: lines[position]! }),
      before,
    );
  }
  const rows = collector.topK.retained().filter(({ total }) => !(total < minCompetitiveScore));
  const spans = lineSpansOf(
    bytes,
    rows.map(({ line }) => line),
    offset,
  );
  return { ...collector.collected, unreadable: !chunk.value, retained: toRetainedColumns(rows, spans) };
}

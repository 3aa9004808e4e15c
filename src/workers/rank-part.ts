import { Failures } from '../engine/failures.js';
import { parseJsonLines } from '../input/index.js';
import { SAMPLE_SIZE } from '../ranking/warnings/absent-paths.js';
import { CHUNK_SIZE } from '../stream/chunks.js';
import { type CollectedPart, Collector } from '../stream/collector.js';
import { chunksOfTable, type ColumnSource } from '../stream/rank-table.js';
import type { StreamRun } from '../stream/stream-run.js';
import type { RetainedRow } from '../stream/top-k-collector.js';
import { type RetainedColumns, toRetainedColumns } from './retained-rows.js';
import { countLines, lineSpansOf, type Shard, type ShardLines } from './shards.js';

/** How a part is ranked. */
export interface RankPartOptions {
  /** How many of its best rows may be among the best of all. */
  readonly count: number;
  /** The score below which a row cannot be: parts before it have `count` better ones. None when not given. */
  readonly minCompetitiveScore?: number;
  /** Whether lines that cannot be read are left out; else the first of them ends the work. */
  readonly skipUnreadable?: boolean;
  /** How many candidates precede it, where that is known: for positions in errors. */
  readonly before?: number;
  /** Awaited before each chunk, where the thread has an event loop to run. */
  readonly pause?: (() => Promise<void>) | undefined;
  readonly chunkSize?: number;
}

/**
 * What is known of some consecutive candidates of a run, but for those that cannot be selected. Plain data; positions
 * count from the first of them. Parts that follow one another are merged by `RankMerge`.
 */
export interface RankPart extends CollectedPart {
  /** How many lines it had. */
  readonly lines: number;
  /** Whether a line cannot be read. */
  readonly unreadable: boolean;
  readonly retained: RetainedColumns;
  /** The first candidates, where a hint about a typo may be searched in them and they cannot be read again. */
  readonly sample: readonly object[];
}

/** A retained row, and its line or position in the part. */
interface LocatedRow extends RetainedRow {
  readonly at: number;
}

/** Evaluates the lines of a shard of JSON Lines. */
export async function rankLines(
  run: StreamRun,
  { bytes, offset }: ShardLines,
  options: RankPartOptions,
): Promise<RankPart> {
  const { chunkSize = CHUNK_SIZE, skipUnreadable = false } = options;
  let unreadable = false;
  const skipLine = (): boolean => {
    unreadable = true;
    return skipUnreadable;
  };
  const chunks = parseJsonLines(bytes, offset === 0, chunkSize, skipLine);
  const { collected, rows } = await collectChunks(run, chunks, options);
  const lines = rows.map(({ at }) => at);
  const retained = toRetainedColumns(rows, lineSpansOf(bytes, lines, offset), []);
  return { ...collected, lines: countLines(bytes), unreadable, retained, sample: [] };
}

/** Evaluates candidates that are objects already. The part holds those of them that may be selected. */
export async function rankRows(
  run: StreamRun,
  candidates: readonly object[],
  options: RankPartOptions,
): Promise<RankPart> {
  const chunks = function* (size = options.chunkSize ?? CHUNK_SIZE): Generator<Chunk> {
    for (let from = 0; from < candidates.length; from += size) {
      const values = candidates.slice(from, from + size);
      yield { values, lines: values.map((_, k) => from + k) };
    }
  };
  const { collected, rows } = await collectChunks(run, chunks(), options);
  const own = rows.map(({ at }) => candidates[at]!);
  const sample = collected.unseen.length > 0 ? candidates.slice(0, SAMPLE_SIZE) : [];
  return { ...collected, lines: 0, unreadable: false, retained: toRetainedColumns(rows, [], own), sample };
}

/**
 * Evaluates rows that are kept by column. The part says where those are that may be selected, and names none: their ids
 * may be in columns that were not read.
 *
 * @param range whole row groups
 */
export async function rankRange(
  run: StreamRun,
  source: ColumnSource,
  range: Shard,
  options: RankPartOptions,
): Promise<RankPart> {
  const chunks = async function* (): AsyncGenerator<Chunk> {
    for await (const values of chunksOfTable(run, source, range)) yield { values, lines: [] };
  };
  const { collected, rows } = await collectChunks(run, chunks(), options);
  return { ...collected, lines: 0, unreadable: false, retained: toRetainedColumns(rows, [], []), sample: [] };
}

/** Some candidates, each with its line or position in the part. */
interface Chunk {
  readonly values: readonly object[];
  /** Empty of rows by column: their positions say where they are. */
  readonly lines: readonly number[];
}

async function collectChunks(run: StreamRun, chunks: Iterable<Chunk> | AsyncIterable<Chunk>, options: RankPartOptions) {
  const { count, minCompetitiveScore = Number.NEGATIVE_INFINITY, before = 0, pause } = options;
  // Every message: which are the first of all is known when parts are merged.
  const own: StreamRun = { plan: run.plan, start: run.start, abort: run.abort, failures: new Failures(Infinity) };
  const collector = new Collector<LocatedRow>(own, count);
  for await (const { values, lines } of chunks) {
    await pause?.();
    await collector.collect(
      values,
      ({ total, index, keys }, position) => ({ total, index, keys, at: lines[position] ?? position }),
      before,
    );
  }
  const rows = collector.topK.retained().filter(({ total }) => !(total < minCompetitiveScore));
  return { collected: collector.collected, rows };
}

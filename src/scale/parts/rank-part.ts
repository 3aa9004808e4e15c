import { Failures } from '../../engine/index.js';
import { isMap } from '../../expression/index.js';
import { parseJsonLines } from '../../data/node.js';
import { SAMPLE_SIZE } from '../../ranking/index.js';
import {
  CHUNK_SIZE,
  retainedCount,
  type StreamRun,
  type CollectedPart,
  Collector,
  type RetainedRow,
  chunksOfTable,
  type ColumnSource,
} from '../../pipeline/index.js';
import { type RetainedColumns, toCloneable, toRetainedColumns } from './retained-rows.js';
import { lineSpansOf, type Shard, type ShardLines } from './shard-lines.js';

/** How a part is ranked. */
export interface RankPartOptions {
  /** Rows with a lower score are not retained, because earlier parts have enough better ones. */
  readonly minCompetitiveScore?: number;
  /** Whether to skip lines that cannot be read. By default the first such line ends the work. */
  readonly skipUnreadable?: boolean;
  /** The number of candidates before the part, for positions in errors; 0 when it is not known. */
  readonly before?: number;
  /** Awaited before each chunk, so that the thread's event loop can run. */
  readonly pause?: (() => Promise<void>) | undefined;
  readonly chunkSize?: number;
  /** The `PartProgress` of an earlier attempt: its candidates are not evaluated again. Another value has no effect. */
  readonly progress?: object | undefined;
  /** Awaited after each chunk. */
  readonly onProgress?: ((progress: PartProgress) => Promise<void> | void) | undefined;
}

/** The first candidates of a part, evaluated. Plain data. */
export interface PartProgress {
  readonly collected: CollectedPart;
  readonly rows: readonly CollectedRow[];
}

/**
 * The result of ranking consecutive candidates of a run: counts, and the rows that may be selected. Plain data. Positions
 * count from the first candidate of the part. `RankMerge` merges parts.
 */
export interface RankPart extends CollectedPart {
  /** The number of lines of the part. */
  readonly lines: number;
  /** Whether the part has a line that cannot be read. */
  readonly unreadable: boolean;
  readonly retained: RetainedColumns;
  /** The first candidates, for hints about typos, if they cannot be read again. */
  readonly sample: readonly object[];
}

/** A retained row, and its line or position in the part. */
interface CollectedRow extends RetainedRow {
  readonly at: number;
}

/** Evaluates the lines of a shard of JSON Lines. */
export async function rankLines(run: StreamRun, shard: ShardLines, options: RankPartOptions): Promise<RankPart> {
  const { bytes, offset, count } = shard;
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
  return { ...collected, lines: count, unreadable, retained, sample: [] };
}

/** Evaluates candidates that are objects. The part contains the candidates that may be selected. */
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
 * Evaluates columnar rows. The part contains the positions of rows that may be selected but not their ids, which may be in
 * columns that were not read.
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

/** Candidates, each with its line or position in the part. */
interface Chunk {
  readonly values: readonly object[];
  /** Empty for columnar rows, which are found by their positions. */
  readonly lines: readonly number[];
}

async function collectChunks(run: StreamRun, chunks: Iterable<Chunk> | AsyncIterable<Chunk>, options: RankPartOptions) {
  const { minCompetitiveScore = Number.NEGATIVE_INFINITY, before = 0, pause, progress, onProgress } = options;
  // Keeps every message: the merge decides which ones are the first of all parts.
  const own: StreamRun = { plan: run.plan, start: run.start, abort: run.abort, failures: new Failures(Infinity) };
  const collector = new Collector<CollectedRow>(own, retainedCount(run.plan));
  let done = 0;
  if (isPartProgress(progress)) {
    collector.merge(progress.collected, progress.rows);
    done = progress.collected.aggregates.given;
  }
  for await (const chunk of chunks) {
    const skipped = Math.min(done, chunk.values.length);
    done -= skipped;
    // Not cut if nothing is skipped: a copy of rows has no columns.
    const values = skipped === 0 ? chunk.values : chunk.values.slice(skipped);
    const lines = skipped === 0 ? chunk.lines : chunk.lines.slice(skipped);
    if (values.length === 0) continue;
    await pause?.();
    await collector.collect(
      values,
      ({ total, index, keys }, position) => ({ total, index, keys, at: lines[position] ?? position }),
      before,
    );
    if (!onProgress) continue;
    const retained = collector.topK.retained().map((row) => ({ ...row, keys: row.keys.map(toCloneable) }));
    // Copied, because the next chunk adds to its failures.
    await onProgress(structuredClone({ collected: collector.collected, rows: retained }));
  }
  const rows = collector.topK.retained().filter(({ total }) => !(total < minCompetitiveScore));
  return { collected: collector.collected, rows };
}

/** Whether a value has the shape of the progress of a part. */
function isPartProgress(value: unknown): value is PartProgress {
  if (!isMap(value) || !isMap(value['collected']) || !Array.isArray(value['rows'])) return false;
  const { aggregates, unseen, failures } = value['collected'];
  return (
    isMap(aggregates) && typeof aggregates['given'] === 'number' && Array.isArray(unseen) && Array.isArray(failures)
  );
}

/** Whether a value has the shape of a part. The numbers of a machine that may write parts are trusted. */
export function isRankPart(value: unknown): value is RankPart {
  if (!isMap(value) || !isMap(value['aggregates']) || !isMap(value['retained'])) return false;
  const { totals, indexes, offsets, lengths, candidates, keys } = value['retained'];
  const lists = [value['unseen'], value['failures'], value['sample'], candidates, keys];
  const columns = [totals, indexes, offsets, lengths];
  return (
    typeof value['lines'] === 'number' &&
    typeof value['unreadable'] === 'boolean' &&
    lists.every(Array.isArray) &&
    columns.every((column) => column instanceof Float64Array)
  );
}

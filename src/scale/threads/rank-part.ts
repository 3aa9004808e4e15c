import { Failures, type Budget } from '../../engine/index.js';
import { parseJsonLine, parseJsonLines, stripByteOrderMark } from '../../data/node.js';
import { SAMPLE_SIZE } from '../../ranking/index.js';
import {
  CHUNK_SIZE,
  retainedCount,
  type StreamRun,
  type CollectedPart,
  Collector,
  type RetainedRow,
  rankCollected,
  chunksOfTable,
  type ColumnSource,
  rankCollectedRows,
  type TopRanking,
} from '../../pipeline/index.js';
import {
  countLines,
  fileChangedError,
  type LineSpan,
  lineSpansOf,
  type ReadBytesAt,
  type Shard,
  type ShardLines,
} from './shards.js';

/** How a part is ranked. */
export interface RankPartOptions {
  /** The number of best rows to retain: so many rows of one part may be among the best of all parts. */
  readonly count: number;
  /** Rows with a lower score are not retained, because earlier parts have `count` better ones. */
  readonly minCompetitiveScore?: number;
  /** Whether to skip lines that cannot be read. By default the first such line ends the work. */
  readonly skipUnreadable?: boolean;
  /** The number of candidates before the part, for positions in errors; 0 when it is not known. */
  readonly before?: number;
  /** Awaited before each chunk, so that the thread's event loop can run. */
  readonly pause?: (() => Promise<void>) | undefined;
  readonly chunkSize?: number;
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
  const { count, minCompetitiveScore = Number.NEGATIVE_INFINITY, before = 0, pause } = options;
  // Keeps every message: the merge decides which ones are the first of all parts.
  const own: StreamRun = { plan: run.plan, start: run.start, abort: run.abort, failures: new Failures(Infinity) };
  const collector = new Collector<CollectedRow>(own, count);
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

/** A merged part that has lines which cannot be read. */
interface UnreadablePart {
  readonly index: number;
  /** The number of lines before the part. */
  readonly linesBefore: number;
}

/** The state of a merge, to resume it elsewhere or later. Plain data. */
export interface RankMergeState {
  /** The index of the first part that is not merged. */
  readonly next: number;
  /** The merged parts as one part. */
  readonly merged: RankPart;
  readonly unreadable: readonly UnreadablePart[];
  /** The parts that wait for an earlier part. */
  readonly waiting: readonly (readonly [index: number, part: RankPart])[];
}

/**
 * Merges the parts of a run. Parts may arrive in any order and more than once; the result does not depend on that. A part
 * waits until all earlier parts are merged. Memory holds the retained rows and the waiting parts.
 */
export class RankMerge {
  readonly #run: StreamRun;
  readonly #collector: Collector<LocatedRow>;
  readonly #waiting = new Map<number, RankPart>();
  readonly #unreadable: UnreadablePart[] = [];
  #sample: readonly object[] = [];
  #lines = 0;
  #next = 0;

  /** @param run not modified; its failures are those that happened before any part */
  constructor(run: StreamRun, state?: RankMergeState) {
    const failures = new Failures();
    this.#run = { plan: run.plan, start: run.start, abort: run.abort, failures };
    this.#collector = new Collector<LocatedRow>(this.#run, retainedCount(run.plan));
    if (!state) {
      failures.addAll(run.failures.entries);
      return;
    }
    this.#add(state.merged);
    this.#next = state.next;
    this.#unreadable.push(...state.unreadable);
    for (const [index, part] of state.waiting) this.#waiting.set(index, part);
  }

  /** The number of merged parts: the index of the first part that is missing. */
  get next(): number {
    return this.#next;
  }

  /** The number of candidates of the merged parts. */
  get given(): number {
    return this.#collector.aggregates.given;
  }

  /** Rows of later parts with a lower score cannot be selected. */
  get minCompetitiveScore(): number {
    return this.#collector.topK.best.minCompetitiveScore;
  }

  /** The merged parts that have unreadable lines. */
  get unreadable(): readonly UnreadablePart[] {
    return this.#unreadable;
  }

  has(index: number): boolean {
    return index < this.#next || this.#waiting.has(index);
  }

  /**
   * Adds a part.
   *
   * @param index its position among the parts, starting at 0
   * @returns false if the part was added before; then nothing changes
   */
  take(index: number, part: RankPart): boolean {
    if (this.has(index)) return false;
    this.#waiting.set(index, part);
    for (let next = this.#waiting.get(this.#next); next; next = this.#waiting.get(this.#next)) {
      this.#waiting.delete(this.#next);
      if (next.unreadable) this.#unreadable.push({ index: this.#next, linesBefore: this.#lines });
      this.#add(next);
      this.#next += 1;
    }
    return true;
  }

  get state(): RankMergeState {
    const { collected, topK } = this.#collector;
    const rows = topK.retained();
    const candidates = rows.flatMap(({ candidate }) => candidate ?? []);
    const retained = toRetainedColumns(rows, candidates.length > 0 ? [] : rows, candidates);
    const merged = { ...collected, lines: this.#lines, unreadable: false, retained, sample: this.#sample };
    return { next: this.#next, merged, unreadable: this.#unreadable, waiting: [...this.#waiting] };
  }

  /** The rows of the merged parts that may be selected, in the order of the candidates. */
  retained(): readonly LocatedRow[] {
    return this.#collector.topK.retained();
  }

  /**
   * The ranking of the merged parts.
   *
   * @param candidates  the candidates of the retained rows
   * @param readSample  reads the first candidates, for hints about typos; called only if a path may be misspelled
   */
  async rank(
    candidates: readonly object[],
    readSample: () => Promise<readonly object[]>,
    budget: Budget | undefined,
    notices: readonly string[] = [],
  ): Promise<TopRanking<object>> {
    const { run, own } = this.#copy();
    if (own.unseen.unseen.length > 0) own.unseen.addSample(this.#sample.length > 0 ? this.#sample : await readSample());
    return rankCollected(run, own, candidates, budget, notices);
  }

  /** Like `rank`, for parts of a table: reads the selected rows and the rows that messages name. */
  async rankRowsOf(source: ColumnSource, budget: Budget | undefined): Promise<TopRanking<object>> {
    const { run, own } = this.#copy();
    return rankCollectedRows(run, own, source, budget);
  }

  /** A copy of the merged state, because ranking adds failures and a sample to it. */
  #copy(): { readonly run: StreamRun; readonly own: Collector<LocatedRow> } {
    const { unseen, topK, aggregates, collected } = this.#collector;
    const failures = new Failures();
    failures.addAll(collected.failures);
    const run = { ...this.#run, failures };
    const own = new Collector<LocatedRow>(run, retainedCount(run.plan));
    own.merge({ aggregates, unseen: unseen.unseen, failures: [] }, topK.retained());
    return { run, own };
  }

  #add(part: RankPart): void {
    this.#collector.merge(part, locatedRows(part.retained, this.given));
    this.#lines += part.lines;
    if (this.#sample.length < SAMPLE_SIZE) this.#sample = [...this.#sample, ...part.sample].slice(0, SAMPLE_SIZE);
  }
}

/** Retained rows as columns, each with its candidate or the candidate's line in the file. Plain data. */
interface RetainedColumns {
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
const toRetainedColumns = (
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
const toCloneable = (key: unknown): unknown => (typeof key === 'object' ? null : key);

/**
 * The rows of a part with their positions among all candidates.
 *
 * @param before the number of candidates before the part
 */
function* locatedRows(
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

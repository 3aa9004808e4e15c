import type { Budget } from '../engine/stages/select/select-plan.js';
import type { InputFormat } from '../input/codecs.js';
import type { OpenTable } from '../input/table/open-table.js';
import type { StreamRun } from '../stream/stream-run.js';
import type { TopRanking } from '../stream/top-ranking.js';
import type { RankMerge } from './rank-merge.js';
import { type RankPart, rankRange } from './rank-part.js';
import type { RankShardTask, SharedFile, ShardPlace } from './shared-file.js';
import { readUnchanged, type VersionedFile } from './versioned-file.js';

/**
 * A file that is kept by column: its shards are rows, of whole groups. Each thread opens it for itself, by what reads it
 * fastest in one thread, and has no more of it in memory than one batch of a shard's columns.
 */
export class TableFile implements SharedFile {
  #table: Promise<OpenTable> | undefined;
  readonly #reads = new Set<Promise<unknown>>();

  constructor(
    private readonly file: VersionedFile,
    private readonly format: InputFormat,
  ) {}

  rankShard(run: StreamRun, { from, to, ...options }: RankShardTask, place?: ShardPlace): Promise<RankPart> {
    return this.#read((table) => rankRange(run, table, { from, to }, { ...options, ...place }));
  }

  rankMerged(merge: RankMerge, budget: Budget | undefined): Promise<TopRanking<object>> {
    return this.#read((table) => merge.rankRowsOf(table, budget));
  }

  close(): void {
    void Promise.allSettled(this.#reads)
      .then(() => this.#table)
      .then((table) => table?.close())
      .catch(() => {}); // one that was not opened has been reported
  }

  /** @throws AssizeError (ASZ101) where the file is not what it was, before or after the work */
  #read<R>(work: (table: OpenTable) => Promise<R>): Promise<R> {
    const result = readUnchanged(this.file, async () => work(await (this.#table ??= this.#open())));
    this.#reads.add(result);
    const ended = (): boolean => this.#reads.delete(result);
    result.then(ended, ended);
    return result;
  }

  async #open(): Promise<OpenTable> {
    const { openTable } = await import('../input/table/open-table.js');
    return openTable(this.file.path, this.format, { name: this.file.name });
  }
}

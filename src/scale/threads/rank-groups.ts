import { resolve } from 'node:path';
import { rowsOf } from '../../data/index.js';
import {
  checkAbsent,
  detectFileFormat,
  type InputFormat,
  isByColumn,
  openTable,
  type OpenTable,
  rowCount,
} from '../../data/node.js';
import { NEVER, overridePlan } from '../../engine/index.js';
import { Pipeline, yieldToEventLoop } from '../../pipeline/index.js';
import type { Progress } from '../../sdk/index.js';
import {
  GroupMerge,
  type GroupPart,
  GroupPartRanker,
  type GroupSource,
  type GroupsRun,
  rankGroupPart,
  type Shard,
  type SharedGroups,
  shardOfLines,
  type ShardResult,
  type ShardRows,
} from '../parts/index.js';
import { planSharding, type ReloadableProfile, runSharded, SHARD_SIZES, type ShardingOptions } from './sharding.js';
import { readUnchanged, unreadableLinesError, type VersionedFile } from './versioned-file.js';

/** The number of shards per thread that may be ahead of the writer. The rows of each are in memory. */
const GROUP_SHARDS_AHEAD = 2;

/** At a boundary, the first rows after a shard are read twice. */
const GROUP_SHARD_SIZES = { ...SHARD_SIZES, rows: 32_768, mostRows: 131_072 };

/** The options of `shareGroups`. */
export interface ShareGroupsOptions {
  readonly workers: number;
  readonly run: GroupsRun;
  /** The columns of a columnar file that are read; undefined for all. */
  readonly fields: ReadonlySet<string> | undefined;
  readonly input?: InputFormat | undefined;
  readonly progress?: Progress | undefined;
  /** Returns the error for paths that have no value in any row. */
  readonly absentError: (paths: readonly string[]) => Promise<unknown>;
  readonly absent?: readonly string[] | undefined;
  /** Called after the last row if the file has no candidates. */
  readonly onEmpty: (format: InputFormat | undefined) => void;
}

/**
 * Ranks the groups of a file in several threads. Yields the groups in the order of the file, and fails as one thread does:
 * after the groups before the failure, with the same positions.
 *
 * @returns if threads cannot share the file, the reason, or undefined if it needs no notice
 */
export async function shareGroups(
  { compiled, ...source }: ReloadableProfile,
  file: string,
  options: ShareGroupsOptions,
  sizes = GROUP_SHARD_SIZES,
): Promise<SharedGroups | { readonly reason: string | undefined }> {
  const { workers, run, fields, progress } = options;
  const plan = overridePlan(compiled.plan, run.overrides);
  const format = options.input ?? (await detectFileFormat(file));
  checkAbsent(options, file, format);
  if (plan.units.memories.store.any) return { reason: 'an entry has a memory, which is updated group by group' };
  const sharding = await planSharding<GroupsRun>({
    ...source,
    folder: resolve('.'),
    plan,
    open: async () => run,
    share: (own) => own,
    file,
    format,
    fields,
    work: 'ranked',
    workers,
    sizes,
    options: {},
  });
  if (!sharding.job) return sharding;
  const pipeline = new Pipeline<object>(compiled);
  return rankHere(pipeline, run, { ...sharding, abort: NEVER, progress }, options);
}

/** The calling thread ranks shards as well, and puts results in the order of the file. */
async function* rankHere(
  pipeline: Pipeline<object>,
  run: GroupsRun,
  sharding: ShardingOptions,
  { absentError, onEmpty }: Pick<ShareGroupsOptions, 'absentError' | 'onEmpty'>,
): SharedGroups {
  const { job } = sharding;
  const file = new GroupRowsFile(job);
  const ranker = await GroupPartRanker.open(pipeline, run);
  const results = runSharded<ShardResult>(sharding, GROUP_SHARDS_AHEAD, {
    taskFor: ({ from, to }) => ({ kind: 'groups', from, to }),
    runHere: async (shard, pause) => ({ shard, part: await file.rankShard(ranker, run.by, shard, pause) }),
    retry: async (shard) => ({ shard, part: undefined }),
  });
  const source: GroupSource = {
    rowsOf: (shard, onUnreadable) => file.rowsOf(shard, onUnreadable),
    unreadableError: () => unreadableLinesError(job.file),
    absentError,
    onEmpty: () => onEmpty(job.format),
  };
  try {
    yield* new GroupMerge(pipeline, run, source).merge(results);
  } finally {
    await file.close();
  }
}

/** One thread's view of a file whose groups several threads rank. */
export class GroupRowsFile {
  #table: Promise<OpenTable> | undefined;

  constructor(
    private readonly job: {
      readonly file: VersionedFile;
      readonly format: InputFormat | undefined;
      readonly fields: ReadonlySet<string> | undefined;
    },
  ) {}

  /** Ranks the whole groups of a shard. */
  rankShard(
    ranker: GroupPartRanker,
    by: string,
    shard: Shard,
    pause: () => Promise<void> = () => yieldToEventLoop(NEVER),
  ): Promise<GroupPart> {
    return rankGroupPart(ranker, by, (onUnreadable) => this.rowsOf(shard, onUnreadable), pause);
  }

  rowsOf(shard: Shard, onUnreadable: () => void): ShardRows {
    const { file, format } = this.job;
    if (isByColumn(format)) return this.#rowsOfTable(format, shard);
    const read = (position: number, length: number): Promise<Uint8Array> =>
      readUnchanged(file, (readAt) => readAt(position, length));
    return shardOfLines(read, shard, file.size, onUnreadable);
  }

  #rowsOfTable(format: InputFormat, shard: Shard): ShardRows {
    const { file, fields } = this.job;
    const open = (): Promise<OpenTable> => {
      this.#table ??= openTable(file.path, format, { name: file.name });
      return readUnchanged(file, () => this.#table!);
    };
    const own = async function* (range: Shard): AsyncGenerator<readonly object[], void> {
      const table = await open();
      for await (const columns of table.batches(fields, range)) yield rowsOf(columns);
    };
    const after = async function* (): AsyncGenerator<readonly object[], void> {
      const total = rowCount(await open());
      for (let from = shard.to, step = FIRST_ROWS_AFTER; from < total; ) {
        const to = Math.min(total, from + step);
        yield* own({ from, to });
        from = to;
        step = Math.min(MOST_ROWS_AFTER, 2 * step);
      }
    };
    return { own: own(shard), after: after(), isFirst: shard.from === 0 };
  }

  async close(): Promise<void> {
    await this.#table?.then(
      (table) => table.close(),
      () => {}, // reported by the read that opened it
    );
  }
}

const FIRST_ROWS_AFTER = 2048;
const MOST_ROWS_AFTER = 131_072;

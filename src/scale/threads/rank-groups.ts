import { resolve } from 'node:path';
import { GroupKeys, rowsOf } from '../../data/index.js';
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
import { type GroupBatch, Pipeline, rankPartitionChunks, yieldToEventLoop } from '../../pipeline/index.js';
import type { Progress } from '../../sdk/index.js';
import {
  contextOfGroups,
  type GroupPart,
  GroupPartRanker,
  type GroupsRun,
  pathsOf,
  type RankedGroup,
  rowsOfWholeGroups,
  type Shard,
  shardOfLines,
  type ShardRows,
  singleGroups,
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

/** Groups that several threads rank: parts, and groups that this thread has ranked again after a failure. */
export type SharedGroups = AsyncGenerator<GroupPart | RankedGroup | GroupBatch, void>;

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
  return new GroupSharing(pipeline, run, { ...sharding, abort: NEVER, progress }, options).rank();
}

/** The work of the calling thread: it ranks shards as well, and puts results in the order of the file. */
class GroupSharing {
  readonly #file: GroupRowsFile;
  readonly #seen = new GroupKeys();
  /** The number of rows before the next part. */
  #before = 0;
  #unreadable = 0;
  #absent: readonly string[];

  constructor(
    private readonly pipeline: Pipeline<object>,
    private readonly run: GroupsRun,
    private readonly sharding: ShardingOptions,
    private readonly options: Pick<ShareGroupsOptions, 'absentError' | 'onEmpty'>,
  ) {
    this.#file = new GroupRowsFile(sharding.job);
    this.#absent = pathsOf(run);
  }

  async *rank(): SharedGroups {
    const { run, sharding } = this;
    const file = this.#file;
    const ranker = await GroupPartRanker.open(this.pipeline, run);
    const results = runSharded<{ readonly shard: Shard; readonly part: GroupPart | undefined }>(
      sharding,
      GROUP_SHARDS_AHEAD,
      {
        taskFor: ({ from, to }) => ({ kind: 'groups', from, to }),
        runHere: async (shard, pause) => ({ shard, part: await file.rankShard(ranker, run.by, shard, pause) }),
        retry: async (shard) => ({ shard, part: undefined }),
      },
    );
    let held: HeldPart | undefined;
    try {
      for await (const { shard, part } of results) {
        if (part) {
          this.#unreadable += part.unreadable;
          this.#absent = this.#absent.filter((path) => part.absent.includes(path));
          const isNothing = part.totals.groups === 0;
          if (this.#unreadable >= MOST_UNREADABLE || (isNothing && !held && this.#isNotLines)) break;
          if (isNothing) continue;
        }
        if (part && !this.#seen.hasAny(part.keys) && held?.keys.hasAny(part.keys) !== true) {
          if (held) yield this.#release(held);
          held = { shard, part, keys: new GroupKeys() };
          held.keys.addAll(part.keys);
        } else {
          yield* this.#rankAgain([...(held ? [held.shard] : []), shard]);
          held = undefined;
        }
      }
      const error = await this.#error(held?.part);
      if (error !== undefined && held) yield* this.#rankAgain([held.shard], error);
      if (error !== undefined) throw error;
      if (held) yield this.#release(held);
    } finally {
      await file.close();
    }
  }

  #release({ part }: HeldPart): GroupPart {
    this.#seen.addAll(part.keys);
    this.#before += part.totals.counts.given;
    return part;
  }

  /** Whether the file is not JSON Lines at all. */
  get #isNotLines(): boolean {
    return this.#unreadable > 0 && this.#before === 0;
  }

  /** The error after the last row. */
  async #error(last: GroupPart | undefined): Promise<unknown> {
    if (this.#unreadable > 0) return unreadableLinesError(this.sharding.job.file);
    if (this.#before === 0 && !last) this.options.onEmpty(this.sharding.job.format);
    else if (this.#absent.length > 0) return this.options.absentError(this.#absent);
    return undefined;
  }

  /**
   * Ranks the groups of adjacent shards in this thread, with their positions in the file.
   *
   * @param error thrown after the last row
   */
  async *#rankAgain(shards: readonly Shard[], error?: unknown): SharedGroups {
    const { by, contexts, overrides, budget, now, output } = this.run;
    const chunks = async function* (this: GroupSharing): AsyncGenerator<readonly object[], void> {
      for (const shard of shards) {
        const rows = this.#file.rowsOf(shard, () => {
          if (shard === shards.at(-1) && error === undefined) this.#unreadable += 1; // the others are counted
        });
        for await (const chunk of rowsOfWholeGroups(rows, by)) {
          yield chunk;
          this.#before += chunk.length;
        }
      }
      if (error !== undefined) throw error;
    };
    const part = { seen: this.#seen, now, before: this.#before, single: singleGroups(output) };
    const options = { ...overrides, by, budget };
    yield* rankPartitionChunks(this.pipeline, chunks.call(this), contextOfGroups(contexts), options, part);
    this.#absent = []; // not known for these rows
  }
}

/**
 * A part that is not yielded before the next one is there. If the first row of the next part cannot be ranked, or lines
 * cannot be read, one thread fails before it ranks the last group.
 */
interface HeldPart {
  readonly shard: Shard;
  readonly part: GroupPart;
  readonly keys: GroupKeys;
}

/** As `MAX_BAD_ROWS` of the readers: then the file probably has another format. */
const MOST_UNREADABLE = 1000;

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
    let unreadable = 0;
    const rows = this.rowsOf(shard, () => (unreadable += 1));
    const chunks = async function* (): AsyncGenerator<readonly object[], void> {
      for await (const chunk of rowsOfWholeGroups(rows, by)) {
        await pause();
        yield chunk;
      }
    };
    return ranker.rank(chunks(), () => unreadable);
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

import { GroupKeys } from '../../data/index.js';
import { type GroupBatch, type Pipeline, rankPartitionChunks } from '../../pipeline/index.js';
import { contextOfGroups } from './group-contexts.js';
import { type GroupPart, type GroupsRun, pathsOf, type RankedGroup, singleGroups } from './group-part.js';
import { rowsOfWholeGroups, type ShardRows } from './group-shard.js';
import type { Shard } from './shard-lines.js';

/** Groups that were ranked elsewhere: parts, and groups that were ranked again here after a failure. */
export type SharedGroups = AsyncGenerator<GroupPart | RankedGroup | GroupBatch, void>;

/** The result of a shard. The part is undefined if ranking it has failed. */
export interface ShardResult {
  readonly shard: Shard;
  readonly part: GroupPart | undefined;
}

/** The file whose groups were ranked elsewhere. */
export interface GroupSource {
  rowsOf(shard: Shard, onUnreadable: () => void): ShardRows;
  /** The error for the lines that cannot be read. */
  unreadableError(): Promise<unknown>;
  /** The error for paths that have no value in any row. */
  absentError(paths: readonly string[]): Promise<unknown>;
  /** Called after the last row if the file has no candidates. */
  onEmpty(): void;
}

/**
 * Puts parts in the order of the file. Yields the groups that one process yields, and fails as it does: after the groups
 * before the failure, with the same positions.
 */
export class GroupMerge {
  readonly #seen = new GroupKeys();
  /** The number of rows before the next part. */
  #before = 0;
  #unreadable = 0;
  #absent: readonly string[];

  constructor(
    private readonly pipeline: Pipeline<object>,
    private readonly run: GroupsRun,
    private readonly source: GroupSource,
  ) {
    this.#absent = pathsOf(run);
  }

  /** @param results in the order of the shards */
  async *merge(results: AsyncIterable<ShardResult>): SharedGroups {
    let held: HeldPart | undefined;
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
    if (this.#unreadable > 0) return this.source.unreadableError();
    if (this.#before === 0 && !last) this.source.onEmpty();
    else if (this.#absent.length > 0) return this.source.absentError(this.#absent);
    return undefined;
  }

  /**
   * Ranks the groups of adjacent shards here, with their positions in the file.
   *
   * @param error thrown after the last row
   */
  async *#rankAgain(shards: readonly Shard[], error?: unknown): SharedGroups {
    const { by, contexts, overrides, budget, now, output } = this.run;
    const chunks = async function* (this: GroupMerge): AsyncGenerator<readonly object[], void> {
      for (const shard of shards) {
        const rows = this.source.rowsOf(shard, () => {
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
 * cannot be read, one process fails before it ranks the last group.
 */
interface HeldPart {
  readonly shard: Shard;
  readonly part: GroupPart;
  readonly keys: GroupKeys;
}

/** As `MAX_BAD_ROWS` of the readers: then the file probably has another format. */
const MOST_UNREADABLE = 1000;

import { setImmediate as nextTurn } from 'node:timers/promises';
import { type PipelineOptions, toAssizeError } from 'assize';
import {
  firstCandidates,
  type GroupPart,
  type GroupSource,
  parseCandidates,
  ProfileGroups,
  rowsOfLines,
  type SharedGroups,
  type ShardLines,
  type ShardResult,
  type ShardRows,
  toError,
} from 'assize/internal';
import { type GroupJob, groupsRunOf } from './group-job.js';
import { type ByteInput, bytesOf, readKnownLines, shownName } from './job-input.js';
import { type BytesOfJob, notAJobError, type PartContent, partsOf, shardOf } from './job.js';
import { PartCollection } from './merge.js';
import type { PartWork } from './rank-work.js';

/** What the caller of a ranking of groups reports after the last row. */
export interface GroupEvents {
  /** Called if the file has no candidates. */
  onEmpty(): void;
  /** The error for paths that have no value in any row. */
  absentError(paths: readonly string[], first: object): Error;
}

/** Ranks the whole groups of a part. */
export class GroupWork implements PartWork {
  private constructor(
    private readonly job: GroupJob,
    private readonly of: BytesOfJob,
    private readonly groups: ProfileGroups,
    private readonly input: ByteInput,
  ) {}

  static async open(job: GroupJob, host: PipelineOptions, input: ByteInput): Promise<GroupWork> {
    const { input: of } = job;
    if (of.kind === 'rows') throw notAJobError('job', 'groups need a file');
    return new GroupWork(job, of, await ProfileGroups.open(job.profile, host, groupsRunOf(job)), input);
  }

  async partial(index: number, rows: readonly object[] | undefined): Promise<PartContent> {
    if (rows)
      throw toAssizeError([
        {
          code: 'ASZ578',
          message: `part ${index} is read from ${shownName(this.of.name)}, but candidates were passed too`,
        },
      ]);
    return {
      groups: await this.groups.rank(
        (onUnreadable) => this.#rowsOf(index, onUnreadable),
        () => nextTurn(),
      ),
    };
  }

  collection(): GroupCollection {
    return new GroupCollection(this.job, (parts, events) =>
      this.groups.merge(this.#source(events), this.#results(parts)),
    );
  }

  /** The lines after a part are read shard by shard, so that each line is checked. */
  #rowsOf(index: number, onUnreadable: () => void): ShardRows {
    const { input, of, job } = this;
    const after = async function* (): AsyncGenerator<ShardLines, void> {
      for (let next = index + 1; next < partsOf(job); next++) yield await readKnownLines(input, of, next);
    };
    return rowsOfLines(() => readKnownLines(input, of, index), after(), index === 0, onUnreadable);
  }

  async *#results(parts: Map<number, GroupPart>): AsyncGenerator<ShardResult, void> {
    for (let index = 0; index < partsOf(this.job); index++) {
      const part = parts.get(index);
      parts.delete(index); // its rows are written now
      yield { shard: shardOf(this.of, index), part };
    }
  }

  #source({ onEmpty, absentError }: GroupEvents): GroupSource {
    const { input, of } = this;
    return {
      rowsOf: ({ from }, onUnreadable) => this.#rowsOf(from / of.shardBytes, onUnreadable),
      async unreadableError() {
        const rows = parseCandidates(bytesOf(input), shownName(of.name), 'jsonl');
        return consume(rows).then(() => undefined, toError);
      },
      async absentError(paths) {
        const [first] = await firstCandidates(bytesOf(input));
        return first && absentError(paths, first);
      },
      onEmpty,
    };
  }
}

async function consume(rows: AsyncIterable<unknown>): Promise<void> {
  for await (const one of rows) void one;
}

/** Collects the ranked groups of all parts, in memory. */
export class GroupCollection extends PartCollection {
  readonly #parts = new Map<number, GroupPart>();

  constructor(
    job: GroupJob,
    private readonly merge: (parts: Map<number, GroupPart>, events: GroupEvents) => SharedGroups,
  ) {
    super(job);
  }

  /**
   * Returns the groups in the order of the file when all parts are there. Ranks failed parts again here: an error then has
   * the position of the row in the file, as on one machine.
   */
  groups(events: GroupEvents): SharedGroups {
    return this.merge(this.#parts, events);
  }

  protected override add(index: number, content: Exclude<PartContent, { readonly failed: string }>): void {
    if (!('groups' in content)) throw notAJobError('part', 'it has no groups');
    this.#parts.set(index, content.groups);
  }

  protected override hasDone(index: number): boolean {
    return this.#parts.has(index);
  }
}

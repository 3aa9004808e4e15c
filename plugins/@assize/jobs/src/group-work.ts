import { setImmediate as nextTurn } from 'node:timers/promises';
import { type PipelineOptions, toAssizeError } from 'assize';
import { isGroupPart, ProfileGroups } from 'assize/internal';
import { type GroupJob, groupsRunOf } from './group-job.js';
import { type ByteInput, bytesOf, readKnownLines, shownName } from './job-input.js';
import { notAJobError, type PartContent, partsOf } from './job.js';
import { PartCollection } from './merge.js';
import type { PartWork } from './rank-work.js';

type GroupPart = Awaited<ReturnType<ProfileGroups['rank']>>;

/** Groups in the order of the file: parts, and groups that were ranked again here after a failure. */
export type SharedGroups = ReturnType<ProfileGroups['merge']>;

/** What the caller of a ranking of groups reports after the last row. */
export type GroupEvents = Parameters<ProfileGroups['merge']>[2];

/** Ranks the whole groups of a part. */
export class GroupWork implements PartWork {
  private constructor(
    private readonly job: GroupJob,
    private readonly groups: ProfileGroups,
    private readonly file: Parameters<ProfileGroups['rank']>[0],
  ) {}

  static async open(job: GroupJob, host: PipelineOptions, input: ByteInput): Promise<GroupWork> {
    const { input: of } = job;
    if (of.kind === 'rows') throw notAJobError('job', 'groups need a file');
    const groups = await ProfileGroups.open(job.profile, host, groupsRunOf(job));
    return new GroupWork(job, groups, {
      name: shownName(of.name),
      parts: partsOf(job),
      lines: (index) => readKnownLines(input, of, index),
      bytes: () => bytesOf(input),
    });
  }

  /** A retry starts the part again. */
  async partial(index: number, rows: readonly object[] | undefined): Promise<PartContent> {
    const { file, groups } = this;
    if (!rows) return { groups: await groups.rank(file, index, () => nextTurn()) };
    const message = `part ${index} is read from ${file.name}, but candidates were passed too`;
    throw toAssizeError([{ code: 'ASZ578', message }]);
  }

  collection(): GroupCollection {
    return new GroupCollection(this.job, (partAt, events) => this.groups.merge(this.file, partAt, events));
  }
}

/** Collects the ranked groups of all parts, in memory. */
export class GroupCollection extends PartCollection {
  readonly #parts = new Map<number, GroupPart>();

  constructor(
    job: GroupJob,
    private readonly merge: (partAt: (index: number) => GroupPart | undefined, events: GroupEvents) => SharedGroups,
  ) {
    super(job);
  }

  /**
   * Returns the groups in the order of the file, once, when all parts are there. Ranks failed parts again here: an error
   * then has the position of the row in the file, as on one machine.
   */
  groups(events: GroupEvents): SharedGroups {
    const partAt = (index: number): GroupPart | undefined => {
      const part = this.#parts.get(index);
      this.#parts.delete(index); // its rows are written now
      return part;
    };
    return this.merge(partAt, events);
  }

  protected override add(index: number, content: Exclude<PartContent, { readonly failed: string }>): void {
    if (!('groups' in content) || !isGroupPart(content.groups)) throw notAJobError('part', 'it has no groups');
    this.#parts.set(index, content.groups);
  }

  protected override hasDone(index: number): boolean {
    return this.#parts.has(index);
  }
}

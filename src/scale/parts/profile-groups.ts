import { toAssizeError } from '../../base/index.js';
import { parseCandidates } from '../../data/node.js';
import { overridePlan } from '../../engine/index.js';
import { Pipeline } from '../../pipeline/index.js';
import { createCompiledProfile, type PipelineOptions } from '../../pipeline/node.js';
import type { ProfileSource } from '../../profile/index.js';
import { GroupMerge, type GroupSource, type SharedGroups, type ShardResult } from './group-merge.js';
import { type GroupPart, GroupPartRanker, type GroupsRun, rankGroupPart } from './group-part.js';
import { rowsOfLines, type ShardRows } from './group-shard.js';
import { firstCandidates, type ShardLines } from './shard-lines.js';

/** A file of JSON Lines whose groups are ranked in parts. The lines of part `index` begin in its shard. */
interface LinesInParts {
  /** In problems. */
  readonly name: string;
  readonly parts: number;
  lines(index: number): Promise<ShardLines>;
  /** The whole file, from its start. */
  bytes(): AsyncIterable<Uint8Array>;
}

/** What the caller of a ranking of groups reports after the last row. */
export interface GroupEvents {
  /** Called if the file has no candidates. */
  onEmpty(): void;
  /**
   * The error for paths that have no value in any row.
   *
   * @param first the first row
   */
  absentError(paths: readonly string[], first: object): Error;
}

/** Ranks groups that are parts of a file on other machines, with a profile that is compiled here. */
export class ProfileGroups {
  private constructor(
    private readonly pipeline: Pipeline<object>,
    private readonly ranker: GroupPartRanker,
    private readonly run: GroupsRun,
  ) {}

  /** @throws AssizeError with every problem of the profile; ASZ518 if an entry has a memory, or an option is invalid */
  static async open(profile: ProfileSource, host: PipelineOptions, run: GroupsRun): Promise<ProfileGroups> {
    const compiled = await createCompiledProfile(profile, host);
    const plan = overridePlan(compiled.plan, run.overrides);
    if (plan.units.memories.store.any)
      throw toAssizeError([
        {
          code: 'ASZ518',
          message: `profile ${plan.profile.name} cannot rank groups on several machines: an entry has a memory, which is updated group by group`,
        },
      ]);
    const pipeline = new Pipeline<object>(compiled);
    return new ProfileGroups(pipeline, await GroupPartRanker.open(pipeline, run), run);
  }

  /**
   * Ranks the whole groups of a part.
   *
   * @param pause awaited between chunks
   */
  rank(file: LinesInParts, index: number, pause: () => Promise<void>): Promise<GroupPart> {
    return rankGroupPart(this.ranker, this.run.by, (onUnreadable) => rowsOf(file, index, onUnreadable), pause);
  }

  /**
   * Puts parts in the order of the file. Ranks the parts here that have failed.
   *
   * @param partAt returns each part once; undefined if it has failed
   */
  merge(file: LinesInParts, partAt: (index: number) => GroupPart | undefined, events: GroupEvents): SharedGroups {
    // A part is a shard of one number.
    const results = async function* (): AsyncGenerator<ShardResult, void> {
      for (let from = 0; from < file.parts; from++) yield { shard: { from, to: from + 1 }, part: partAt(from) };
    };
    const source: GroupSource = {
      rowsOf: ({ from }, onUnreadable) => rowsOf(file, from, onUnreadable),
      async unreadableError() {
        try {
          for await (const rows of parseCandidates(file.bytes(), file.name, 'jsonl')) void rows;
          return undefined;
        } catch (error) {
          return error;
        }
      },
      async absentError(paths) {
        const [first] = await firstCandidates(file.bytes());
        return first && events.absentError(paths, first);
      },
      onEmpty: () => events.onEmpty(),
    };
    return new GroupMerge(this.pipeline, this.run, source).merge(results());
  }
}

function rowsOf(file: LinesInParts, index: number, onUnreadable: () => void): ShardRows {
  const after = async function* (): AsyncGenerator<ShardLines, void> {
    for (let next = index + 1; next < file.parts; next++) yield await file.lines(next);
  };
  return rowsOfLines(() => file.lines(index), after(), index === 0, onUnreadable);
}

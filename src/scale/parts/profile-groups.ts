import { toAssizeError } from '../../base/index.js';
import { overridePlan } from '../../engine/index.js';
import { Pipeline } from '../../pipeline/index.js';
import { createCompiledProfile, type PipelineOptions } from '../../pipeline/node.js';
import type { ProfileSource } from '../../profile/index.js';
import { GroupMerge, type GroupSource, type SharedGroups, type ShardResult } from './group-merge.js';
import { type GroupPart, GroupPartRanker, type GroupsRun, rankGroupPart } from './group-part.js';
import type { ShardRows } from './group-shard.js';

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
   * Ranks the whole groups of a shard.
   *
   * @param open  returns the rows of the shard; calls its argument for each line that cannot be read
   * @param pause awaited between chunks
   */
  rank(open: (onUnreadable: () => void) => ShardRows, pause: () => Promise<void>): Promise<GroupPart> {
    return rankGroupPart(this.ranker, this.run.by, open, pause);
  }

  /** Puts parts in the order of the file. Ranks the parts here that have failed. */
  merge(source: GroupSource, results: AsyncIterable<ShardResult>): SharedGroups {
    return new GroupMerge(this.pipeline, this.run, source).merge(results);
  }
}

/**
 * What threads and jobs share: runs whose parts are ranked elsewhere.
 *
 * @module
 */

export { contextOfGroups, type GroupContexts } from './group-contexts.js';
export { GroupMerge, type GroupSource, type SharedGroups, type ShardResult } from './group-merge.js';
export {
  type GroupPart,
  GroupPartRanker,
  type GroupsOutput,
  type GroupsRun,
  isGroupPart,
  pathsOf,
  type RankedGroup,
  rankGroupPart,
  singleGroups,
  withoutValue,
} from './group-part.js';
export { shardOfLines, type ShardRows } from './group-shard.js';
export { GroupTotals, type TotalsState } from './group-totals.js';
export { RankMerge } from './rank-merge.js';
export { type GroupEvents, ProfileGroups } from './profile-groups.js';
export { ProfileParts, startSharedRun, RunParts } from './profile-parts.js';
export { isRankPart, type RankPart, type RankPartOptions } from './rank-part.js';
export { fileChangedError } from './retained-rows.js';
export { firstCandidates, type ReadBytesAt, type Shard, ShardLines } from './shard-lines.js';
export { type SharedRun, sharedRunOf, wholeCall } from './shared-run.js';

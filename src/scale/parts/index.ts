/**
 * What threads and jobs share: runs whose parts are ranked elsewhere.
 *
 * @module
 */

export { RankMerge } from './rank-merge.js';
export { ProfileParts, startSharedRun, RunParts } from './profile-parts.js';
export { isRankPart, type RankPart, type RankPartOptions } from './rank-part.js';
export { fileChangedError } from './retained-rows.js';
export { firstCandidates, type ReadBytesAt, type Shard, ShardLines } from './shard-lines.js';
export { type SharedRun, sharedRunOf, wholeCall } from './shared-run.js';

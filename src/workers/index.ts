/**
 * Candidates in parts: files in several threads, and what other machines share with them.
 * What other rooms use of this one.
 *
 * @module
 */

export { type RankFileOptions, rankFile } from './rank-file.js';
export type { RankMerge, RankMergeState } from './rank-merge.js';
export type { RankPart } from './rank-part.js';
export { type LocatedRow, readRetained } from './retained-rows.js';
export { RunParts } from './run-parts.js';
export { countLines, type Shard, type ShardLines, readShardLines } from './shards.js';
export { openSharedRun, type SharedRun, sharedRunOf, wholeCall } from './shared-run.js';
export { firstCandidates, type ReadBytesAt } from './versioned-file.js';

/**
 * Ranks and scores candidates in parts: a file in several threads, or parts on several machines.
 *
 * @module
 */

export { type RankFileOptions, rankFile } from './rank-file.js';
export { type RankMerge, type RankMergeState, type RankPart, type LocatedRow, readRetained } from './rank-part.js';
export { RunParts, openSharedRun, type SharedRun, sharedRunOf, wholeCall } from './shared-run.js';
export {
  countLines,
  type Shard,
  type ShardLines,
  readShardLines,
  firstCandidates,
  type ReadBytesAt,
} from './shards.js';

/**
 * What other modules use of `scale/threads`.
 *
 * @module
 */

export { rankFile, type RankFileOptions, rankFileWith } from './rank-file.js';
export { RankMerge, type RankMergeState, type RankPart, readRetained } from './rank-part.js';
export {
  countLines,
  firstCandidates,
  type ReadBytesAt,
  readShardLines,
  type Shard,
  type ShardLines,
} from './shards.js';
export {
  deserializeError,
  openSharedRun,
  RunParts,
  type SerializedError,
  serializeError,
  type SharedRun,
  sharedRunOf,
  wholeCall,
} from './shared-run.js';

import type { Budget } from '../engine/stages/select/select-plan.js';
import type { StreamRun } from '../stream/stream-run.js';
import type { TopRanking } from '../stream/top-ranking.js';
import type { RankMerge } from './rank-merge.js';
import type { RankPart, RankPartOptions } from './rank-part.js';
import type { Shard } from './shards.js';

/** A shard to be ranked. Plain data. */
export interface RankShardTask extends Shard, Required<Pick<RankPartOptions, 'count' | 'minCompetitiveScore'>> {}

/** Where a shard is ranked: what is known of those before it, and whether others wait for the thread. */
export type ShardPlace = Pick<RankPartOptions, 'before' | 'pause'>;

/** A file that threads rank together, as one of them has it. */
export interface SharedFile {
  /** Reads and evaluates a shard, up to a line that cannot be read. */
  rankShard(run: StreamRun, task: RankShardTask, place?: ShardPlace): Promise<RankPart>;
  /** The ranking of all shards, which are merged: reads the candidates that may be selected. */
  rankMerged(merge: RankMerge, budget: Budget | undefined): Promise<TopRanking<object>>;
  /** Closes it, when what is being read of it has ended. */
  close(): void;
}

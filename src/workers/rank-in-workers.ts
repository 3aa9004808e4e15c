import { Collector } from '../stream/collector.js';
import { rankCollected, type StreamRequest } from '../stream/rank-stream.js';
import type { StreamRun } from '../stream/stream-run.js';
import type { TopRanking } from '../stream/top-ranking.js';
import { type RankShardTask, rankShard } from './rank-shard.js';
import { type RetainedLine, readRetained, retainedLines } from './retained-lines.js';
import { runSharded, type ShardingOptions } from './run-sharded.js';
import type { Shard } from './shards.js';
import { readFirstCandidates, unreadableLinesError } from './versioned-file.js';

/** How many shards per thread may be ahead of the merge: the result of one is small. */
const RANK_SHARDS_AHEAD = 64;

/** Ranks a file of JSON Lines in several threads; this one merges their results, and reads the retained candidates. */
export async function rankInWorkers(
  run: StreamRun,
  request: StreamRequest,
  sharding: ShardingOptions,
): Promise<TopRanking<object>> {
  const { file } = sharding.job;
  const { count } = request;
  const collector = new Collector<RetainedLine>(run, count);
  const { topK, unseen } = collector;
  const taskOf = ({ from, to }: Shard): RankShardTask => {
    return { from, to, count, minCompetitiveScore: topK.best.minCompetitiveScore };
  };
  const results = runSharded(sharding, RANK_SHARDS_AHEAD, {
    taskFor: (shard) => ({ kind: 'rank', ...taskOf(shard) }),
    runHere: (shard, pause) => rankShard(run, file, taskOf(shard), 0, pause),
    retry: (shard) => rankShard(run, file, taskOf(shard), collector.aggregates.given),
  });
  for await (const result of results) {
    if (result.unreadable) throw await unreadableLinesError(file);
    collector.merge(result, retainedLines(result.retained, collector.aggregates.given));
  }
  if (unseen.unseen.length > 0) unseen.addSample(await readFirstCandidates(file));
  return rankCollected(run, collector, readRetained(file, topK.retained()), request);
}

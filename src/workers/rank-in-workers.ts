import { createReadStream } from 'node:fs';
import { readRowBatches } from '../input/index.js';
import { Collector } from '../stream/collector.js';
import { rankCollected, type StreamRequest } from '../stream/rank-chunks.js';
import type { StreamRun } from '../stream/stream-run.js';
import type { TopRanking } from '../stream/top-ranking.js';
import { type RankShardTask, type RetainedLine, rankShard, readRetained, retainedLines } from './rank-shard.js';
import { runSharded, type ShardingOptions } from './run-sharded.js';
import type { Shard } from './shards.js';
import { fileChangedError, type VersionedFile } from './versioned-file.js';

/** How many parts may be begun for each thread before the first is done: what comes of a part is small. */
const RANK_SHARDS_AHEAD = 64;

/** Ranks a file of JSON Lines in several threads: this one puts together what they send, and reads what is selected. */
export async function rankInWorkers(
  run: StreamRun,
  what: StreamRequest,
  how: ShardingOptions,
): Promise<TopRanking<object>> {
  const { file } = how.job;
  const { count } = what;
  const gathering = new Collector<RetainedLine>(run, count);
  const { topK, unseen } = gathering;
  const task = ({ from, to }: Shard): RankShardTask => ({
    from,
    to,
    count,
    minCompetitiveScore: topK.best.minCompetitiveScore,
  });
  const outcomes = runSharded(how, RANK_SHARDS_AHEAD, {
    taskFor: (part) => ({ kind: 'judge', ...task(part) }),
    runHere: (part, breathe) => rankShard(run, file, task(part), 0, breathe),
    retry: (part) => rankShard(run, file, task(part), gathering.aggregates.given),
  });
  for await (const outcome of outcomes) {
    if (outcome.unreadable) throw await unreadableLinesError(file);
    gathering.merge(outcome, retainedLines(outcome.retained, gathering.aggregates.given));
  }
  if (unseen.unseen.length > 0) unseen.addSample(await readFirstCandidates(file));
  return rankCollected(run, gathering, readRetained(file, topK.retained()), what);
}

/** The first candidates, for guessing at typos. */
export async function readFirstCandidates(file: VersionedFile): Promise<readonly object[]> {
  for await (const rows of readRowBatches(createReadStream(file.path), file.name, 'jsonl')) {
    if (rows.length > 0) return rows.map(({ value }) => value);
  }
  return [];
}

/** What is wrong with a file is said by who reads it from its beginning, and so knows its lines. */
export async function unreadableLinesError(file: VersionedFile): Promise<unknown> {
  try {
    for await (const rows of readRowBatches(createReadStream(file.path), file.name, 'jsonl')) void rows;
    return fileChangedError(file);
  } catch (error) {
    return error;
  }
}

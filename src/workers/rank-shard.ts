import type { StreamRun } from '../stream/stream-run.js';
import { type RankPart, type RankPartOptions, rankLines } from './rank-part.js';
import { readShardLines, type Shard } from './shards.js';
import { readUnchanged, type VersionedFile } from './versioned-file.js';

/** A shard to be ranked. Plain data. */
export interface RankShardTask extends Shard, Required<Pick<RankPartOptions, 'count' | 'minCompetitiveScore'>> {}

/**
 * Reads and evaluates a shard of a file of JSON Lines, up to a line that cannot be read.
 *
 * @param before how many candidates come before it, where that is known: for positions in errors
 * @param pause  awaited before each chunk, where the thread has an event loop to run
 */
export async function rankShard(
  run: StreamRun,
  file: VersionedFile,
  { from, to, ...options }: RankShardTask,
  before = 0,
  pause?: () => Promise<void>,
): Promise<RankPart> {
  const lines = await readUnchanged(file, (read) => readShardLines(read, { from, to }, file.size));
  return rankLines(run, lines, { ...options, before, pause });
}

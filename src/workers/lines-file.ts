import type { Budget } from '../engine/stages/select/select-plan.js';
import type { StreamRun } from '../stream/stream-run.js';
import type { TopRanking } from '../stream/top-ranking.js';
import type { RankMerge } from './rank-merge.js';
import { rankLines, type RankPart } from './rank-part.js';
import { readRetained } from './retained-rows.js';
import type { RankShardTask, SharedFile, ShardPlace } from './shared-file.js';
import { readShardLines } from './shards.js';
import { readFirstCandidates, readUnchanged, type VersionedFile } from './versioned-file.js';

/** A file of JSON Lines: its shards are bytes. It is open only while one is read. */
export class LinesFile implements SharedFile {
  constructor(private readonly file: VersionedFile) {}

  async rankShard(run: StreamRun, { from, to, ...options }: RankShardTask, place?: ShardPlace): Promise<RankPart> {
    const { file } = this;
    const lines = await readUnchanged(file, (read) => readShardLines(read, { from, to }, file.size));
    return rankLines(run, lines, { ...options, ...place });
  }

  async rankMerged(merge: RankMerge, budget: Budget | undefined): Promise<TopRanking<object>> {
    const { file } = this;
    const candidates = await readUnchanged(file, (read) => readRetained(read, merge.retained(), file.name));
    return merge.rank(candidates, () => readFirstCandidates(file), budget);
  }

  close(): void {}
}

import { createReadStream } from 'node:fs';
import { readRowParts } from '../document/index.js';
import { Gathering } from '../pipeline/stream/gathering.js';
import { rankGathered, type Wanted } from '../pipeline/stream/rank-parts.js';
import type { StreamRun } from '../pipeline/stream/stream-run.js';
import type { TopRanking } from '../pipeline/stream/top-ranking.js';
import type { Progress } from '../services/index.js';
import { hire } from './crew.js';
import type { Fault } from './fault.js';
import { inOrder } from './in-order.js';
import type { Job } from './job.js';
import { type HeldLine, heldLines, judgeShard, readHeld, type ShardOutcome, type ShardTask } from './judge-shard.js';
import { shardsOf } from './shards.js';
import { hasChanged, type WatchedFile } from './watched-file.js';

/** How many parts are on their way for each thread, so that none waits for another's long one. */
const AHEAD = 4;

/** How the threads are told to do it. */
interface How {
  readonly job: Job;
  readonly workers: number;
  readonly shard: number;
  readonly abort: AbortSignal;
  readonly progress: Progress | undefined;
}

/** Ranks a file of JSON Lines in several threads: this one puts together what they send, and reads what is selected. */
export async function rankInThreads(run: StreamRun, what: Wanted, how: How): Promise<TopRanking<object>> {
  const { file } = how.job;
  const gathering = new Gathering<HeldLine>(run, what.count);
  await gather(run, gathering, what.count, how);
  const { sieve, unseen } = gathering;
  if (unseen.unseen.length > 0) unseen.sample(await firstOf(file));
  return rankGathered(run, gathering, readHeld(file, sieve.list()), what);
}

async function gather(
  run: StreamRun,
  gathering: Gathering<HeldLine>,
  count: number,
  { job, workers, shard, abort, progress }: How,
): Promise<void> {
  const { file } = job;
  const { best } = gathering.sieve;
  const crew = await hire<ShardTask, { outcome: ShardOutcome } | { fault: Fault }>(workers, job, abort);
  try {
    const answers = inOrder(
      shardsOf(file.size, shard),
      ({ from, to }) => crew.work({ from, to, count, floor: best.floor }),
      workers * AHEAD,
    );
    for await (const [{ from, to }, answer] of answers) {
      const before = gathering.census.given;
      // What failed in a thread fails here as well, and says which candidate of all it was.
      const outcome =
        'fault' in answer
          ? await judgeShard(run, file, { from, to, count, floor: best.floor }, before)
          : answer.outcome;
      if (outcome.wrong) throw await wrongLines(file);
      gathering.join(outcome, heldLines(outcome.held, before));
      progress?.({ task: `reading ${file.name}`, unit: 'bytes', done: to, total: file.size });
    }
  } finally {
    await crew.end();
  }
}

/** The first candidates, for guessing at typos. */
async function firstOf(file: WatchedFile): Promise<readonly object[]> {
  for await (const rows of readRowParts(createReadStream(file.path), file.name, 'jsonl')) {
    if (rows.length > 0) return rows.map(({ value }) => value);
  }
  return [];
}

/** What is wrong with a file is said by who reads it from its beginning, and so knows its lines. */
async function wrongLines(file: WatchedFile): Promise<unknown> {
  try {
    for await (const rows of readRowParts(createReadStream(file.path), file.name, 'jsonl')) void rows;
    return hasChanged(file);
  } catch (error) {
    return error;
  }
}

import { createReadStream } from 'node:fs';
import { readRowParts } from '../document/index.js';
import { joined, NOBODY, shifted } from '../pipeline/stream/census.js';
import { rankHeld } from '../pipeline/stream/hold.js';
import type { Wanted } from '../pipeline/stream/rank-parts.js';
import { Sieve } from '../pipeline/stream/sieve.js';
import { type StreamRun, telling } from '../pipeline/stream/stream-run.js';
import { topOfStream } from '../pipeline/stream/top-of-stream.js';
import type { TopRanking } from '../pipeline/stream/top-ranking.js';
import { UnseenPaths } from '../pipeline/warnings/absent-paths.js';
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
export async function rankInThreads<T>(
  run: StreamRun,
  { count, top, budget }: Wanted,
  { job, workers, shard, abort, progress }: How,
): Promise<TopRanking<T>> {
  const { plan } = run;
  const { file } = job;
  const sieve = new Sieve<HeldLine>(plan, count);
  const unseen = new UnseenPaths(plan.profile);
  let census = NOBODY;
  const crew = await hire<ShardTask, { outcome: ShardOutcome } | { fault: Fault }>(workers, job, abort);
  try {
    const judged = inOrder(
      shardsOf(file.size, shard),
      ({ from, to }) => crew.work({ from, to, count, floor: sieve.best.floor }),
      workers * AHEAD,
    );
    for await (const [{ from, to }, answer] of judged) {
      const offset = census.given;
      // What failed in a thread fails here as well, and says which candidate of all it was.
      const outcome =
        'fault' in answer
          ? await judgeShard(run, file, { from, to, count, floor: sieve.best.floor }, offset)
          : answer.outcome;
      if (outcome.wrong) throw await wrongLines(file);
      for (const row of heldLines(outcome.held, offset)) sieve.add(row);
      unseen.meet(outcome.unseen);
      run.failures.addAll(outcome.degraded);
      census = joined(census, shifted(outcome.census, offset));
      progress?.({ task: `reading ${file.name}`, unit: 'bytes', done: to, total: file.size });
    }
  } finally {
    await crew.end();
  }
  const lines = sieve.list();
  if (unseen.unseen.length > 0) unseen.sample(await firstOf(file));
  const places = lines.map(({ index }) => index);
  const candidates = readHeld(file, lines);
  const held = await telling(run, [], 0, () => rankHeld(run, candidates, budget));
  return topOfStream<T>(plan, { census, held, places, absent: unseen.warnings(), top });
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

import { createReadStream } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { readRowParts } from '../document/index.js';
import { Gathering } from '../pipeline/stream/gathering.js';
import { rankGathered, type Wanted } from '../pipeline/stream/rank-parts.js';
import type { StreamRun } from '../pipeline/stream/stream-run.js';
import type { TopRanking } from '../pipeline/stream/top-ranking.js';
import type { Progress } from '../services/index.js';
import { hire } from './crew.js';
import { faultOf } from './fault.js';
import { type Hand, inOrder } from './in-order.js';
import type { Job } from './job.js';
import { type HeldLine, heldLines, judgeShard, readHeld, type ShardTask } from './judge-shard.js';
import { type Shard, shardsOf } from './shards.js';
import type { Answer } from './tasks.js';
import { hasChanged, type WatchedFile } from './watched-file.js';

/** How many parts may be begun for each thread before the first is done: what comes of a part is small. */
const AHEAD = 64;

/** How the threads are told to do it. */
export interface How {
  readonly job: Job;
  /** How many, this one among them. */
  readonly workers: number;
  /** How many bytes of the file a part has. */
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
  const task = ({ from, to }: Shard): ShardTask => ({ from, to, count, floor: best.floor });
  const breathe = async (): Promise<void> => {
    await turn();
    abort.throwIfAborted();
  };
  const here: Hand<Shard, Answer> = async (part) => {
    try {
      return { kind: 'judged', outcome: await judgeShard(run, file, task(part), 0, breathe) };
    } catch (error) {
      abort.throwIfAborted();
      return { kind: 'failed', fault: faultOf(error) };
    }
  };
  const crew = await hire(workers - 1, job, abort);
  try {
    // A pipeline takes its time to load: this thread has one, and begins.
    const recruit = async (join: (hand: Hand<Shard, Answer>) => void): Promise<void> => {
      join(here);
      await crew.join((work) => join((part) => work({ kind: 'judge', ...task(part) })));
    };
    for await (const [part, answer] of inOrder(shardsOf(file.size, shard), recruit, workers * AHEAD)) {
      const before = gathering.census.given;
      // What failed in a thread fails here as well, and says which candidate of all it was.
      const outcome = answer.kind === 'judged' ? answer.outcome : await judgeShard(run, file, task(part), before);
      if (outcome.wrong) throw await wrongLines(file);
      gathering.join(outcome, heldLines(outcome.held, before));
      progress?.({ task: `reading ${file.name}`, unit: 'bytes', done: part.to, total: file.size });
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

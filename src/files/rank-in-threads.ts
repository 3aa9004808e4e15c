import { createReadStream } from 'node:fs';
import { readRowParts } from '../document/index.js';
import { Gathering } from '../pipeline/stream/gathering.js';
import { rankGathered, type Wanted } from '../pipeline/stream/rank-parts.js';
import type { StreamRun } from '../pipeline/stream/stream-run.js';
import type { TopRanking } from '../pipeline/stream/top-ranking.js';
import { type HeldLine, heldLines, judgeShard, readHeld, type ShardTask } from './judge-shard.js';
import type { Shard } from './shards.js';
import { type How, shareOut } from './share-out.js';
import { hasChanged, type WatchedFile } from './watched-file.js';

/** How many parts may be begun for each thread before the first is done: what comes of a part is small. */
const AHEAD = 64;

/** Ranks a file of JSON Lines in several threads: this one puts together what they send, and reads what is selected. */
export async function rankInThreads(run: StreamRun, what: Wanted, how: How): Promise<TopRanking<object>> {
  const { file } = how.job;
  const { count } = what;
  const gathering = new Gathering<HeldLine>(run, count);
  const { sieve, unseen } = gathering;
  const task = ({ from, to }: Shard): ShardTask => ({ from, to, count, floor: sieve.best.floor });
  const outcomes = shareOut(how, AHEAD, {
    task: (part) => ({ kind: 'judge', ...task(part) }),
    here: (part, breathe) => judgeShard(run, file, task(part), 0, breathe),
    again: (part) => judgeShard(run, file, task(part), gathering.census.given),
  });
  for await (const outcome of outcomes) {
    if (outcome.wrong) throw await wrongLines(file);
    gathering.join(outcome, heldLines(outcome.held, gathering.census.given));
  }
  if (unseen.unseen.length > 0) unseen.sample(await firstOf(file));
  return rankGathered(run, gathering, readHeld(file, sieve.list()), what);
}

/** The first candidates, for guessing at typos. */
export async function firstOf(file: WatchedFile): Promise<readonly object[]> {
  for await (const rows of readRowParts(createReadStream(file.path), file.name, 'jsonl')) {
    if (rows.length > 0) return rows.map(({ value }) => value);
  }
  return [];
}

/** What is wrong with a file is said by who reads it from its beginning, and so knows its lines. */
export async function wrongLines(file: WatchedFile): Promise<unknown> {
  try {
    for await (const rows of readRowParts(createReadStream(file.path), file.name, 'jsonl')) void rows;
    return hasChanged(file);
  } catch (error) {
    return error;
  }
}

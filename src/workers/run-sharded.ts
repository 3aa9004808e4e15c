import { setImmediate as turn } from 'node:timers/promises';
import type { Progress } from '../services/index.js';
import { type ItemWorker, mapInOrder } from './map-in-order.js';
import { serializeError } from './serialized-error.js';
import { cutIntoShards, type Shard } from './shards.js';
import type { WorkerJob } from './worker-job.js';
import type { WorkerReply, WorkerTask } from './worker-messages.js';
import { startWorkerPool } from './worker-pool.js';

/** How threads share a file. */
export interface ShardingOptions {
  readonly job: WorkerJob;
  /** How many, this one among them. */
  readonly workers: number;
  /** How many bytes of the file a part has. */
  readonly shard: number;
  readonly abort: AbortSignal;
  readonly progress: Progress | undefined;
}

/** What is done with a part. */
interface ShardWork<R> {
  /** What another thread is told. */
  taskFor(part: Shard): WorkerTask;
  /** The same in this thread, which has other things to do between its parts. */
  runHere(part: Shard, breathe: () => Promise<void>): Promise<R>;
  /** Once more, when it is its turn: what failed fails here as well, and says which candidate of all it was. */
  retry(part: Shard): Promise<R>;
}

/**
 * Has several threads do the same with each part of a file. What comes of them comes in order.
 *
 * @param ahead how many parts may be begun for each thread before what came of the first is taken
 */
export async function* runSharded<R>(
  { job, workers, shard, abort, progress }: ShardingOptions,
  ahead: number,
  doing: ShardWork<R>,
): AsyncGenerator<R, void> {
  const { file } = job;
  const breathe = async (): Promise<void> => {
    await turn();
    abort.throwIfAborted();
  };
  const here: ItemWorker<Shard, WorkerReply<R>> = async (part) => {
    try {
      return { kind: 'done', outcome: await doing.runHere(part, breathe) };
    } catch (error) {
      abort.throwIfAborted();
      return { kind: 'failed', fault: serializeError(error) };
    }
  };
  const crew = await startWorkerPool<R>(workers - 1, job, abort);
  try {
    // A pipeline takes its time to load: this thread has one, and begins.
    const recruit = async (join: (hand: ItemWorker<Shard, WorkerReply<R>>) => void): Promise<void> => {
      join(here);
      await crew.open((work) => join((part) => work(doing.taskFor(part))));
    };
    for await (const [part, answer] of mapInOrder(cutIntoShards(file.size, shard), recruit, workers * ahead)) {
      yield answer.kind === 'done' ? answer.outcome : await doing.retry(part);
      progress?.({ task: `reading ${file.name}`, unit: 'bytes', done: part.to, total: file.size });
    }
  } finally {
    await crew.close();
  }
}

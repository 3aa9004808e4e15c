import { setTimeout } from 'node:timers/promises';
import type { Progress } from '../contract/progress.js';
import { yieldToEventLoop } from '../stream/chunks.js';
import { type ItemWorker, mapInOrder } from './map-in-order.js';
import type { CutFile } from './cut-file.js';
import type { Shard } from './shards.js';
import { serializeError, type WorkerJob, type WorkerReply, type WorkerTask } from './worker-messages.js';
import { startWorkerPool, type WorkerPool } from './worker-pool.js';

/** How threads share a file. */
export interface ShardingOptions {
  readonly job: WorkerJob;
  readonly cut: CutFile;
  readonly abort: AbortSignal;
  readonly progress: Progress | undefined;
}

/** The work on one shard. */
interface ShardWork<R> {
  /** The task for another thread. */
  taskFor(shard: Shard): WorkerTask;
  /** The same work in this thread, which is to call `pause` between chunks. */
  runHere(shard: Shard, pause: () => Promise<void>): Promise<R>;
  /**
   * The same work again in this thread, after a failure, when all earlier shards are done: it fails again, with the
   * position of the candidate in the file.
   */
  retry(shard: Shard): Promise<R>;
}

/**
 * Does the same work on each shard of a file in several threads. Results are yielded in the order of the shards.
 *
 * @param ahead how many shards per thread may be pending or done before the first of them is yielded
 */
export async function* runSharded<R>(
  { job, cut, abort, progress }: ShardingOptions,
  ahead: number,
  work: ShardWork<R>,
): AsyncGenerator<R, void> {
  const ended = new AbortController();
  const signal = AbortSignal.any([abort, ended.signal]);
  const runHere: ItemWorker<Shard, WorkerReply<R>> = async (shard) => {
    try {
      return { kind: 'done', result: await work.runHere(shard, () => yieldToEventLoop(signal)) };
    } catch (error) {
      abort.throwIfAborted();
      return { kind: 'failed', error: serializeError(error) };
    }
  };
  let starting: Promise<WorkerPool<R>> | undefined;
  try {
    // This thread has a pipeline, and begins while the others are loading theirs.
    const startWorkers = async (addWorker: (worker: ItemWorker<Shard, WorkerReply<R>>) => void): Promise<void> => {
      addWorker(runHere);
      if (cut.aloneMs > 0) await setTimeout(cut.aloneMs, undefined, { signal: ended.signal });
      starting = startWorkerPool<R>(cut.workers - 1, job, signal);
      const pool = await starting;
      await pool.open((runTask) => addWorker((shard) => runTask(work.taskFor(shard))));
    };
    for await (const [shard, reply] of mapInOrder(cut.shards, startWorkers, cut.workers * ahead)) {
      yield reply.kind === 'done' ? reply.result : await work.retry(shard);
      progress?.({ task: `reading ${job.file.name}`, unit: cut.unit, done: shard.to, total: cut.total });
    }
  } finally {
    ended.abort();
    const pool = await starting?.catch(() => undefined);
    await pool?.close();
  }
}

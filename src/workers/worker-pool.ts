import { join } from 'node:path';
import { toAssizeError } from '../diagnostics/format.js';
import { causeOf } from '../engine/failures.js';
import { untilAborted } from '../engine/tasks.js';
import { packageRoot } from '../input/package-root.js';
import { deserializeError, type WorkerJob, type WorkerReply, type WorkerTask } from './worker-messages.js';

/** Runs a task in a thread. */
type RunTask<R> = (task: WorkerTask) => Promise<WorkerReply<R>>;

/** Threads that share a job. */
export interface WorkerPool<R> {
  /**
   * Adds each thread as a worker when it is ready: twice, so that its next task is queued while this thread is busy.
   *
   * @throws AssizeError where one cannot make its pipeline, or ends before its work is done (ASZ519)
   */
  open(addWorker: (runTask: RunTask<R>) => void): Promise<void>;
  /** Terminates all threads, done or not. */
  close(): Promise<void>;
}

/** The published bundle, also when run from the sources: a thread runs JavaScript, and starts faster from few files. */
const workerEntryFile = (): string => join(packageRoot(), 'dist', 'bundle', 'worker.js');

/** Starts threads. piscina is imported here, so that a process without threads never loads it. */
export async function startWorkerPool<R>(count: number, job: WorkerJob, abort: AbortSignal): Promise<WorkerPool<R>> {
  const { Piscina } = await import('piscina');
  abort.throwIfAborted();
  const pool = new Piscina<WorkerTask, WorkerReply<R>>({
    filename: workerEntryFile(),
    minThreads: count,
    maxThreads: count,
    workerData: job,
    atomics: 'disabled', // Atomics.wait between tasks would block what a unit awaits
    recordTiming: false,
    concurrentTasksPerWorker: 2, // the next task is queued in the thread, however busy this one is
  });
  const broken = new Promise<never>((_, reject) => void pool.on('error', reject));
  broken.catch(() => {}); // thrown by the pending task
  const runTask: RunTask<R> = async (task) => {
    try {
      return await untilAborted(Promise.race([pool.run(task), broken]), abort);
    } catch (error) {
      abort.throwIfAborted();
      throw workerLostError(error);
    }
  };
  const openWorker = async (addWorker: (runTask: RunTask<R>) => void): Promise<void> => {
    const reply = await runTask({ kind: 'open' });
    if (reply.kind === 'failed') throw deserializeError(reply.error);
    addWorker(runTask);
    addWorker(runTask);
  };
  return {
    async open(addWorker) {
      await Promise.all(Array.from({ length: count }, () => openWorker(addWorker)));
    },
    close: () => pool.destroy(),
  };
}

const workerLostError = (error: unknown): Error =>
  toAssizeError(
    [
      {
        code: 'ASZ519',
        message: `a worker thread ended before its work was done: ${causeOf(error)}`,
        hint: 'one thread alone may say more: workers: 1',
      },
    ],
    { cause: error },
  );

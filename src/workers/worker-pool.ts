import { join } from 'node:path';
import { toAssizeError } from '../diagnostics/to-assize-error.js';
import { causeOf } from '../engine/failures.js';
import { untilAborted } from '../engine/limits.js';
import { packageRoot } from '../profile/presets.js';
import { deserializeError } from './serialized-error.js';
import type { WorkerJob } from './worker-job.js';
import type { WorkerReply, WorkerTask } from './worker-messages.js';

/** Has a thread do a task. */
type RunTask<R> = (task: WorkerTask) => Promise<WorkerReply<R>>;

/** Some threads that work on the same job. */
export interface WorkerPool<R> {
  /**
   * Hands over each as it becomes ready, twice: so that it has its next task while who sends them is busy.
   *
   * @throws AssizeError where one cannot make its pipeline, or ends before its work is done (ASZ519)
   */
  open(hand: (work: RunTask<R>) => void): Promise<void>;
  /** Ends all of them, done or not. */
  close(): Promise<void>;
}

/** What is published, of the sources too: a thread runs JavaScript, and it starts sooner from few files. */
const workerEntryFile = (): string => join(packageRoot(), 'dist', 'bundle', 'worker.js');

/** Starts so many threads. The pool is loaded by who has use for one. */
export async function startWorkerPool<R>(count: number, job: WorkerJob, abort: AbortSignal): Promise<WorkerPool<R>> {
  const { Piscina } = await import('piscina');
  abort.throwIfAborted();
  const pool = new Piscina<WorkerTask, WorkerReply<R>>({
    filename: workerEntryFile(),
    minThreads: count,
    maxThreads: count,
    workerData: job,
    atomics: 'disabled', // a unit may wait for something while its thread waits for a task
    recordTiming: false,
    concurrentTasksPerWorker: 2, // its next task is with it when it is done, however busy the thread that sends them
  });
  const broken = new Promise<never>((_, reject) => void pool.on('error', reject));
  broken.catch(() => {}); // said by the task that is waited for
  const work: RunTask<R> = async (task) => {
    try {
      return await untilAborted(Promise.race([pool.run(task), broken]), abort);
    } catch (error) {
      abort.throwIfAborted();
      throw workerLostError(error);
    }
  };
  const ready = async (hand: (work: RunTask<R>) => void): Promise<void> => {
    const answer = await work({ kind: 'open' });
    if (answer.kind === 'failed') throw deserializeError(answer.fault);
    hand(work);
    hand(work);
  };
  return {
    async open(hand) {
      await Promise.all(Array.from({ length: count }, () => ready(hand)));
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

import { join } from 'node:path';
import { failure } from '../document/index.js';
import { packageRoot } from '../profile/presets.js';
import { causeOf } from '../stages/failures.js';
import { untilAborted } from '../stages/limits.js';
import { errorOf } from './fault.js';
import type { Job } from './job.js';
import type { Answer, Task } from './tasks.js';

/** Has a thread do a task. */
type Work<R> = (task: Task) => Promise<Answer<R>>;

/** Some threads that work on the same job. */
export interface Crew<R> {
  /**
   * Hands over each as it becomes ready, twice: so that it has its next task while who sends them is busy.
   *
   * @throws AssizeError where one cannot make its pipeline, or ends before its work is done (ASZ519)
   */
  join(hand: (work: Work<R>) => void): Promise<void>;
  /** Ends all of them, done or not. */
  end(): Promise<void>;
}

/** What is published, of the sources too: a thread runs JavaScript, and it starts sooner from few files. */
const workerFile = (): string => join(packageRoot(), 'dist', 'bundle', 'worker.js');

/** Starts so many threads. The pool is loaded by who has use for one. */
export async function hire<R>(count: number, job: Job, abort: AbortSignal): Promise<Crew<R>> {
  const { Piscina } = await import('piscina');
  abort.throwIfAborted();
  const pool = new Piscina<Task, Answer<R>>({
    filename: workerFile(),
    minThreads: count,
    maxThreads: count,
    workerData: job,
    atomics: 'disabled', // a unit may wait for something while its thread waits for a task
    recordTiming: false,
    concurrentTasksPerWorker: 2, // its next task is with it when it is done, however busy the thread that sends them
  });
  const broken = new Promise<never>((_, reject) => void pool.on('error', reject));
  broken.catch(() => {}); // said by the task that is waited for
  const work: Work<R> = async (task) => {
    try {
      return await untilAborted(Promise.race([pool.run(task), broken]), abort);
    } catch (error) {
      abort.throwIfAborted();
      throw lost(error);
    }
  };
  const ready = async (hand: (work: Work<R>) => void): Promise<void> => {
    const answer = await work({ kind: 'open' });
    if (answer.kind === 'failed') throw errorOf(answer.fault);
    hand(work);
    hand(work);
  };
  return {
    async join(hand) {
      await Promise.all(Array.from({ length: count }, () => ready(hand)));
    },
    end: () => pool.destroy(),
  };
}

const lost = (error: unknown): Error =>
  failure(
    [
      {
        code: 'ASZ519',
        message: `a worker thread ended before its work was done: ${causeOf(error)}`,
        hint: 'one thread alone may say more: workers: 1',
      },
    ],
    { cause: error },
  );

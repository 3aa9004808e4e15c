import { fileURLToPath } from 'node:url';
import { failure } from '../document/index.js';
import { untilAborted } from '../stages/limits.js';
import { causeOf } from '../stages/failures.js';
import type { Job } from './job.js';

/** Some threads that do the same. */
export interface Crew<T, R> {
  /**
   * Has one of them do a task, in its turn.
   *
   * @throws AssizeError (ASZ519) where the thread ends before it is done, and why the run is stopped where it is
   */
  work(task: T): Promise<R>;
  /** Ends all of them, done or not. */
  end(): Promise<void>;
}

/** Of the sources the build's, because a thread runs JavaScript. */
const workerFile = (): string =>
  fileURLToPath(
    new URL(import.meta.url.endsWith('.ts') ? '../../dist/src/files/worker.js' : './worker.js', import.meta.url),
  );

/** Starts so many threads. The pool is loaded by who has use for one. */
export async function hire<T, R>(workers: number, job: Job, abort: AbortSignal): Promise<Crew<T, R>> {
  const { Piscina } = await import('piscina');
  abort.throwIfAborted();
  const pool = new Piscina<T, R>({
    filename: workerFile(),
    minThreads: workers,
    maxThreads: workers,
    workerData: job,
    atomics: 'disabled', // a unit may wait for something while its thread waits for a task
    recordTiming: false,
  });
  let ended = false;
  const broken = new Promise<never>((_, reject) => void pool.on('error', reject));
  broken.catch(() => {}); // said by the task that is waited for
  return {
    async work(task) {
      try {
        return await untilAborted(Promise.race([pool.run(task), broken]), abort);
      } catch (error) {
        if (ended || abort.aborted) throw error;
        throw lost(error);
      }
    },
    async end() {
      ended = true;
      await pool.destroy();
    },
  };
}

const lost = (error: unknown): Error =>
  failure(
    [
      {
        code: 'ASZ519',
        message: `a worker thread ended before its work was done: ${causeOf(error)}`,
        hint: 'in one thread it may say more: workers: 1',
      },
    ],
    { cause: error },
  );

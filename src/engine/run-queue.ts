import { untilAborted } from './limits.js';
import { isTask, type MaybeAsync, runAsync } from './task.js';

/** Runs that share a memory queue, so that each begins with the memory that the one before it left. */
export class RunQueue {
  /** The last run that had to wait; undefined when it has ended. */
  #last: Promise<unknown> | undefined;
  /** Whether a run is being started: one that is enqueued from inside it comes after it. */
  #beginning = false;

  /** Whether a run is under way, or waits for its turn. */
  get isBusy(): boolean {
    return this.#beginning || this.#last !== undefined;
  }

  /** Runs after all that were enqueued before. An abort rejects without waiting for the turn. */
  enqueue<R>(run: () => MaybeAsync<R>, abort: AbortSignal): R | Promise<R> {
    if (this.#beginning) return Promise.resolve().then(() => this.enqueue(run, abort));
    if (this.#last)
      return this.#waiting(
        this.#last.then(() => runAsync(this.#begin(run))),
        abort,
      );
    const result = this.#begin(run);
    return isTask(result) ? this.#waiting(runAsync(result), abort) : result;
  }

  #begin<R>(run: () => MaybeAsync<R>): MaybeAsync<R> {
    this.#beginning = true;
    try {
      return run();
    } finally {
      this.#beginning = false;
    }
  }

  #waiting<R>(turn: Promise<R>, abort: AbortSignal): Promise<R> {
    const over = (): void => {
      if (this.#last === last) this.#last = undefined;
    };
    const last = turn.then(over, over); // a failure is for its caller
    this.#last = last;
    return untilAborted(turn, abort);
  }
}

import { untilAborted } from './limits.js';
import { isTask, type MaybeAsync, runAsync } from './task.js';

/** Runs that share a memory take turns, so that each learns after the one that was asked before it. */
export class RunQueue {
  /** The last run that had to wait; undefined once it is over. */
  #last: Promise<unknown> | undefined;
  /** Whether a run is being begun: one that is asked from inside it comes after it. */
  #beginning = false;

  /** Whether a run is under way, or waits for its turn. */
  get isBusy(): boolean {
    return this.#beginning || this.#last !== undefined;
  }

  /** Runs after all that were asked before. Who is stopped need not wait for the turn to be told. */
  enqueue<R>(run: () => MaybeAsync<R>, abort: AbortSignal): R | Promise<R> {
    if (this.#beginning) return Promise.resolve().then(() => this.enqueue(run, abort));
    if (this.#last)
      return this.#waiting(
        this.#last.then(() => runAsync(this.#begin(run))),
        abort,
      );
    const soon = this.#begin(run);
    return isTask(soon) ? this.#waiting(runAsync(soon), abort) : soon;
  }

  /** Runs now. */
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
    const last = turn.then(over, over); // its caller hears of a failure
    this.#last = last;
    return untilAborted(turn, abort);
  }
}

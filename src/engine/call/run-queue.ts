import { untilAborted } from '../tasks/limits.js';
import { isTask, type MaybeAsync, runAsync } from '../tasks/task.js';

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

  /** Fulfilled when no run is under way and none waits. */
  async idle(): Promise<void> {
    // oxlint-disable-next-line no-await-in-loop -- others may have come meanwhile
    while (this.#last) await this.#last;
  }

  /**
   * Runs after all that were enqueued before. An abort rejects without waiting for the turn. Once a run has begun, it
   * stops itself: its caller gets its own outcome.
   */
  enqueue<R>(run: () => MaybeAsync<R>, abort: AbortSignal): R | Promise<R> {
    if (this.#beginning) return Promise.resolve().then(() => this.enqueue(run, abort));
    if (this.#last) return this.#after(this.#last, run, abort);
    const result = this.#begin(run);
    return isTask(result) ? this.#follow(runAsync(result)) : result;
  }

  #after<R>(before: Promise<unknown>, run: () => MaybeAsync<R>, abort: AbortSignal): Promise<R> {
    let over: Promise<unknown> | undefined = before;
    const turn = untilAborted(before, abort).then(() => {
      over = undefined;
      return runAsync(this.#begin(run));
    });
    return this.#follow(turn, () => over);
  }

  #begin<R>(run: () => MaybeAsync<R>): MaybeAsync<R> {
    this.#beginning = true;
    try {
      return run();
    } finally {
      this.#beginning = false;
    }
  }

  /**
   * The next run waits for this one.
   *
   * @param before the run that it has not awaited, where it was aborted before its turn
   */
  #follow<R>(run: Promise<R>, before: () => Promise<unknown> | undefined = () => undefined): Promise<R> {
    const over = (): void => {
      if (this.#last === last) this.#last = undefined;
    };
    const last: Promise<void> = run.then(over, () => before()?.then(over) ?? over());
    this.#last = last;
    return run;
  }
}

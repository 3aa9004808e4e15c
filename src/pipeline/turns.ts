import { untilAborted } from '../stages/limits.js';

/** Runs that share a memory take turns, so that each learns after the one that was asked before it. */
export class Turns {
  /** The last run that was asked; undefined once it is over. */
  #last: Promise<unknown> | undefined;

  /** Whether a run is under way, or waits for its turn. */
  get taken(): boolean {
    return this.#last !== undefined;
  }

  /** Runs after all that were asked before. Who is stopped need not wait for the turn to be told. */
  next<R>(run: () => Promise<R>, abort: AbortSignal): Promise<R> {
    const turn = this.#last ? this.#last.then(run) : run();
    const over = (): void => {
      if (this.#last === last) this.#last = undefined;
    };
    const last = turn.then(over, over); // its caller hears of a failure
    this.#last = last;
    return untilAborted(turn, abort);
  }
}

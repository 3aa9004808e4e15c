import { type Problem, toAssizeError } from 'assize';

/** The limits of a call. */
export interface ToolLimits {
  /** The most candidates of a call. */
  readonly candidates: number;
  /** The most rows in a response. */
  readonly rows: number;
  /** The most milliseconds that a call may take. */
  readonly milliseconds: number;
  /** The most bytes of a message. */
  readonly bytes: number;
  /** The most calls at the same time. */
  readonly calls: number;
}

/** Small, because an agent reads and writes every token. */
export const DEFAULT_LIMITS: ToolLimits = {
  candidates: 1000,
  rows: 100,
  milliseconds: 30_000,
  bytes: 4 * 1024 * 1024,
  calls: 16,
};

const refusal = (problem: Problem): Error => toAssizeError([problem]);

/** Counts calls, and refuses excess ones. */
export class Calls {
  readonly #running = new Set<Promise<unknown>>();

  constructor(private readonly limits: ToolLimits) {}

  /**
   * Runs a call with its time limit.
   *
   * @throws AssizeError (ASZ594) if too many calls are running, (ASZ595) if it takes too long; the reason of an abort
   */
  async run<R>(abort: AbortSignal, work: (abort: AbortSignal) => Promise<R>): Promise<R> {
    const { calls, milliseconds } = this.limits;
    if (this.#running.size >= calls) {
      throw refusal({
        code: 'ASZ594',
        message: `${calls} calls are in progress, which is the limit`,
        hint: 'try again later',
      });
    }
    const timeout = AbortSignal.timeout(milliseconds);
    const call = work(AbortSignal.any([abort, timeout]));
    this.#running.add(call);
    try {
      return await call;
    } catch (error) {
      if (!timeout.aborted || abort.aborted) throw error;
      throw refusal({ code: 'ASZ595', message: `the call took longer than ${milliseconds / 1000} s` });
    } finally {
      this.#running.delete(call);
    }
  }

  /** Waits for the calls in progress. */
  async settle(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running); // oxlint-disable-line no-await-in-loop -- new calls may arrive
  }
}

import { timerMs } from 'assize/sdk';
import type { ServeLimits } from './limits.js';
import { clientGone, stalled, tooSlow } from './request-error.js';

/** The things that a request may be waiting for. */
interface Steps {
  readonly isReading: boolean;
  readonly isRunning: boolean;
  readonly isUnread: boolean;
}

/** Ends a request early if its client disconnects, a step times out, or the server stops. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #leave = (): void => this.abort(clientGone());
  #timer: NodeJS.Timeout | undefined;
  #steps: Steps = { isReading: true, isRunning: false, isUnread: false }; // a request starts with reading its body

  /** @param ended called once when the request has ended */
  constructor(
    private readonly client: AbortSignal,
    private readonly limits: Pick<ServeLimits, 'time' | 'stall'>,
    private readonly ended: (deadline: Deadline) => void,
  ) {
    if (client.aborted) this.#leave();
    else client.addEventListener('abort', this.#leave, { once: true });
    this.#start();
  }

  /** Passed on to the scorers. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  abort(reason: unknown): void {
    this.#controller.abort(reason);
  }

  /** Restarts the timeout after progress. */
  touch(): void {
    this.#timer?.refresh();
  }

  /**
   * Sets what the request is waiting for, and restarts the timeout.
   *
   * @param step.isReading whether it waits for the next part of the body, which may take as long as the stall limit
   * @param step.isRunning whether it computes, or waits for its turn
   * @param step.isUnread  whether the client must read before the response continues
   */
  now(step: Partial<Steps>): void {
    const before = this.#isStalling;
    this.#steps = { ...this.#steps, ...step };
    if (this.#isStalling === before) this.touch();
    else if (this.#timer) this.#start();
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined; // refreshing a cleared timer would start it again
    this.client.removeEventListener('abort', this.#leave);
    this.ended(this);
  }

  /** Whether the request waits only for the next part from the client. */
  get #isStalling(): boolean {
    const { isReading, isRunning, isUnread } = this.#steps;
    return isReading && !isRunning && !isUnread;
  }

  #start(): void {
    clearTimeout(this.#timer);
    const [ms, reason] = this.#isStalling
      ? ([this.limits.stall, stalled] as const)
      : ([this.limits.time, tooSlow] as const);
    this.#timer = setTimeout(() => this.abort(reason(ms)), timerMs(ms));
    this.#timer.unref();
  }
}

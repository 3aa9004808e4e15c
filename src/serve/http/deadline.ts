import { timerMs } from '../../sdk/index.js';
import type { ServeLimits } from './limits.js';
import { clientGone, stalled, tooSlow } from './request-error.js';

/** What a request waits for. */
interface Steps {
  readonly isReading: boolean;
  readonly isRunning: boolean;
  readonly isUnread: boolean;
}

/** Ends a request early: its client goes away, the time of a step is over, or the server stops. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #leave = (): void => this.abort(clientGone());
  #timer: NodeJS.Timeout | undefined;
  #steps: Steps = { isReading: true, isRunning: false, isUnread: false }; // a request begins with its body

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

  /** Reaches the scorers. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  abort(reason: unknown): void {
    this.#controller.abort(reason);
  }

  /** The time starts again: something has gone on. */
  touch(): void {
    this.#timer?.refresh();
  }

  /**
   * Tells what the request waits for now. Whenever that changes, or is told again, the time starts again.
   *
   * @param step.isReading whether the next part of the body is awaited: its client has the time between two parts
   * @param step.isRunning whether something is computed, or waits for its turn, whatever else happens
   * @param step.isUnread  whether the client has to read before anything goes on
   */
  now(step: Partial<Steps>): void {
    const before = this.#isStalling;
    this.#steps = { ...this.#steps, ...step };
    if (this.#isStalling === before) this.touch();
    else if (this.#timer) this.#start();
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined; // one that is cleared would start again when it is refreshed
    this.client.removeEventListener('abort', this.#leave);
    this.ended(this);
  }

  /** Whether nothing but the client's next part is awaited. */
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

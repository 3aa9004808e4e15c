import { timerMs } from '../../contract/index.js';
import { clientGone, tooSlow } from './request-error.js';

/** What ends a request early: its client goes away, its time is over, or the server stops. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #leave = (): void => this.abort(clientGone());
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly client: AbortSignal,
    private ms: number,
    private readonly ended: (deadline: Deadline) => void,
  ) {
    if (client.aborted) this.#leave();
    else client.addEventListener('abort', this.#leave, { once: true });
    this.touch();
  }

  /** Reaches the scorers. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  abort(reason: unknown): void {
    this.#controller.abort(reason);
  }

  /** The time begins anew: something has gone on. */
  touch(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.abort(tooSlow(this.ms)), timerMs(this.ms));
    this.#timer.unref();
  }

  /** The time begins anew, and is another. */
  setTime(ms: number): void {
    this.ms = ms;
    this.touch();
  }

  end(): void {
    clearTimeout(this.#timer);
    this.client.removeEventListener('abort', this.#leave);
    this.ended(this);
  }
}

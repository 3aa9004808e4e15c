import { setTimeout } from 'node:timers/promises';
import type { Clock } from '../clock.js';

/** The milliseconds to wait for an endpoint that fails without a `Retry-After`. */
const DEFAULT_BACKOFF_MS = 500;

/** Delays requests to an endpoint that is busy or failing. */
export class RequestBackoff {
  #notBefore = 0;

  constructor(private readonly clock: Clock) {}

  /** The milliseconds to wait before the next request. */
  get remainingMs(): number {
    return Math.max(0, this.#notBefore - this.clock.now());
  }

  /** Waits until the next request may be sent. */
  async wait(abort: AbortSignal): Promise<void> {
    if (this.remainingMs > 0) await setTimeout(this.remainingMs, undefined, { signal: abort });
  }

  /** @param pause the milliseconds of the endpoint's `Retry-After` */
  backOff(pause: number = DEFAULT_BACKOFF_MS): void {
    this.#notBefore = this.clock.now() + pause;
  }
}

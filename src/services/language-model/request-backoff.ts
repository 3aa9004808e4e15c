import { setTimeout } from 'node:timers/promises';
import type { Clock } from '../clock.js';

/** How many milliseconds an endpoint is left alone that fails and does not say for how long. */
const DEFAULT_BACKOFF_MS = 500;

/** How soon an endpoint may be asked again that is busy or failing. */
export class RequestBackoff {
  #notBefore = 0;

  constructor(private readonly clock: Clock) {}

  /** How many milliseconds are to be waited before the next request. */
  get remainingMs(): number {
    return Math.max(0, this.#notBefore - this.clock.now());
  }

  /** Waits for it. */
  async wait(abort: AbortSignal): Promise<void> {
    if (this.remainingMs > 0) await setTimeout(this.remainingMs, undefined, { signal: abort });
  }

  /** @param pause what the endpoint asked for, in milliseconds */
  backOff(pause: number = DEFAULT_BACKOFF_MS): void {
    this.#notBefore = this.clock.now() + pause;
  }
}

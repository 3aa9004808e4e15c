import { tooBusy } from './request-error.js';

/** The limits of `Slots`. */
interface SlotLimits {
  readonly concurrent: number;
  readonly waiting: number;
  readonly perTenant: number;
}

/** Whoever waits for a turn. */
interface Waiting {
  readonly start: () => void;
}

/** Turns of requests: so many run, so many more wait in their order, and the next is refused. */
export class Slots {
  #running = 0;
  readonly #waiting: Waiting[] = [];
  readonly #tenants = new Map<string, number>();
  #idle: (() => void) | undefined;

  constructor(private readonly limits: SlotLimits) {}

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Whether a turn would come at once, with room to spare: for work that nobody waits for. */
  get hasRoom(): boolean {
    return this.#waiting.length === 0 && this.#running < Math.max(1, this.limits.concurrent >> 1);
  }

  /**
   * A turn, to be given back once.
   *
   * @returns gives the turn back
   * @throws RequestError (ASZ594): 429 where the tenant has as many as it may, 503 where the server has; the reason of an abort
   */
  async take(tenant: string | undefined, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted(); // it would wait, and hear nothing more
    const { concurrent, waiting, perTenant } = this.limits;
    const key = tenant ?? '';
    const own = this.#tenants.get(key) ?? 0;
    if (tenant !== undefined && own >= perTenant) throw tooBusy(`you have ${own} requests under way`, 429);
    if (this.#running >= concurrent && this.#waiting.length >= waiting) throw tooBusy('the server is busy');
    this.#tenants.set(key, own + 1);
    try {
      if (this.#running >= concurrent) await this.#turn(signal);
      else this.#running++;
    } catch (error) {
      this.#forget(key);
      throw error;
    }
    return once(() => this.#giveBack(key));
  }

  /** Fulfilled when nothing runs and nothing waits. */
  async idle(): Promise<void> {
    if (this.#running === 0 && this.#waiting.length === 0) return;
    await new Promise<void>((resolve) => (this.#idle = resolve));
  }

  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(one), 1);
        reject(signal.reason);
      };
      const one: Waiting = {
        start: () => {
          signal.removeEventListener('abort', leave);
          resolve();
        },
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.push(one);
    });
  }

  /** The turn goes to the first that waits. */
  #giveBack(key: string): void {
    this.#forget(key);
    const next = this.#waiting.shift();
    if (next) next.start();
    else if (--this.#running === 0) this.#idle?.();
  }

  #forget(key: string): void {
    const left = (this.#tenants.get(key) ?? 0) - 1;
    if (left > 0) this.#tenants.set(key, left);
    else this.#tenants.delete(key);
  }
}

function once(call: () => void): () => void {
  let done = false;
  return () => {
    if (!done) call();
    done = true;
  };
}

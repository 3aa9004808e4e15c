import { tooBusy } from './request-error.js';

/** The limits of `Slots`. */
interface SlotLimits {
  /** How many turns there are. */
  readonly concurrent: number;
  /** How many more requests may wait for one. */
  readonly waiting: number;
  /** How many requests a tenant may have, those that wait included. */
  readonly perTenant: number;
  /** How many of the turns a tenant may have. */
  readonly turnsPerTenant: number;
}

/** One that waits for a turn. */
interface Waiting {
  readonly start: () => void;
  /** Undefined for the parts of a request that was admitted before: they are never refused. */
  readonly refuse: ((error: Error) => void) | undefined;
}

/** The requests of a tenant. Callers without a tenant share one of these, which has no limits of its own. */
class TenantQueue {
  readonly waiting: Waiting[] = [];
  /** Those that have a turn. */
  running = 0;
  /** Those that were admitted and have not ended. */
  admitted = 0;

  constructor(
    readonly key: string,
    readonly turns: number,
  ) {}

  get isUnused(): boolean {
    return this.running === 0 && this.admitted === 0 && this.waiting.length === 0;
  }
}

/**
 * How long requests are started in one iteration of the event loop, in milliseconds. After that, what others have sent
 * meanwhile is read first, so that a tenant with one request does not wait for all that another has sent before it.
 */
const BURST_MS = 1;

/**
 * The turns of requests. So many run at once. Those that wait get their turns by tenant, in a circle: however much one
 * tenant sends, another waits for at most one request of it at a time.
 */
export class Slots {
  readonly #tenants = new Map<string, TenantQueue>();
  /** The tenants with requests that wait, the next one first. */
  readonly #circle = new Set<TenantQueue>();
  #running = 0;
  #waiting = 0;
  /** When the first request of this iteration of the event loop started. */
  #burst: number | undefined;

  constructor(private readonly limits: SlotLimits) {}

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Whether a turn would come at once, with room to spare: for work that no caller waits for. */
  get hasRoom(): boolean {
    return this.#waiting === 0 && this.#running < Math.max(1, this.limits.concurrent >> 1);
  }

  /**
   * Admits a request, and waits for its turn.
   *
   * @returns gives the turn back
   * @throws RequestError (ASZ594): 429 if the tenant has as many requests as it may have, 503 if too many wait; the
   *   reason of an abort
   */
  async take(tenant: string | undefined, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted(); // the event was before: nothing would end the wait
    const { perTenant } = this.limits;
    const queue = this.#queueOf(tenant);
    try {
      if (tenant !== undefined && queue.admitted >= perTenant) {
        throw tooBusy(`you have ${queue.admitted} requests under way`, 429);
      }
      this.#makeRoom(queue);
      queue.admitted++;
      try {
        await this.#turn(queue, signal, true);
      } catch (error) {
        queue.admitted--;
        throw error;
      }
    } catch (error) {
      this.#forget(queue);
      throw error;
    }
    return once(() => {
      queue.admitted--;
      this.#giveBack(queue);
    });
  }

  /**
   * Waits for a turn of a request that was admitted before: one for each part of a stream. It is not refused; the
   * caller bounds how many requests a tenant may have.
   *
   * @returns gives the turn back
   * @throws the reason of an abort
   */
  async takeAgain(tenant: string | undefined, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    const queue = this.#queueOf(tenant);
    try {
      await this.#turn(queue, signal, false);
    } catch (error) {
      this.#forget(queue);
      throw error;
    }
    return once(() => this.#giveBack(queue));
  }

  #queueOf(tenant: string | undefined): TenantQueue {
    const key = tenant === undefined ? '' : `/${tenant}`;
    const known = this.#tenants.get(key);
    if (known) return known;
    const { concurrent, turnsPerTenant } = this.limits;
    const made = new TenantQueue(key, tenant === undefined ? concurrent : turnsPerTenant);
    this.#tenants.set(key, made);
    return made;
  }

  #forget(queue: TenantQueue): void {
    if (queue.isUnused) this.#tenants.delete(queue.key);
  }

  #hasTurnFor = ({ running, turns }: TenantQueue): boolean => this.#running < this.limits.concurrent && running < turns;

  /**
   * If as many wait as may wait, the last one of the tenant with the most of them is refused for one of a tenant with
   * fewer.
   *
   * @throws RequestError (ASZ594) if the tenant is the one with the most
   */
  #makeRoom(queue: TenantQueue): void {
    if (this.#waiting < this.limits.waiting || this.#hasTurnFor(queue)) return;
    let longest = queue;
    for (const other of this.#circle) if (other.waiting.length > longest.waiting.length) longest = other;
    const last = longest.waiting.findLast(({ refuse }) => refuse !== undefined);
    if (longest.waiting.length <= queue.waiting.length + 1 || !last?.refuse) throw tooBusy('the server is busy');
    this.#leave(longest, last);
    last.refuse(tooBusy('the server is busy'));
  }

  #turn(queue: TenantQueue, signal: AbortSignal, mayBeRefused: boolean): Promise<void> | undefined {
    if (this.#waiting === 0 && this.#hasTurnFor(queue) && this.#mayStart()) {
      this.#begin(queue);
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#leave(queue, one);
        reject(signal.reason);
      };
      const over = (end: () => void): void => {
        signal.removeEventListener('abort', leave);
        end();
      };
      const one: Waiting = {
        start: () => over(resolve),
        refuse: mayBeRefused ? (error) => over(() => reject(error)) : undefined,
      };
      signal.addEventListener('abort', leave, { once: true });
      queue.waiting.push(one);
      this.#waiting++;
      this.#circle.add(queue);
      this.#startNext();
    });
  }

  #leave(queue: TenantQueue, one: Waiting): void {
    queue.waiting.splice(queue.waiting.indexOf(one), 1);
    this.#waiting--;
    if (queue.waiting.length === 0) this.#circle.delete(queue);
  }

  #begin(queue: TenantQueue): void {
    this.#running++;
    queue.running++;
  }

  #giveBack(queue: TenantQueue): void {
    this.#running--;
    queue.running--;
    this.#forget(queue);
    this.#startNext();
  }

  /** Starts one that waits: the first of the tenant whose turn it is. That tenant is then the last of the circle. */
  #startNext(): void {
    for (const queue of this.#circle) {
      if (!this.#hasTurnFor(queue)) continue;
      if (!this.#mayStart()) return; // the next iteration of the event loop goes on
      const next = queue.waiting[0]!;
      this.#leave(queue, next);
      if (this.#circle.delete(queue)) this.#circle.add(queue);
      this.#begin(queue);
      next.start();
      return;
    }
  }

  /** Whether one may start in this iteration of the event loop. If not, the next iteration starts one. */
  #mayStart(): boolean {
    const now = performance.now();
    if (this.#burst !== undefined) return now - this.#burst < BURST_MS;
    this.#burst = now;
    setImmediate(() => {
      this.#burst = undefined;
      this.#startNext();
    });
    return true;
  }
}

function once(call: () => void): () => void {
  let done = false;
  return () => {
    if (!done) call();
    done = true;
  };
}

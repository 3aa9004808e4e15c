import { tooBusy } from './request-error.js';

/** The limits of `Slots`. */
interface SlotLimits {
  /** The number of turns. */
  readonly concurrent: number;
  /** The most requests that wait for a turn. */
  readonly waiting: number;
  /** The most requests of a tenant, including waiting ones. */
  readonly perTenant: number;
  /** The most turns of a tenant. */
  readonly turnsPerTenant: number;
}

/** A request that waits for a turn. */
interface Waiting {
  readonly start: () => void;
  /** Undefined for parts of an admitted request, which are never refused. */
  readonly refuse: ((error: Error) => void) | undefined;
}

/** The requests of a tenant. Callers without a tenant share one queue without tenant limits. */
class TenantQueue {
  readonly waiting: Waiting[] = [];
  /** The requests that have a turn. */
  running = 0;
  /** The admitted requests that have not ended. */
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
 * How long requests are started in one iteration of the event loop, in milliseconds. After that, each tenant may start
 * one request per iteration, so that a tenant with one request does not wait for the requests of another tenant.
 */
const BURST_MS = 1;

/**
 * Limits the number of running requests. Waiting requests get their turns by tenant, round-robin: however many requests
 * one tenant sends, another waits for at most one of them at a time.
 */
export class Slots {
  readonly #tenants = new Map<string, TenantQueue>();
  /** The tenants with waiting requests, the next one first. */
  readonly #circle = new Set<TenantQueue>();
  #running = 0;
  #waiting = 0;
  /** When the first request of this iteration of the event loop started. */
  #burst: number | undefined;
  /** The keys of the tenants that started a request in this iteration of the event loop. */
  readonly #started = new Set<string>();

  constructor(private readonly limits: SlotLimits) {}

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Whether turns are plentiful enough for background work. */
  get hasRoom(): boolean {
    return this.#waiting === 0 && this.#running < Math.max(1, this.limits.concurrent >> 1);
  }

  /**
   * Admits a request, and waits for its turn.
   *
   * @returns a function that releases the turn
   * @throws RequestError (ASZ594) with 429 if the tenant has reached its limit, with 503 if too many requests wait; the
   *   reason of an abort
   */
  async take(tenant: string | undefined, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted(); // an earlier abort emits no event, so nothing would end the wait
    const { perTenant } = this.limits;
    const queue = this.#queueOf(tenant);
    try {
      if (tenant !== undefined && queue.admitted >= perTenant) {
        throw tooBusy(`you have ${queue.admitted} requests in progress, which is the limit`, 429);
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
   * Waits for a turn of an admitted request: one for each part of a stream. It is not refused. The caller limits the
   * number of requests of a tenant.
   *
   * @returns a function that releases the turn
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
   * If the queue is full, refuses the last request of the tenant with the most waiting ones, in favour of a tenant with
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
    if (queue.waiting.length === 0 && this.#hasTurnFor(queue) && this.#mayStart(queue)) {
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

  /** Starts the first waiting request of the next tenant, and moves that tenant to the end of the circle. */
  #startNext(): void {
    for (const queue of this.#circle) {
      if (!this.#hasTurnFor(queue) || !this.#mayStart(queue)) continue; // tried again in the next iteration
      const next = queue.waiting[0]!;
      this.#leave(queue, next);
      if (this.#circle.delete(queue)) this.#circle.add(queue);
      this.#begin(queue);
      next.start();
      return;
    }
  }

  /** Whether a request may start in this iteration of the event loop. If not, schedules the next iteration. */
  #mayStart(queue: TenantQueue): boolean {
    const now = performance.now();
    this.#burst ??= this.#beginIteration(now);
    const mayStart = now - this.#burst < BURST_MS || !this.#started.has(queue.key);
    if (mayStart) this.#started.add(queue.key);
    return mayStart;
  }

  #beginIteration(now: number): number {
    setImmediate(() => {
      this.#burst = undefined;
      this.#started.clear();
      this.#startNext();
    });
    return now;
  }
}

function once(call: () => void): () => void {
  let done = false;
  return () => {
    if (!done) call();
    done = true;
  };
}

const FIRST_MS = 100;
const LONGEST_MS = 5000;

/** Waits between tries: each twice as long as the one before it, at most five seconds, until a try has succeeded. */
export class BackOff {
  #next = FIRST_MS;

  /** Returns when it is time for the next try, or it is no longer wanted. */
  async wait(abort: AbortSignal): Promise<void> {
    const wait = this.#next;
    this.#next = Math.min(2 * wait, LONGEST_MS);
    if (abort.aborted) return;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        abort.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, wait);
      abort.addEventListener('abort', end);
    });
  }

  /** After a success: the next wait is a short one. */
  reset(): void {
    this.#next = FIRST_MS;
  }
}

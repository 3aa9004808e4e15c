/** After how many milliseconds a wait is noticed. */
const NOTICED_MS = 150;

/** Work in turn, of which only the newest counts: what is overtaken before its turn is never done. */
export class NewestWork {
  #turn = 0;
  #last: Promise<void> = Promise.resolve();
  #isBusy = false;

  /** @param tell is called when work is done, and when `isBusy` changes */
  constructor(private readonly tell: () => void) {}

  /** Whether something takes long enough to be waited for. */
  get isBusy(): boolean {
    return this.#isBusy;
  }

  do(work: () => Promise<void>): Promise<void> {
    const turn = (this.#turn += 1);
    const done = this.#last.then(async () => {
      if (turn !== this.#turn) return;
      await this.#noticing(work());
      this.tell();
    });
    this.#last = done.catch(() => {});
    return done;
  }

  /** Says after a moment that there is something to wait for. */
  async #noticing(work: Promise<void>): Promise<void> {
    const timer = setTimeout(() => this.#setBusy(true), NOTICED_MS);
    try {
      await work;
    } finally {
      clearTimeout(timer);
      this.#setBusy(false);
    }
  }

  #setBusy(isBusy: boolean): void {
    if (isBusy === this.#isBusy) return;
    this.#isBusy = isBusy;
    this.tell();
  }
}

import type { Placed } from './engine.js';
import { TOP } from './work.js';

/** The best so far, by insertion: few items enter, so most offers cost one comparison. */
export class TopTen {
  readonly best: Placed[] = [];
  #floor = Number.NEGATIVE_INFINITY;

  offer(score: number, index: number): void {
    if (score > this.#floor || this.best.length < TOP) this.#insert(score, index);
  }

  #insert(score: number, index: number): void {
    const { best } = this;
    let at = Math.min(best.length, TOP - 1);
    for (; at > 0 && best[at - 1]!.score < score; at--) best[at] = best[at - 1]!;
    best[at] = { score, index };
    if (best.length === TOP) this.#floor = best[TOP - 1]!.score;
  }
}

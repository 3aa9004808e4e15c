/** A segment tree of minima: finds the first number of a range that is small enough in O(log N). */
export class MinSegmentTree {
  readonly #size: number;
  /** The minimum below each node, the root at 1; the numbers themselves are the last `size`. */
  readonly #least: Float64Array;

  constructor(numbers: readonly number[]) {
    this.#size = 2 ** Math.ceil(Math.log2(Math.max(1, numbers.length)));
    this.#least = new Float64Array(2 * this.#size).fill(Infinity);
    this.#least.set(numbers, this.#size);
    for (let node = this.#size - 1; node > 0; node--) {
      this.#least[node] = Math.min(this.#least[2 * node]!, this.#least[2 * node + 1]!);
    }
  }

  /** The first position in `[from, until)` whose number is at most `limit`; `until` where there is none. */
  firstAtMost(from: number, until: number, limit: number): number {
    return this.#first(from, until, (least) => least <= limit);
  }

  /** The same for a number below `limit`. */
  firstBelow(from: number, until: number, limit: number): number {
    return this.#first(from, until, (least) => least < limit);
  }

  #first(from: number, until: number, holds: (least: number) => boolean): number {
    if (from >= until) return until;
    let node = from + this.#size;
    // Climbs to the next subtree on the right that has such a number, and descends to the first of them.
    while (!holds(this.#least[node]!)) {
      while (node % 2 === 1) node >>= 1;
      if (node === 0) return until;
      node += 1;
    }
    while (node < this.#size) node = 2 * node + (holds(this.#least[2 * node]!) ? 0 : 1);
    return Math.min(node - this.#size, until);
  }
}

/** Where a row stands among others. */
export interface ScoredItem {
  readonly total: number;
}

/**
 * The best of any number of rows that come one by one, in memory for those alone: a heap whose root is the one to
 * leave next. O(log k) for a row that enters.
 */
export class TopKHeap<R extends ScoredItem> {
  readonly #heap: R[] = [];

  /**
   * @param count how many are kept
   * @param after whether row `a` comes after row `b`
   */
  constructor(
    private readonly count: number,
    private readonly after: (a: R, b: R) => boolean,
  ) {}

  /** A row with a lower total does not enter. */
  get minCompetitiveScore(): number {
    if (this.count === 0) return Number.POSITIVE_INFINITY;
    return this.#heap.length < this.count ? Number.NEGATIVE_INFINITY : this.#heap[0]!.total;
  }

  /** Takes a row in, where it is among the best so far. */
  add(row: R): void {
    const heap = this.#heap;
    if (heap.length < this.count) {
      heap.push(row);
      this.#up(heap.length - 1);
    } else if (heap[0] !== undefined && this.after(heap[0], row)) {
      heap[0] = row;
      this.#down(0);
    }
  }

  /** Those that are left, in no order. */
  get rows(): readonly R[] {
    return this.#heap;
  }

  #up(from: number): void {
    const heap = this.#heap;
    for (let child = from; child > 0; ) {
      const parent = (child - 1) >> 1;
      if (!this.after(heap[child]!, heap[parent]!)) return;
      this.#swap(child, parent);
      child = parent;
    }
  }

  #down(from: number): void {
    const heap = this.#heap;
    for (let parent = from; ; ) {
      const left = 2 * parent + 1;
      const right = left + 1;
      let last = parent;
      if (left < heap.length && this.after(heap[left]!, heap[last]!)) last = left;
      if (right < heap.length && this.after(heap[right]!, heap[last]!)) last = right;
      if (last === parent) return;
      this.#swap(parent, last);
      parent = last;
    }
  }

  #swap(a: number, b: number): void {
    const heap = this.#heap;
    [heap[a], heap[b]] = [heap[b]!, heap[a]!];
  }
}

/** A row with what it is ordered by. */
export interface ScoredItem {
  readonly total: number;
}

/**
 * Keeps the best of any number of rows that come one by one: a heap whose root is the next to be replaced. Memory for
 * those alone. O(log k) for a row that enters.
 */
export class TopKHeap<R extends ScoredItem> {
  readonly #heap: R[] = [];

  /**
   * @param count how many are kept
   * @param comesAfter whether row `a` comes after row `b`
   */
  constructor(
    private readonly count: number,
    private readonly comesAfter: (a: R, b: R) => boolean,
  ) {}

  /** A row with a lower total does not enter. */
  get minCompetitiveScore(): number {
    if (this.count === 0) return Number.POSITIVE_INFINITY;
    return this.#heap.length < this.count ? Number.NEGATIVE_INFINITY : this.#heap[0]!.total;
  }

  /** Adds a row, if it is among the best so far. */
  add(row: R): void {
    const heap = this.#heap;
    if (heap.length < this.count) {
      heap.push(row);
      siftUp(heap, heap.length - 1, this.comesAfter);
    } else if (heap[0] !== undefined && this.comesAfter(heap[0], row)) {
      heap[0] = row;
      siftDown(heap, heap.length, this.comesAfter);
    }
  }

  /** The best so far, in no order. */
  get rows(): readonly R[] {
    return this.#heap;
  }
}

/** A list that a heap is kept in: an array, or a typed array. */
type HeapItems<T> = { [index: number]: T };

/** Moves the root down to its place among the first `size` items: the root of each subtree comes after its children. */
export function siftDown<T>(heap: HeapItems<T>, size: number, comesAfter: (a: T, b: T) => boolean): void {
  for (let parent = 0; ; ) {
    const left = 2 * parent + 1;
    const right = left + 1;
    let last = parent;
    if (left < size && comesAfter(heap[left]!, heap[last]!)) last = left;
    if (right < size && comesAfter(heap[right]!, heap[last]!)) last = right;
    if (last === parent) return;
    swap(heap, parent, last);
    parent = last;
  }
}

/** Moves an item up to its place. */
function siftUp<T>(heap: HeapItems<T>, from: number, comesAfter: (a: T, b: T) => boolean): void {
  for (let child = from; child > 0; ) {
    const parent = (child - 1) >> 1;
    if (!comesAfter(heap[child]!, heap[parent]!)) return;
    swap(heap, child, parent);
    child = parent;
  }
}

function swap<T>(heap: HeapItems<T>, a: number, b: number): void {
  const item = heap[a]!;
  heap[a] = heap[b]!;
  heap[b] = item;
}

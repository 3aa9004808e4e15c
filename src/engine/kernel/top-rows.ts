import { fillPositions } from './run-buffers.js';

/** The number of rows from which a radix sort is used. For fewer rows, a comparison sort is faster. */
const RADIX_FROM = 2000;

/** All rows, best first: by descending score, then by position in the input. O(N). */
export function sortRows(totals: Float64Array): Int32Array {
  if (totals.length >= RADIX_FROM) return radixOrder(totals);
  return fillPositions(new Int32Array(totals.length)).sort((a, b) => totals[b]! - totals[a]! || a - b);
}

/** Whether a heap of the best rows is faster than sorting all rows. */
export const isFewOf = (count: number, rows: number): boolean => count < rows / 4;

/** The `count` best rows, best first, with a bounded heap: O(N + k log k) if most rows do not enter the heap. */
export function topRows(totals: Float64Array, count: number): Int32Array {
  if (!isFewOf(count, totals.length)) return sortRows(totals).slice(0, count);
  if (count === 0) return new Int32Array(0);
  const heap = initialHeap(totals, count);
  const comesAfter = (a: number, b: number): boolean => totals[a]! < totals[b]! || (totals[a] === totals[b] && a > b);
  let floor = totals[heap[0]!]!;
  for (let row = count; row < totals.length; row++) {
    if (totals[row]! <= floor) continue; // an equal score later in the input does not enter
    heap[0] = row;
    siftDown(heap, count, comesAfter);
    floor = totals[heap[0]]!;
  }
  return heap.sort((a, b) => totals[b]! - totals[a]! || a - b);
}

/** Typed arrays are slow to create, and a run of one candidate is not. */
const NO_ROWS = new Int32Array(0);

/**
 * The best rows of a run, kept while a loop scores the rows, so that no other pass must read all totals. The loop calls
 * `enter` with each row whose total is not at most `floor`, or not finite: −Infinity is at most every floor.
 */
export class BestRows {
  /** A heap whose root is the next row to replace. */
  readonly #heap: Int32Array;
  #size = 0;
  /** The total that a further row must exceed. */
  floor: number;
  /** The first row without a finite total; −1 if there is none. */
  unresolved = -1;

  /**
   * @param totals by row: its total, which the loop writes before it calls `enter`
   * @param count  how many rows to keep
   */
  constructor(
    private readonly totals: Float64Array,
    readonly count: number,
  ) {
    this.#heap = count === 0 ? NO_ROWS : new Int32Array(count);
    this.floor = count === 0 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  }

  /** Keeps a row if it is among the best so far. Returns the new floor. */
  enter(row: number): number {
    const total = this.totals[row]!;
    if (total - total !== 0) {
      if (this.unresolved < 0) this.unresolved = row;
    } else if (this.#size < this.count) {
      this.#heap[this.#size++] = row;
      if (this.#size === this.count) this.#heap.sort((a, b) => this.#order(b, a));
    } else if (this.count > 0 && this.#order(row, this.#heap[0]!) < 0) {
      this.#heap[0] = row;
      siftDown(this.#heap, this.count, (a, b) => this.#order(a, b) > 0);
    }
    if (this.#size === this.count && this.count > 0) this.floor = this.totals[this.#heap[0]!]!;
    return this.floor;
  }

  /** The rows, best first. */
  get rows(): Int32Array {
    return this.#heap.slice(0, this.#size).sort((a, b) => this.#order(a, b));
  }

  /** By descending total, then by row. */
  #order(a: number, b: number): number {
    return this.totals[b]! - this.totals[a]! || a - b;
  }
}

/** The first rows, worst first: a heap whose root is the next row to replace. */
const initialHeap = (totals: Float64Array, count: number): Int32Array => sortRows(totals.subarray(0, count)).reverse();

/** An item that is ordered by its total. */
interface ScoredItem {
  readonly total: number;
}

/**
 * Keeps the best rows of a stream, in a heap whose root is the next row to replace. It stores only these rows. O(log k) for
 * a row that enters.
 */
export class TopKHeap<R extends ScoredItem> {
  readonly #heap: R[] = [];

  /**
   * @param count how many rows to keep
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

  /** The best rows so far, in heap order. */
  get rows(): readonly R[] {
    return this.#heap;
  }
}

/** The storage of a heap: an array or a typed array. */
type HeapItems<T> = { [index: number]: T };

/** Moves the root down to its place among the first `size` items: the root of each subtree comes after its children. */
function siftDown<T>(heap: HeapItems<T>, size: number, comesAfter: (a: T, b: T) => boolean): void {
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

/** Moves an item up to its place in the heap. */
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

/** A row with its score and the key of its group. A row with an undefined key belongs to no group. */
export interface GroupedRow {
  readonly total: number;
  readonly row: number;
  readonly group: unknown;
}

/** The minimum number of rows to gather before a walk over them. */
const ROOM = 256;

/**
 * Keeps the best rows of a stream, with a limit per group: the rows that a walk over all rows, best first, would select. It
 * gathers rows and walks over them from time to time. A row that a walk drops cannot be selected later, because more rows
 * only raise the threshold. It stores about twice the kept rows. O(log k) for a row that enters, two comparisons for others.
 */
export class TopPerGroup {
  #rows: GroupedRow[] = [];
  readonly #capacity: number;
  #floor = Number.NEGATIVE_INFINITY;
  /** By full group: the score of its last row. */
  readonly #groupFloors = new Map<unknown, number>();

  /**
   * @param count how many rows to keep
   * @param perGroup how many rows of one group to keep
   */
  constructor(
    private readonly count: number,
    private readonly perGroup: number,
  ) {
    this.#capacity = 2 * count + ROOM;
    if (count === 0) this.#floor = Number.POSITIVE_INFINITY;
  }

  /** A row with a lower score does not enter. */
  get minCompetitiveScore(): number {
    return this.#floor;
  }

  /** Adds a row, if it may be among the best. */
  add(row: GroupedRow): void {
    if (row.total < this.#floor || row.total < (this.#groupFloors.get(row.group) ?? Number.NEGATIVE_INFINITY)) return;
    this.#rows.push(row);
    if (this.#rows.length === this.#capacity) this.#walk();
  }

  /** The best rows so far: by descending score, then by position in the input. */
  get rows(): readonly GroupedRow[] {
    this.#walk();
    return this.#rows;
  }

  /** Walks over the rows, best first, and keeps those that can be selected. */
  #walk(): void {
    const { count, perGroup } = this;
    const kept: GroupedRow[] = [];
    const counts = new Map<unknown, number>();
    this.#groupFloors.clear();
    for (const row of this.#rows.sort((a, b) => b.total - a.total || a.row - b.row)) {
      if (kept.length === count) break;
      const { total, group } = row;
      if (group !== undefined) {
        const others = counts.get(group) ?? 0;
        if (others === perGroup) continue;
        counts.set(group, others + 1);
        if (others + 1 === perGroup) this.#groupFloors.set(group, total);
      }
      kept.push(row);
    }
    if (kept.length === count && count > 0) this.#floor = kept.at(-1)!.total;
    this.#rows = kept;
  }
}

/** The bits per pass. The counters of a pass fit into the L1 cache. */
const DIGIT_BITS = 11;
const DIGITS = 1 << DIGIT_BITS;
/** The shift of each pass's digit in a word, least significant first. */
const SHIFTS = [0, DIGIT_BITS, 2 * DIGIT_BITS];

/** The index of the word of a double that has the sign, the exponent and the first twenty bits. */
const HIGH = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1 ? 1 : 0;
const LOW = 1 - HIGH;
const SIGN = 0x80000000;

/** Ordered rows, each with one word of its key. */
interface KeyedRows {
  readonly keys: Uint32Array;
  readonly rows: Int32Array;
}

/**
 * All rows by descending total. Equal totals (0 equals −0) stay in row order. A radix sort of the bits of doubles, in linear
 * time: for a million rows, about ten times as fast as a comparison sort.
 *
 * It sorts by the high words, which few totals share, and reorders these few by comparison. If that takes more work than
 * sorting, it sorts by both words.
 *
 * @param totals without NaN
 */
export function radixOrder(totals: Float64Array): Int32Array {
  const { length } = totals;
  const words = new Uint32Array(totals.buffer, totals.byteOffset, 2 * length);
  const one = { keys: new Uint32Array(length), rows: fillPositions(new Int32Array(length)) };
  const two = { keys: new Uint32Array(length), rows: new Int32Array(length) };
  const sorted = sortByWord(words, HIGH, one, two);
  if (sortEqualKeys(totals, sorted)) return sorted.rows;
  fillPositions(one.rows);
  const byLow = sortByWord(words, LOW, one, two);
  return sortByWord(words, HIGH, byLow, byLow === one ? two : one).rows;
}

/**
 * Sorts rows by one word of their totals. The sort is stable.
 *
 * @param spare a second buffer, which is overwritten
 * @returns one of the two buffers
 */
function sortByWord(words: Uint32Array, word: number, rows: KeyedRows, spare: KeyedRows): KeyedRows {
  setKeys(words, word, rows);
  let [from, to] = [rows, spare];
  const counts = countDigits(from.keys);
  for (const [pass, shift] of SHIFTS.entries()) {
    const starts = counts.subarray(pass * DIGITS, (pass + 1) * DIGITS);
    if (!becomeStarts(starts, from.keys.length)) continue; // all have the same digit
    distribute(from, to, shift, starts);
    [from, to] = [to, from];
  }
  return from;
}

/**
 * One word of each total as a sort key that descends with the total: the inverted bits of a positive total, the bits of a
 * negative one. −0 has the key of 0.
 */
function setKeys(words: Uint32Array, word: number, { keys, rows }: KeyedRows): void {
  const flipped = word === HIGH ? SIGN - 1 : -1;
  for (let k = 0; k < keys.length; k++) {
    const at = 2 * rows[k]!;
    const high = words[at + HIGH]!;
    const isNegative = high > SIGN || (high === SIGN && words[at + LOW] !== 0);
    if (isNegative) keys[k] = words[at + word]!;
    else keys[k] = (word === HIGH ? high & ~SIGN : words[at + word]!) ^ flipped;
  }
}

/** Counts the digits of all passes in one iteration. */
function countDigits(keys: Uint32Array): Uint32Array {
  const counts = new Uint32Array(SHIFTS.length * DIGITS);
  for (let k = 0; k < keys.length; k++) {
    const key = keys[k]!;
    counts[key & (DIGITS - 1)]! += 1;
    counts[DIGITS + ((key >>> DIGIT_BITS) & (DIGITS - 1))]! += 1;
    counts[2 * DIGITS + (key >>> (2 * DIGIT_BITS))]! += 1;
  }
  return counts;
}

/** Replaces the counts of digits by the start index of each digit. Returns false if only one digit occurs. */
function becomeStarts(counts: Uint32Array, length: number): boolean {
  let start = 0;
  for (let digit = 0; digit < counts.length; digit++) {
    const count = counts[digit]!;
    if (count === length) return false;
    counts[digit] = start;
    start += count;
  }
  return true;
}

/** Moves rows to the start index of their digit. Stable. */
function distribute(from: KeyedRows, to: KeyedRows, shift: number, starts: Uint32Array): void {
  const { keys, rows } = from;
  const { keys: toKeys, rows: toRows } = to;
  for (let k = 0; k < keys.length; k++) {
    const key = keys[k]!;
    const digit = (key >>> shift) & (DIGITS - 1);
    const at = starts[digit]!;
    starts[digit] = at + 1;
    toKeys[at] = key;
    toRows[at] = rows[k]!;
  }
}

/**
 * Sorts rows with equal keys by their totals, with an insertion sort: linear if these are few or already in order.
 *
 * @returns false if it stopped, because the total distance of moves exceeded the number of rows
 */
function sortEqualKeys(totals: Float64Array, { keys, rows }: KeyedRows): boolean {
  let moves = rows.length;
  for (let k = 1; k < rows.length; k++) {
    const key = keys[k]!;
    if (keys[k - 1] !== key) continue;
    const row = rows[k]!;
    const total = totals[row]!;
    let at = k;
    for (; at > 0 && keys[at - 1] === key && totals[rows[at - 1]!]! < total; at--) rows[at] = rows[at - 1]!;
    rows[at] = row;
    moves -= k - at;
    if (moves < 0) return false;
  }
  return true;
}

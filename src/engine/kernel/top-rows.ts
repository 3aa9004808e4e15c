import { fillPositions } from './run-buffers.js';

/** From how many rows on their bits are sorted: fewer are compared in less time. */
const RADIX_FROM = 2000;

/** All rows, best first: score descending, then position in the input. O(N). */
export function sortRows(totals: Float64Array): Int32Array {
  if (totals.length >= RADIX_FROM) return radixOrder(totals);
  return fillPositions(new Int32Array(totals.length)).sort((a, b) => totals[b]! - totals[a]! || a - b);
}

/** The `count` best rows, best first, by a bounded heap: O(N + k log k) where most rows do not enter. */
export function topRows(totals: Float64Array, count: number): Int32Array {
  if (count >= totals.length / 4) return sortRows(totals).slice(0, count);
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

/** The first rows, worst first: a heap whose root is the one to leave next. */
const initialHeap = (totals: Float64Array, count: number): Int32Array => sortRows(totals.subarray(0, count)).reverse();

/** A row with what it is ordered by. */
interface ScoredItem {
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

/** A row with its score, and the key of its group: rows of equal keys are of one group, one without a key is of none. */
export interface GroupedRow {
  readonly total: number;
  readonly row: number;
  readonly group: unknown;
}

/** So few rows are gathered at least before they are walked. */
const ROOM = 256;

/**
 * Keeps the best of any number of rows that come one by one, and at most so many of a group: those that a walk over all
 * of them, best first, would select. Rows are gathered, and walked now and then; one that the walk leaves out cannot come
 * back, because more rows only raise what it takes. Memory for about twice those that are kept. O(log k) for a row that
 * enters, and two comparisons for any other.
 */
export class TopPerGroup {
  #rows: GroupedRow[] = [];
  readonly #capacity: number;
  #floor = Number.NEGATIVE_INFINITY;
  /** Of each group that is full: the score of its last row. */
  readonly #groupFloors = new Map<unknown, number>();

  /**
   * @param count how many are kept
   * @param perGroup how many of one group
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

  /** The best so far, best first: score descending, then position in the input. */
  get rows(): readonly GroupedRow[] {
    this.#walk();
    return this.#rows;
  }

  /** Walks over the rows, best first, and keeps what is to be selected of them. */
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

/** How many bits a pass sorts by: counters for all of them fit into a processor's first cache. */
const DIGIT_BITS = 11;
const DIGITS = 1 << DIGIT_BITS;
/** How far the digit of each pass is shifted in a word, the least significant first. */
const SHIFTS = [0, DIGIT_BITS, 2 * DIGIT_BITS];

/** Which half of a double has its sign, exponent and first twenty bits; the other has the rest. */
const HIGH = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1 ? 1 : 0;
const LOW = 1 - HIGH;
const SIGN = 0x80000000;

/** Rows with a word of their keys each, in an order. */
interface KeyedRows {
  readonly keys: Uint32Array;
  readonly rows: Int32Array;
}

/**
 * All rows by their totals, the greatest first; equal totals, 0 and −0 among them, in the order of the rows. A radix sort of
 * the bits of doubles, in linear time: of a million rows some ten times as fast as a sort that compares.
 *
 * It sorts by the high words, in which few totals agree, and moves those few by comparison. Where that becomes more work
 * than sorting, it sorts by both words.
 *
 * @param totals without NaN
 */
export function radixOrder(totals: Float64Array): Int32Array {
  const { length } = totals;
  const words = new Uint32Array(totals.buffer, totals.byteOffset, 2 * length);
  const one = { keys: new Uint32Array(length), rows: rowsInOrder(new Int32Array(length)) };
  const two = { keys: new Uint32Array(length), rows: new Int32Array(length) };
  const sorted = sortByWord(words, HIGH, one, two);
  if (sortEqualKeys(totals, sorted)) return sorted.rows;
  rowsInOrder(one.rows);
  const byLow = sortByWord(words, LOW, one, two);
  return sortByWord(words, HIGH, byLow, byLow === one ? two : one).rows;
}

function rowsInOrder(rows: Int32Array): Int32Array {
  for (let row = 0; row < rows.length; row++) rows[row] = row;
  return rows;
}

/**
 * Sorts rows by one word of their totals; equal ones stay in their order.
 *
 * @param spare is written, too
 * @returns one of the two
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
 * A word of each total as a number that is least for the greatest: the bits of positive totals turned around, and those of
 * negative ones as they are. −0 has the key of 0.
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

/** How often each digit occurs in each pass, in one reading. */
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

/** Turns the counts of digits into where each digit starts; false where there is one digit only. */
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

/** Moves rows to where their digit starts, in their order. */
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
 * Sorts rows whose keys are equal by their totals, by insertion: linear where few are, or where they are in order already.
 *
 * @returns false where it was left, since rows have moved further than there are rows
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

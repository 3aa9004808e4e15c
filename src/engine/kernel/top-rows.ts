import { radixOrder } from './radix-order.js';
import { fillPositions } from './run-buffers.js';
import { siftDown } from './top-k-heap.js';

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

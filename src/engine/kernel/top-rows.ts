import { fillPositions } from './run-buffers.js';

/** Whether row `a` comes after row `b`: a lower score, or the same and a later position. */
const comesAfter = (totals: Float64Array, a: number, b: number): boolean => {
  const x = totals[a]!;
  const y = totals[b]!;
  return x < y || (x === y && a > b);
};

/** All rows, best first: score descending, then position in the input. O(N log N). */
export function sortRows(totals: Float64Array): Int32Array {
  return fillPositions(new Int32Array(totals.length)).sort((a, b) => totals[b]! - totals[a]! || a - b);
}

function siftDown(heap: Int32Array, totals: Float64Array, size: number): void {
  for (let parent = 0; ; ) {
    const left = 2 * parent + 1;
    const right = left + 1;
    let last = parent;
    if (left < size && comesAfter(totals, heap[left]!, heap[last]!)) last = left;
    if (right < size && comesAfter(totals, heap[right]!, heap[last]!)) last = right;
    if (last === parent) return;
    [heap[parent], heap[last]] = [heap[last]!, heap[parent]!];
    parent = last;
  }
}

/** The `count` best rows, best first, by a bounded heap: O(N + k log k) where most rows do not enter. */
export function topRows(totals: Float64Array, count: number): Int32Array {
  if (count >= totals.length / 4) return sortRows(totals).slice(0, count);
  if (count === 0) return new Int32Array(0);
  const heap = initialHeap(totals, count);
  let floor = totals[heap[0]!]!;
  for (let row = count; row < totals.length; row++) {
    if (totals[row]! <= floor) continue; // an equal score later in the input does not enter
    heap[0] = row;
    siftDown(heap, totals, count);
    floor = totals[heap[0]]!;
  }
  return heap.sort((a, b) => totals[b]! - totals[a]! || a - b);
}

/** The first rows, worst first: a heap whose root is the one to leave next. */
const initialHeap = (totals: Float64Array, count: number): Int32Array => sortRows(totals.subarray(0, count)).reverse();

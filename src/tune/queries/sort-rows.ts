/** So often is a row moved on average before a list counts as out of order. */
const MOST_MOVES = 40;

/**
 * Sorts the rows of a list in place: best first, equal ones in the order of their numbers. Rows that are nearly in order
 * take linear time (insertion), which is what a search sees that moves one weight at a time; others O(n log n).
 *
 * @param order rows, of which those from one place up to another are the list
 */
export function sortRows(order: Int32Array, from: number, to: number, totals: Float64Array): void {
  let moves = MOST_MOVES * (to - from);
  for (let k = from + 1; k < to; k++) {
    const row = order[k]!;
    const total = totals[row]!;
    let at = k;
    while (at > from) {
      const other = order[at - 1]!;
      const its = totals[other]!;
      if (its > total || (its === total && other < row)) break;
      order[at] = other;
      at -= 1;
    }
    order[at] = row;
    moves -= k - at;
    if (moves < 0) {
      order.subarray(from, to).sort((a, b) => totals[b]! - totals[a]! || a - b);
      return;
    }
  }
}

/**
 * Finds a value among ascending numbers, or the position that keeps them ascending, by binary search: `lower_bound` of
 * C++, `bisect_left` of Python. O(log n).
 *
 * @param from the first position that is searched
 * @param to   the position after the last one
 * @returns the position of the first number that is not less than the value; `to` where all are less
 */
export function lowerBound(
  ascending: ArrayLike<number>,
  value: number,
  from = 0,
  to: number = ascending.length,
): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

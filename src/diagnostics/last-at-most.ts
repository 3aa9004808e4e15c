/**
 * Finds the last of ascending numbers that is not greater than a value, by binary search.
 *
 * @returns its index; -1 where all are greater
 */
export function lastAtMost(ascending: ArrayLike<number>, value: number): number {
  let low = -1;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (ascending[middle]! <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}

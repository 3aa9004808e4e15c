/**
 * The place of each number, 1 for the greatest; equal ones share the mean of their places (fractional ranking), so that
 * their order plays no part. NaN has none.
 */
export function fractionalRanks(column: Float64Array): Float64Array {
  const places = new Float64Array(column.length).fill(Number.NaN);
  const present = Array.from(column.keys()).filter((i) => !Number.isNaN(column[i]));
  const order = Int32Array.from(present).sort((a, b) => column[b]! - column[a]! || a - b);
  for (let start = 0, end = 0; start < order.length; start = end) {
    while (end < order.length && column[order[end]!] === column[order[start]!]) end += 1;
    for (const i of order.subarray(start, end)) places[i] = (start + 1 + end) / 2;
  }
  return places;
}

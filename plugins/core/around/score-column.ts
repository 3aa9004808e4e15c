import type { Score } from '../../../src/sdk.js';

/**
 * The scores that an inner scorer gives the candidates of a batch. NaN where it abstains, and where it fails: such a
 * candidate is scored again by itself, so that the failure is its own.
 */
export function scoreColumn(inner: Score<unknown>, candidates: readonly unknown[]): Float64Array {
  const column = new Float64Array(candidates.length);
  for (let index = 0; index < column.length; index++) {
    try {
      column[index] = inner(candidates[index], index) ?? Number.NaN;
    } catch {
      column[index] = Number.NaN;
    }
  }
  return column;
}

/**
 * Ranks scores from 1 for the greatest. Equal ones share the mean of their ranks (fractional ranking), so that their
 * order has no effect. NaN stays NaN.
 */
export function fractionalRanks(column: Float64Array): Float64Array {
  const ranks = new Float64Array(column.length).fill(Number.NaN);
  const present = Array.from(column.keys()).filter((i) => !Number.isNaN(column[i]));
  const order = Int32Array.from(present).sort((a, b) => column[b]! - column[a]! || a - b);
  for (let start = 0, end = 0; start < order.length; start = end) {
    while (end < order.length && column[order[end]!] === column[order[start]!]) end += 1;
    for (const i of order.subarray(start, end)) ranks[i] = (start + 1 + end) / 2;
  }
  return ranks;
}

import type { Score } from '../../src/sdk.js';

/**
 * What an inner scorer gives for each candidate of the batch. NaN stands for whatever was odd: where it abstains, and
 * where it fails, which is the candidate's own failure and comes back when the candidate is scored.
 */
export function childColumn(inner: Score<unknown>, candidates: readonly unknown[]): Float64Array {
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

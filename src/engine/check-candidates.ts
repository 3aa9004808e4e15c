import { columnsOf } from '../columns/index.js';
import { describeValue, toAssizeError } from '../diagnostics/index.js';

/** @throws AssizeError where a candidate is no object */
export function checkCandidate(candidate: unknown, index: number): void {
  if (typeof candidate === 'object' && candidate !== null) return;
  const message = `candidate ${index} is ${describeValue(candidate)}; expected an object`;
  throw toAssizeError([{ code: 'ASZ502', message }]);
}

/**
 * Candidates are objects: anything else would be scored as if every field were absent, so say what was expected.
 *
 * @param offset where in the whole these begin
 */
export function checkCandidates(candidates: readonly unknown[], offset = 0): void {
  if (columnsOf(candidates)) return; // each of their rows is one
  // By index: an iterator of entries costs as much for each candidate as a scorer does.
  for (let i = 0; i < candidates.length; i++) checkCandidate(candidates[i], offset + i);
}

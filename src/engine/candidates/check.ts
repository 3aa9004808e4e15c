import { columnsOf } from '../../columns/index.js';
import { describeValue, toAssizeError } from '../../diagnostics/index.js';

/** @throws AssizeError where a candidate is no object; a list is none */
export function checkCandidate(candidate: unknown, index: number): void {
  const isList = Array.isArray(candidate);
  if (typeof candidate === 'object' && candidate !== null && !isList) return;
  const message = `candidate ${index} is ${describeValue(candidate)}; expected an object`;
  const hint = isList ? 'one list has all candidates: [a, b]; a row of values needs names: { stars: 3 }' : undefined;
  throw toAssizeError([{ code: 'ASZ502', message, hint }]);
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

import { failure } from '../document/failure.js';
import { describeValue } from '../expression/describe.js';

/** Anything else would be scored as if every field were absent: better to say what was expected. */
export function checkCandidate(candidate: unknown, index: number): void {
  if (typeof candidate === 'object' && candidate !== null) return;
  const message = `candidate ${index} is ${describeValue(candidate)}; expected an object`;
  throw failure([{ code: 'ASZ502', message }]);
}

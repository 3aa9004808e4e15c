import { columnsOf, dateFactsOf } from '../../columns/index.js';
import { describeValue, type Problem, toAssizeError } from '../../diagnostics/index.js';
import { problemsWithDates, type Profile } from '../../profile/index.js';

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

/** By profile and fields: what was found. A stream is checked chunk by chunk. */
const found = new WeakMap<Profile, Map<string, readonly Problem[]>>();

/**
 * Checks the expressions of a profile against the fields that a table says are dates.
 *
 * @throws AssizeError (ASZ402) where a date is compared with a text
 */
export function checkDates(profile: Profile, fields: ReadonlySet<string> | undefined): void {
  if (!fields || fields.size === 0) return;
  const known = found.get(profile) ?? new Map<string, readonly Problem[]>();
  found.set(profile, known);
  const key = JSON.stringify([...fields]);
  const problems = known.get(key) ?? problemsWithDates(profile, fields);
  known.set(key, problems);
  if (problems.length > 0) throw toAssizeError(problems);
}

/** The same for candidates: columns say which fields are dates, objects do not. */
export const checkDatesOf = (profile: Profile, candidates: readonly unknown[]): void =>
  checkDates(profile, dateFactsOf(candidates)?.fields);

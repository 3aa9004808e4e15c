import { describeValue, type Problem, toAssizeError } from '../diagnostics/index.js';
import type { JudgedQuery } from './judged-query.js';

/** So many problems are listed: data of another kind has one in every query. */
const MOST_PROBLEMS = 20;

/**
 * The queries as a list.
 *
 * @throws AssizeError (ASZ606) where two have one id, or their grades are none
 */
export function checkQueries<T>(queries: Iterable<JudgedQuery<T>>): readonly JudgedQuery<T>[] {
  const all = [...queries];
  const seen = new Set<string>();
  const problems: Problem[] = [];
  for (const query of all) {
    const message = seen.has(query.id) ? `two queries have the id ${query.id}` : problemOf(query);
    seen.add(query.id);
    if (message !== undefined) problems.push({ code: 'ASZ606', message });
    if (problems.length === MOST_PROBLEMS) break;
  }
  if (problems.length > 0) throw toAssizeError(problems);
  return all;
}

function problemOf({ id, candidates, grades, missing = [] }: JudgedQuery): string | undefined {
  if (grades.length !== candidates.length) {
    return `query ${id} has ${candidates.length} candidates and ${grades.length} grades; expected one, or undefined, for each`;
  }
  const wrong = [...grades, ...missing].find((grade) => grade !== undefined && !Number.isFinite(grade));
  return wrong === undefined ? undefined : `query ${id}: a grade is ${describeValue(wrong)}; expected a number`;
}

import type { Context } from '../contract/index.js';
import { describeValue, type Problem, toAssizeError } from '../diagnostics/index.js';
import { formatPath, parsePath } from '../expression/path-syntax.js';
import type { Pipeline } from '../index.js';

/** What one query's candidates are, and how they were judged. */
export interface JudgedQuery<T = unknown> {
  /** Unique among the queries. */
  readonly id: string;
  readonly context?: Context;
  readonly candidates: readonly T[];
  /** By position of the candidate: its grade, 0 where it is judged and not relevant; undefined where it was not judged. */
  readonly grades: readonly (number | undefined)[];
  /** The grades of what is judged and not among the candidates: it cannot be found, and counts as missed. */
  readonly missing?: readonly number[];
  /** What the query stems from, such as a source or a person: queries of one group are drawn together. */
  readonly group?: string;
  /** The fold of a cross-validation that it belongs to. */
  readonly fold?: string;
  /** The same two by position of the candidate, of data without queries: then one query has all of it. */
  readonly candidateGroups?: readonly string[];
  readonly candidateFolds?: readonly string[];
}

/** Whether a query's candidates have different grades: one that was not judged counts as 0. */
export const isRankable = ({ grades }: Pick<JudgedQuery, 'grades'>): boolean =>
  grades.some((grade) => (grade ?? 0) !== (grades[0] ?? 0));

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

/**
 * Refuses profiles that read what they are measured by. What a class without `reads: 'params'` reads is not known: where
 * the label is taken out of the candidates, as `readDataset` does, such a class finds nothing there.
 *
 * @param profiles pipelines by the names that they have in messages
 * @param label    the path to the grade in a candidate
 * @throws AssizeError (ASZ540) with each entry that reads the label, something in it, or the map that it is in
 */
export function checkLabel(profiles: Readonly<Record<string, Pick<Pipeline, 'candidateReads'>>>, label: string): void {
  const steps = stepsOf(label);
  const problems = Object.entries(profiles).flatMap(([profile, { candidateReads }]) =>
    candidateReads
      .filter(({ field }) => field !== undefined && overlap(stepsOf(field), steps))
      .map(({ by, field, path, place }): Problem => {
        const message = `${by} reads ${field}, and the profile is measured by ${label}`;
        const hint = `what knows the answer proves nothing: ${remedy(profile, by)}`;
        return { code: 'ASZ540', message, place, hint, ...(path !== undefined && { path }) };
      }),
  );
  if (problems.length > 0) throw toAssizeError(problems);
}

/** Entries and rules have an id; what else reads, such as `select.ties`, is a key. */
const remedy = (profile: string, by: string): string =>
  /^[a-z0-9_]+$/.test(by) && by !== 'combine'
    ? `extends: [${profile}], and there { id: ${by}, enabled: false }`
    : `let ${by} read something else`;

/** The steps of a path, each as text; an index of a list is any of its items. */
const stepsOf = (path: string): readonly string[] =>
  parsePath(path).map((step) => formatPath([step.kind === 'index' ? { kind: 'each' } : step]));

/** Whether one path leads to the other, or to what is in it. */
const overlap = (one: readonly string[], other: readonly string[]): boolean =>
  one.slice(0, other.length).every((step, k) => step === other[k]);

/** Grades by query, by the id of a candidate. 0 is judged and not relevant; below 0 is looked at and not judged. */
export type Judgements = ReadonlyMap<string, ReadonlyMap<string, number>>;

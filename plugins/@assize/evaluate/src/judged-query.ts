import { type Context, type Pipeline, type Problem, toAssizeError } from 'assize';
import { compilePath, describeValue } from 'assize/internal';

/** A query with its candidates and their grades. */
export interface JudgedQuery<T = unknown> {
  /** Unique among the queries. */
  readonly id: string;
  readonly context?: Context;
  readonly candidates: readonly T[];
  /** The grade of each candidate: 0 if it is judged not relevant, undefined if it is not judged. */
  readonly grades: readonly (number | undefined)[];
  /** The grades of judged items that are not candidates. They cannot be retrieved and count as missed. */
  readonly missing?: readonly number[];
  /** The source of the query, such as a person. Queries of one group are not independent and are resampled together. */
  readonly group?: string;
  /** Its fold in a cross-validation. */
  readonly fold?: string;
  /** The group and the fold of each candidate, for data without queries, where one query holds all candidates. */
  readonly candidateGroups?: readonly string[];
  readonly candidateFolds?: readonly string[];
}

/** Whether the candidates have different grades. A candidate that is not judged counts as 0. */
export const isRankable = ({ grades }: Pick<JudgedQuery, 'grades'>): boolean =>
  grades.some((grade) => (grade ?? 0) !== (grades[0] ?? 0));

/** Stop after this many problems: data in a wrong format has one in every query. */
const MOST_PROBLEMS = 20;

/**
 * Lists the queries and checks them.
 *
 * @throws AssizeError (ASZ606) if two queries have the same id, or if grades are malformed
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
  if (!Array.isArray(grades)) {
    return `query ${id}: its grades are ${describeValue(grades)}; expected a list with a grade or undefined for each candidate`;
  }
  if (grades.length !== candidates.length) {
    return `query ${id} has ${candidates.length} candidates and ${grades.length} grades; expected a grade or undefined for each candidate`;
  }
  const wrong = [...grades, ...missing].find((grade) => grade !== undefined && !Number.isFinite(grade));
  return wrong === undefined ? undefined : `query ${id}: a grade is ${describeValue(wrong)}; expected a number`;
}

/**
 * Refuses profiles that read the label by which they are measured. The reads of a class without `reads: 'params'` are
 * unknown; `readDataset` removes the label from the candidates, so such a class cannot see it.
 *
 * @param profiles pipelines by their names in messages
 * @param label    the path to the grade in a candidate
 * @throws AssizeError (ASZ540) that names each entry that reads the label, a part of it, or a map that contains it
 */
export function checkLabel(profiles: Readonly<Record<string, Pick<Pipeline, 'candidateReads'>>>, label: string): void {
  const steps = stepsOf(label);
  const problems = Object.entries(profiles).flatMap(([profile, { candidateReads }]) =>
    candidateReads
      .filter(({ field }) => field !== undefined && overlap(stepsOf(field), steps))
      .map(({ by, field, path, place }): Problem => {
        const message = `${by} reads ${field}, but the profile is measured by ${label}`;
        const hint = `a profile that reads its label cannot be evaluated: ${remedy(profile, by)}`;
        return { code: 'ASZ540', message, place, hint, ...(path !== undefined && { path }) };
      }),
  );
  if (problems.length > 0) throw toAssizeError(problems);
}

/** Entries and rules have an id; other readers, such as `select.ties`, are named by their key. */
const remedy = (profile: string, by: string): string =>
  /^[a-z0-9_]+$/.test(by) && by !== 'combine'
    ? `extend it by extends: [${profile}] and disable { id: ${by}, enabled: false }`
    : `change ${by} to read another field`;

/** The steps of a path as text. An index of a list stands for all its items. */
const stepsOf = (path: string): readonly string[] =>
  compilePath(path).steps.map((step) => (step.kind === 'key' ? JSON.stringify(step.key) : '[]'));

/** Whether one path is a prefix of the other. */
const overlap = (one: readonly string[], other: readonly string[]): boolean =>
  one.slice(0, other.length).every((step, k) => step === other[k]);

/** Grades by query, by the id of a candidate. A grade of 0 means not relevant; a grade below 0 means in the pool but not judged. */
export type Judgements = ReadonlyMap<string, ReadonlyMap<string, number>>;

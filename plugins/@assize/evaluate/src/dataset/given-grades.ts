import type { CandidateSource } from 'assize';
import { describeValue, RowFile } from 'assize/internal';
import type { PathReader } from 'assize/sdk';
import { ownValue } from '../values.js';
import type { JudgedDraft } from './judge-queries.js';
import { ALL } from './query-drafts.js';
import { gradeOf, nameOf } from './row-fields.js';

/** Grades that a person gave, by query and by id; null if the person removed the grade. */
export type GivenGrades = ReadonlyMap<string, ReadonlyMap<string, number | null>>;

const HINT = 'each line has an id and a grade, and a query if there are several: { "query", "id", "grade" }';

/**
 * Reads the file of grades that `assize studio` writes: rows with `query`, `id` and `grade`.
 *
 * @throws AssizeError (ASZ103) with the place of each invalid row
 */
export async function readGivenGrades(file: string, source: CandidateSource): Promise<GivenGrades> {
  const rows = await RowFile.readBeside(file, source);
  const given = new Map<string, Map<string, number | null>>();
  for (const [row, one] of rows.rows.entries()) {
    const query = nameOf(ownValue(one, 'query')) ?? ALL;
    const id = nameOf(ownValue(one, 'id'));
    const grade = gradeOf(ownValue(one, 'grade'));
    const isRemoved = Object.hasOwn(one, 'grade') && grade === undefined;
    const ofQuery = given.get(query) ?? new Map<string, number | null>();
    given.set(query, ofQuery);
    if (id === undefined) {
      rows.refuse(row, `the id is ${describeValue(ownValue(one, 'id'))}; expected a text or a number`, HINT);
    } else if (ofQuery.has(id)) rows.refuse(row, `${id} is graded twice for query ${query}: remove one of the lines`);
    else if (isRemoved) ofQuery.set(id, null);
    else if (typeof grade === 'number') ofQuery.set(id, grade);
    else rows.refuse(row, `the grade is ${describeValue(ownValue(one, 'grade'))}; expected a number or null`, HINT);
  }
  await rows.throwIfAny();
  return given;
}

/**
 * Replaces grades of candidates by given ones. Grades of ids that are not candidates are ignored, because the file may
 * be older than the candidates.
 */
export const withGivenGrades = (
  drafts: readonly JudgedDraft[],
  given: GivenGrades,
  id: PathReader,
): readonly JudgedDraft[] =>
  drafts.map((draft) => {
    const only = draft.id === ALL && given.size === 1 ? [...given.values()][0] : undefined;
    const own = given.get(draft.id) ?? only;
    if (!own) return draft;
    const grades = draft.candidates.map((candidate, k) => {
      const name = nameOf(id(candidate));
      const grade = name === undefined ? undefined : own.get(name);
      return grade === undefined ? draft.grades[k] : (grade ?? undefined);
    });
    return { ...draft, grades };
  });

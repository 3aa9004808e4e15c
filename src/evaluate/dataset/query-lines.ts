import { describeValue } from '../../diagnostics/index.js';
import { isMap, ownValue } from '../../expression/index.js';
import { gradeOf, nameOf } from './data-path.js';
import type { QueryDraft } from './query-draft.js';
import type { RowFile } from './row-file.js';

/** Whether rows are whole queries, with their candidates in them. */
export const areQueries = (rows: readonly object[]): boolean => Array.isArray(ownValue(rows[0], 'candidates'));

/** Queries that are written whole: `{ id, context?, candidates, judgements? }` a row. */
export function queriesOfLines(file: RowFile): readonly QueryDraft[] {
  return file.rows.flatMap((line, row) => queryOfLine(file, line, row) ?? []);
}

function queryOfLine(file: RowFile, line: object, row: number): QueryDraft | undefined {
  const refuse = (message: string): undefined => {
    file.refuse(row, message);
  };
  const id = nameOf(ownValue(line, 'id'));
  if (id === undefined) return refuse(`the id is ${describeValue(ownValue(line, 'id'))}; expected a text or a number`);
  const context = ownValue(line, 'context');
  if (context !== undefined && !isMap(context)) {
    return refuse(`query ${id}: the context is ${describeValue(context)}; expected a map`);
  }
  const candidates = ownValue(line, 'candidates');
  if (!Array.isArray(candidates)) {
    return refuse(`query ${id}: the candidates are ${describeValue(candidates)}; expected a list of objects`);
  }
  const wrong = candidates.findIndex((one) => !isMap(one));
  if (wrong >= 0) {
    return refuse(`query ${id}: candidate ${wrong} is ${describeValue(candidates[wrong])}; expected an object`);
  }
  const judged = judgementsOf(line, candidates.length);
  if (typeof judged === 'string') return refuse(`query ${id}: ${judged}`);
  return {
    id,
    ...(context !== undefined && { context }),
    described: [line, ...candidates.slice(0, 1)],
    candidates,
    rows: candidates.map(() => row),
    ...(judged && { judged }),
  };
}

/** The judgements of a line: a map by id, or a list by position; a text where they are none. */
function judgementsOf(line: object, count: number): QueryDraft['judged'] | string {
  const written = ownValue(line, 'judgements') ?? ownValue(line, 'judgments');
  if (written === undefined) return undefined;
  if (!isMap(written) && !Array.isArray(written)) {
    return `the judgements are ${describeValue(written)}; expected a map of grades by id, or a list of grades`;
  }
  const byId: (readonly [string, unknown])[] = Object.entries(written);
  const wrong = byId.find(([, grade]) => gradeOf(grade) === null);
  if (wrong) return `the grade of ${wrong[0]} is ${describeValue(wrong[1])}; expected a number, true or false`;
  if (Array.isArray(written)) {
    const grades = written.map((grade) => gradeOf(grade) ?? undefined);
    return grades.length === count ? grades : `there are ${grades.length} grades for ${count} candidates`;
  }
  return new Map(byId.flatMap(([id, grade]): [string, number][] => pairOf(id, gradeOf(grade))));
}

const pairOf = (id: string, grade: number | null | undefined): [string, number][] =>
  typeof grade === 'number' ? [[id, grade]] : [];

import { type Context, toAssizeError } from 'assize';
import { describeValue, readSourceFile, type RowFile } from 'assize/internal';
import type { PathReader } from 'assize/sdk';
import { existsSync } from 'node:fs';
import { gradeOf, isAbsent, nameOf, otherFields } from './row-fields.js';
import { isMap, ownValue } from '../values.js';

/** A query without grades. */
export interface QueryDraft {
  readonly id: string;
  /** The context from the line of the query. */
  readonly context?: Context;
  /** The objects in which option paths are looked up: the line of the query, then its first candidate. */
  readonly described: readonly object[];
  readonly candidates: readonly object[];
  /** The row of each candidate in the file. */
  readonly rows: readonly number[];
  /** The judgements in the line of the query, by candidate id or by position. */
  readonly judged?: ReadonlyMap<string, number> | readonly (number | undefined)[];
}

/** The id of the one query of data without queries. */
export const ALL = 'all';

/**
 * Groups candidates by the query that they name, in order of first appearance.
 *
 * @throws AssizeError (ASZ541) if no candidate names a query
 */
export function queriesOfGroups(file: RowFile, group: PathReader): readonly QueryDraft[] {
  if (isAbsent(group, file.rows)) {
    const message = `no candidate has ${group.source}, the id of its query`;
    throw toAssizeError([
      {
        code: 'ASZ541',
        message,
        hint: `${otherFields(group, file.rows)}; if each query ranks all candidates, pass --queries FILE instead`,
      },
    ]);
  }
  const groups = new Map<string, number[]>();
  for (const [row, candidate] of file.rows.entries()) {
    const id = nameOf(group(candidate));
    if (id === undefined) {
      const found = describeValue(group(candidate));
      file.refuse(row, `${group.source}, the id of the query, is ${found}; expected a text or a number`);
      continue;
    }
    const rows = groups.get(id);
    if (rows) rows.push(row);
    else groups.set(id, [row]);
  }
  return Array.from(groups, ([id, rows]) => draftOf(file, id, rows));
}

/** All candidates for one query, or for each query of a file. The line of a query is its context. */
export function queriesOfPool(file: RowFile, queries: RowFile | undefined): readonly QueryDraft[] {
  const rows = [...file.rows.keys()];
  if (!queries) return [draftOf(file, ALL, rows)];
  const pool = draftOf(file, ALL, rows);
  return Array.from(queryContexts(queries), ([id, line]) => ({ ...pool, id, context: line, described: [line] }));
}

/** Adds contexts from a file of queries. */
export function withContexts(drafts: readonly QueryDraft[], queries: RowFile): readonly QueryDraft[] {
  const contexts = queryContexts(queries);
  return drafts.map((draft) => {
    const line = contexts.get(draft.id);
    return line ? { ...draft, context: line, described: [line, ...draft.described] } : draft;
  });
}

/**
 * The contexts in a file of queries, by id. The fields of a line are the context, merged with its `context` map if it has
 * one.
 */
function queryContexts(file: RowFile): ReadonlyMap<string, Readonly<Record<string, unknown>>> {
  const contexts = new Map<string, Readonly<Record<string, unknown>>>();
  for (const [row, line] of file.rows.entries()) {
    const id = nameOf(ownValue(line, 'id'));
    if (id === undefined) {
      file.refuse(row, `the id is ${describeValue(ownValue(line, 'id'))}; expected a text or a number`);
    } else if (contexts.has(id)) file.refuse(row, `two queries have the id ${id}`);
    else contexts.set(id, { ...line, ...nestedContext(line) });
  }
  return contexts;
}

function nestedContext(line: object): Readonly<Record<string, unknown>> {
  const context = ownValue(line, 'context');
  return isMap(context) ? context : {};
}

const draftOf = ({ rows: all }: RowFile, id: string, rows: readonly number[]): QueryDraft => ({
  id,
  described: rows.slice(0, 1).map((row) => all[row]!),
  candidates: rows.map((row) => all[row]!),
  rows,
});

/**
 * The queries of a LIBSVM file without `qid`, by LightGBM's query file: `rank.train` has `rank.train.query`, in which each
 * line is the number of rows of a query. The ids of the queries are their numbers, from 1.
 *
 * @returns undefined if the query file does not exist
 * @throws AssizeError (ASZ541) if the numbers do not sum to the number of rows
 */
export async function sizedGroups(file: string, rows: readonly object[]): Promise<readonly QueryDraft[] | undefined> {
  const beside = `${file}.query`;
  if (file === '-' || !existsSync(beside)) return undefined;
  const { text } = await readSourceFile(beside);
  const sizes = text.trim().split(/\s+/).map(Number);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total !== rows.length) {
    const message = `the sizes in ${beside} add up to ${total}; ${file} has ${rows.length} rows`;
    throw toAssizeError([{ code: 'ASZ541', message }]);
  }
  let start = 0;
  return sizes.map((size, k) => {
    const of = Array.from({ length: size }, (_, n) => start + n);
    start += size;
    const candidates = of.map((row) => rows[row]!);
    return { id: String(k + 1), described: candidates.slice(0, 1), candidates, rows: of };
  });
}

/** Whether rows are whole queries, with their candidates in them. */
export const areQueries = (rows: readonly object[]): boolean => Array.isArray(ownValue(rows[0], 'candidates'));

/** Reads complete queries: `{ id, context?, candidates, judgements? }` a row. */
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

/** The judgements of a line: a map by id, or a list by position; a message if they are invalid. */
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
    return grades.length === count
      ? grades
      : `found ${grades.length} grades for ${count} candidates; expected one for each`;
  }
  return new Map(byId.flatMap(([id, grade]): [string, number][] => pairOf(id, gradeOf(grade))));
}

const pairOf = (id: string, grade: number | null | undefined): [string, number][] =>
  typeof grade === 'number' ? [[id, grade]] : [];

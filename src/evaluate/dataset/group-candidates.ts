import { describeValue, toAssizeError } from '../../diagnostics/index.js';
import { isMap, ownValue, type PathReader } from '../../expression/index.js';
import { isAbsent, otherFields } from './absent-path.js';
import { nameOf } from './data-path.js';
import type { QueryDraft } from './query-draft.js';
import type { RowFile } from './row-file.js';

/** The id of the one query of data without queries. */
export const ALL = 'all';

/**
 * Candidates by the query that each names, in the order in which queries first appear.
 *
 * @throws AssizeError (ASZ541) where none names one
 */
export function queriesOfGroups(file: RowFile, group: PathReader): readonly QueryDraft[] {
  if (isAbsent(group, file.rows)) {
    const message = `no candidate has ${group.source}, the id of its query`;
    throw toAssizeError([{ code: 'ASZ541', message, hint: otherFields(group, file.rows) }]);
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

/** All candidates for one query, or for each query of a file, whose line is its context. */
export function queriesOfPool(file: RowFile, queries: RowFile | undefined): readonly QueryDraft[] {
  const rows = [...file.rows.keys()];
  if (!queries) return [draftOf(file, ALL, rows)];
  const pool = draftOf(file, ALL, rows);
  return Array.from(queryContexts(queries), ([id, line]) => ({ ...pool, id, context: line, described: [line] }));
}

/** Candidates of groups whose queries are described in a file. */
export function withContexts(drafts: readonly QueryDraft[], queries: RowFile): readonly QueryDraft[] {
  const contexts = queryContexts(queries);
  return drafts.map((draft) => {
    const line = contexts.get(draft.id);
    return line ? { ...draft, context: line, described: [line, ...draft.described] } : draft;
  });
}

/**
 * Lines of a file of queries by id: what each says of its query. Its fields are the context, and those of its own
 * `context` if it has a map there, as the line of a whole query does.
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

import { describeValue, didYouMean, toAssizeError } from '../../base/index.js';
import { groupReader, type GroupKey, groupText, sameGroup, toGroupKey } from '../../data/index.js';
import { type CandidateSource, type ColumnsRead, detectFileFormat, RowFile } from '../../data/node.js';
import { compilePath, isMap, ownValue, parsePath, type PathReader } from '../../expression/index.js';
import { contextOfGroups, type GroupContexts, withoutValue } from '../../scale/parts/index.js';
import type { Context } from '../../sdk/index.js';
import type { InputOptions } from '../options.js';
import type { GroupOptions, OneGroupOptions } from '../table-options.js';
import type { Io } from '../terminal/io.js';
import { usageError } from '../terminal/problems.js';
import { chunksOfCandidateFile, type CliSession } from './session.js';

/** The options of rows in groups. */
interface GroupedInput extends GroupOptions, InputOptions {
  readonly partitionBy: string;
}

/**
 * Reads how the context of each group is made: that of the session, the fields of `--context-from`, and the rows of
 * `--queries`.
 *
 * @throws AssizeError with the problems of the queries
 */
export async function groupContexts(
  { context }: Pick<CliSession, 'context'>,
  { queries, contextFrom = [], absent }: Pick<GroupedInput, 'queries' | 'contextFrom' | 'absent'>,
  io: Io,
): Promise<GroupContexts> {
  const fields = contextFrom.map(contextField);
  if (queries === undefined) return { context, fields, queries };
  return { context, fields, queries: { name: queries, rows: await readQueries(queries, { stdin: io.stdin, absent }) } };
}

/** Parses `text`, or `query=text`: a path. The name is its last key by default. */
function contextField(text: string): GroupContexts['fields'][number] {
  const [, name, source = text] = /^([\p{ID_Start}_][\p{ID_Continue}]*)=(.*)$/su.exec(text) ?? [];
  const path = optionPath('--context-from', source);
  const last = path.steps.at(-1);
  return { name: name ?? (last?.kind === 'key' ? last.key : source), path: source };
}

/** @throws AssizeError (ASZ601) if the value of an option is not a path */
export function optionPath(option: string, text: string): PathReader {
  try {
    return compilePath(text);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const hint = 'write a field, or fields separated by dots: metadata.task';
    throw usageError(`${option} is ${JSON.stringify(text)}: ${error.message}`, hint);
  }
}

/** The contexts in a file of queries, by id: the fields of a row, merged with its `context` map if it has one. */
async function readQueries(
  name: string,
  source: CandidateSource,
): Promise<ReadonlyMap<string, Readonly<Record<string, unknown>>>> {
  const file = await RowFile.readBeside(name, source);
  const contexts = new Map<string, Readonly<Record<string, unknown>>>();
  for (const [row, line] of file.rows.entries()) {
    const id = toGroupKey(ownValue(line, 'id'));
    if (id === null || (typeof id === 'object' && 'invalid' in id)) {
      file.refuse(row, `the id is ${describeValue(ownValue(line, 'id'))}; expected a text or a number`);
      continue;
    }
    const nested = ownValue(line, 'context');
    if (contexts.has(groupText(id))) file.refuse(row, `two queries have the id ${groupText(id)}`);
    else contexts.set(groupText(id), { ...line, ...(isMap(nested) && nested) });
  }
  await file.throwIfAny();
  return contexts;
}

/** Reads the rows of a file in batches. */
export interface GroupedRows {
  /** The columns of a columnar file that are read; undefined for all. */
  readonly fields: ReadonlySet<string> | undefined;
  /** @param sorted whether DuckDB sorts them by the group first */
  read(sorted: boolean): AsyncGenerator<readonly object[], void>;
  /** The first row, with all its fields. */
  first(): Promise<object | undefined>;
}

/**
 * Opens the rows of a file that are ranked in groups.
 *
 * @param whole whether every field is needed, not only those that the profile, the groups and the contexts read
 */
export async function openGroupedRows(
  { compiled }: CliSession,
  file: string,
  options: GroupedInput,
  whole: boolean,
  io: Io,
): Promise<GroupedRows> {
  const { partitionBy, contextFrom = [], input } = options;
  optionPath('--partition-by', partitionBy);
  const format = input ?? (file === '-' ? undefined : await detectFileFormat(file));
  const columns = whole
    ? undefined
    : columnsRead(compiled, [partitionBy, ...contextFrom.map((text) => contextField(text).path)]);
  const first = async (): Promise<object | undefined> => {
    for await (const [row] of chunksOfCandidateFile(file, io, options, undefined, compiled)) if (row) return row;
    return undefined;
  };
  return {
    fields: columns?.fields,
    first,
    read(sorted) {
      const sort = async function* (path: string, source: CandidateSource) {
        const { sortedChunks } = await import('../../scale/sql/engines/duckdb-tables.js');
        yield* sortedChunks(path, format, partitionBy, source);
      };
      const chunks = chunksOfCandidateFile(file, io, options, columns, compiled, sorted ? sort : undefined);
      return withFields(chunks, file, options, columns && file !== '-' ? first : undefined);
    },
  };
}

/**
 * Passes chunks on, and checks that each path has a value in at least one row, or is a column.
 *
 * @param wholeRow returns a row with all fields, if the rows do not have them
 * @throws AssizeError (ASZ541) after the last row
 */
async function* withFields(
  chunks: AsyncIterable<readonly object[]>,
  file: string,
  { partitionBy: by, contextFrom = [] }: Pick<GroupedInput, 'partitionBy' | 'contextFrom'>,
  wholeRow?: GroupedRows['first'],
): AsyncGenerator<readonly object[], void> {
  let missing: readonly string[] = [by, ...contextFrom.map((text) => contextField(text).path)];
  let first: object | undefined;
  for await (const chunk of chunks) {
    first ??= chunk[0];
    if (missing.length > 0) missing = withoutValue(missing, chunk);
    yield chunk;
  }
  if (first && missing.length > 0) throw absentError(file, by, missing, (await wholeRow?.()) ?? first);
}

/**
 * The error for paths without a value.
 *
 * @param by the path of the group
 */
export function absentError(file: string, by: string, paths: readonly string[], first: object): Error {
  const names = Object.keys(first);
  const problems = paths.map((path, k) => ({
    code: 'ASZ541' as const,
    message: `${k === 0 && path === by ? '--partition-by' : '--context-from'} is ${path}, of which no row of ${file === '-' ? 'stdin' : file} has a value`,
    hint: didYouMean(path, names, 'write the field as the rows have it'),
  }));
  return toAssizeError(problems);
}

/** The error for paths without a value in a file that threads have read. */
export async function absentFieldsError(
  file: string,
  by: string,
  paths: readonly string[],
  rows: GroupedRows,
): Promise<unknown> {
  const first = await rows.first();
  return first && absentError(file, by, paths, first);
}

/** The columns of a columnar file that are read; undefined if any may be read. */
function columnsRead({ plan }: CliSession['compiled'], paths: readonly string[]): ColumnsRead | undefined {
  const { fields } = plan.columnReader;
  if (!fields) return undefined;
  const first = paths.map((path) => parsePath(path)[0]);
  const keys = first.flatMap((step) => (step?.kind === 'key' ? [step.key] : []));
  return keys.length === first.length ? { fields: new Set([...fields, ...keys]), whole: 0 } : undefined;
}

/** The rows of one group, with its context. */
interface GroupOfFile {
  readonly candidates: readonly object[];
  readonly context: Context;
}

/**
 * Reads one group of a file, in the order of its rows.
 *
 * @throws AssizeError if the file has no such group (ASZ504), or if an option is missing (ASZ601)
 */
export async function readGroup(
  session: CliSession,
  file: string,
  { partitionBy, group, ...options }: OneGroupOptions & InputOptions,
  io: Io,
): Promise<GroupOfFile> {
  if (partitionBy === undefined) throw usageError('--group needs --partition-by', '--partition-by query_id --group q7');
  if (group === undefined) throw usageError('--partition-by needs --group', `--partition-by ${partitionBy} --group q7`);
  const contextOf = contextOfGroups(await groupContexts(session, options, io));
  const rows = await openGroupedRows(session, file, { ...options, partitionBy }, true, io);
  const reader = groupReader(partitionBy);
  const candidates: object[] = [];
  let key: GroupKey | undefined;
  for await (const chunk of rows.read(false)) {
    const valueAt = reader(chunk);
    for (let k = 0; k < chunk.length; k++) {
      const own = toGroupKey(valueAt(k));
      if (own !== null && typeof own === 'object' && 'invalid' in own) continue;
      if (groupText(own) !== group) continue;
      key ??= own;
      if (!sameGroup(own, key)) throw ambiguousGroup(partitionBy, group, file);
      candidates.push(chunk[k]!);
    }
  }
  if (key !== undefined) {
    const own = typeof contextOf === 'function' ? contextOf(candidates[0]!, key) : contextOf;
    return { candidates, context: own };
  }
  const message = `no row of ${file === '-' ? 'stdin' : file} has ${JSON.stringify(group)} as ${partitionBy}`;
  throw toAssizeError([{ code: 'ASZ504', message, hint: 'name a group as the table has it' }]);
}

function ambiguousGroup(by: string, group: string, file: string): Error {
  const rows = file === '-' ? 'stdin' : file;
  const message = `two groups of ${rows} are written ${JSON.stringify(group)}: ${by} is a text in some rows, and another value in others`;
  return toAssizeError([{ code: 'ASZ504', message, hint: `convert each value of ${by} to a text` }]);
}

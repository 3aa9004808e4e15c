import { describeValue, didYouMean, toAssizeError } from '../../base/index.js';
import {
  columnsOf,
  fieldReader,
  groupReader,
  type GroupKey,
  groupText,
  sameGroup,
  toGroupKey,
} from '../../data/index.js';
import { type CandidateSource, type ColumnsRead, detectFileFormat, RowFile } from '../../data/node.js';
import type { PartitionContext } from '../../pipeline/index.js';
import { compilePath, isMap, ownValue, parsePath, type PathReader } from '../../expression/index.js';
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
 * Makes the context of all groups, or the function that returns the context of each group: that of the session, the fields of `--context-from`, and
 * the row of `--queries`.
 *
 * @throws AssizeError with the problems of the queries; the function throws one (ASZ541) for a group without a query
 */
export async function groupContexts(
  { context }: Pick<CliSession, 'context'>,
  { queries, contextFrom = [], absent }: Pick<GroupedInput, 'queries' | 'contextFrom' | 'absent'>,
  io: Io,
): Promise<PartitionContext<object>> {
  const fields = contextFrom.map(contextField);
  const contexts = queries === undefined ? undefined : await readQueries(queries, { stdin: io.stdin, absent });
  if (!contexts && fields.length === 0) return context;
  return (row, group) => {
    const own: Record<string, unknown> = { ...context };
    for (const { name, path } of fields) own[name] = path(row) ?? own[name];
    if (!contexts) return own;
    const line = contexts.get(groupText(group));
    if (line) return { ...own, ...line };
    const message = `${queries} has no row with the id ${JSON.stringify(groupText(group))}, which is a group of the candidates`;
    throw toAssizeError([{ code: 'ASZ541', message, hint: 'add the row, or remove the candidates of the group' }]);
  };
}

/** A field that is copied into the context. */
interface ContextField {
  readonly name: string;
  readonly path: PathReader;
}

/** Parses `text`, or `query=text`: a path. The name is its last key by default. */
function contextField(text: string): ContextField {
  const [, name, source = text] = /^([\p{ID_Start}_][\p{ID_Continue}]*)=(.*)$/su.exec(text) ?? [];
  const path = optionPath('--context-from', source);
  const last = path.steps.at(-1);
  return { name: name ?? (last?.kind === 'key' ? last.key : source), path };
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
  /** @param sorted whether DuckDB sorts them by the group first */
  read(sorted: boolean): AsyncGenerator<readonly object[], void>;
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
    : columnsRead(compiled, [partitionBy, ...contextFrom.map((text) => contextField(text).path.source)]);
  return {
    read(sorted) {
      const sort = async function* (path: string, source: CandidateSource) {
        const { sortedChunks } = await import('../../scale/sql/engines/duckdb-tables.js');
        yield* sortedChunks(path, format, partitionBy, source);
      };
      const chunks = chunksOfCandidateFile(file, io, options, columns, compiled, sorted ? sort : undefined);
      return withFields(chunks, file, [
        ['--partition-by', partitionBy],
        ...contextFrom.map((text): NamedPath => ['--context-from', contextField(text).path.source]),
      ]);
    },
  };
}

type NamedPath = readonly [option: string, path: string];

/**
 * Passes chunks on, and checks that each path has a value in at least one row, or is a column.
 *
 * @throws AssizeError (ASZ541) after the last row
 */
async function* withFields(
  chunks: AsyncIterable<readonly object[]>,
  file: string,
  paths: readonly NamedPath[],
): AsyncGenerator<readonly object[], void> {
  let missing = paths;
  let first: object | undefined;
  for await (const chunk of chunks) {
    first ??= chunk[0];
    const columns = columnsOf(chunk)?.columns;
    missing = missing.filter(([, path]) => {
      if (columns?.has(path)) return false; // all its values may be null
      const valueAt = fieldReader(path)(chunk);
      // By position: the rows of columns are not made objects.
      for (let k = 0; k < chunk.length; k++) if (valueAt(k) !== undefined && valueAt(k) !== null) return false;
      return true;
    });
    yield chunk;
  }
  if (!first || missing.length === 0) return;
  const names = Object.keys(first);
  const problems = missing.map(([option, path]) => ({
    code: 'ASZ541' as const,
    message: `${option} is ${path}, of which no row of ${file === '-' ? 'stdin' : file} has a value`,
    hint: didYouMean(path, names, 'write the field as the rows have it'),
  }));
  throw toAssizeError(problems);
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
  const contextOf = await groupContexts(session, options, io);
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

import { type Stats, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname } from 'node:path';
import type { DuckDBConnection, DuckDBDataChunk, DuckDBInstance, DuckDBResultReader } from '@duckdb/node-api';
import type { Progress } from '../../../sdk/index.js';
import { checkOptions, describeValue, toError } from '../../../base/index.js';
import { type CsvLines, readCsvLines } from '../../../data/index.js';
import {
  reportRowsRead,
  readCandidateChunks,
  readFileParts,
  type InputFormat,
  ResultColumns,
} from '../../../data/node.js';
import { hasParts, type OptionalPackage, rethrow } from '../../../services/index.js';
import { type Column, fail } from '../dialect.js';
import { duckdb } from '../dialects.js';
import { cellsOf, chosenOfTable, decodeCells, readTable, type Relation } from '../relation.js';
import { toPrefilterRow } from '../prefilter-rows.js';
import { followStatement, loadPackage, type SqlEngine, stopOnAbort } from './engine.js';

type DuckDb = typeof import('@duckdb/node-api');

const DUCKDB: OptionalPackage<DuckDb> = {
  name: '@duckdb/node-api',
  neededBy: 'the engine duckdb',
  part: 'DuckDBInstance',
  isLibrary: hasParts<DuckDb>('DuckDBInstance'),
};

/** Makes a connection report its progress, without drawing a bar of its own. */
const COUNT_PROGRESS = 'SET enable_progress_bar = true; SET enable_progress_bar_print = false';

/** The format of each file extension. */
const FORMATS = {
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
  '.csv': 'csv',
  '.tsv': 'tsv',
  '.parquet': 'parquet',
} as const satisfies Readonly<Record<string, InputFormat>>;

type Format = (typeof FORMATS)[keyof typeof FORMATS];

export interface DuckDbOptions {
  /** The number of threads. Defaults to all cores. */
  readonly threads?: number | undefined;
  /** The memory limit, for example `2GB`. Beyond it, DuckDB writes to the folder for temporary files. */
  readonly memory?: string | undefined;
}

/**
 * Opens files of JSON Lines, CSV, TSV or Parquet in an embedded DuckDB. The files are read in the given order.
 *
 * @throws AssizeError if the package is missing (ASZ565), if a file has another format (ASZ566), or if an option is
 *   invalid (ASZ533)
 */
export async function duckDbEngine(files: readonly string[], options: DuckDbOptions = {}): Promise<SqlEngine> {
  checkOptions('duckDbEngine', options, { threads: { integerFrom: 1 }, memory: 'string' });
  const format = formatOf(files);
  const instance = await openInstance(options);
  const connection = await instance.connect();
  const list = `[${files.map((file) => duckdb.text(file)).join(', ')}]`;
  const unchanged = new UnchangedFiles(files);
  const subject = files.length === 1 ? `${files[0]}` : `${files.length} files`;
  return {
    dialect: duckdb,
    subject,
    relation() {
      unchanged.begin();
      return relationOf(format, files, list, connection);
    },
    async sieve(sql, abort, progress) {
      const stop = (): void => connection.interrupt();
      const percent = (): number => connection.progress.percentage;
      const run = async (): Promise<DuckDBResultReader> => {
        if (progress) await connection.run(COUNT_PROGRESS);
        const ask = (): Promise<DuckDBResultReader> => connection.runAndReadAll(sql);
        return followStatement(`querying ${subject} with duckdb`, ask, progress, percent);
      };
      const answer = await stopOnAbort(abort, stop, run);
      unchanged.check();
      return answer.getRowObjects().map(toPrefilterRow);
    },
    async *stream(sql, abort) {
      for await (const { chunk, names } of chunksOf(connection, sql, abort))
        yield chunk.getRowObjects(names).map(toPrefilterRow);
      unchanged.check();
    },
    async *columns(sql, columns, abort) {
      const reader = new ResultColumns(columns);
      for await (const { chunk } of chunksOf(connection, sql, abort)) {
        const rows = reader.read(chunk.chunk);
        if (!rows) throw new Error('its vectors cannot be read on this system');
        yield rows;
      }
      unchanged.check();
    },
    candidates: (relation, progress) =>
      format === 'parquet'
        ? reportRowsRead(`reading ${subject}`, rowsOf(connection, relation), progress, undefined)
        : textRowsOf(files, format, progress),
    async close() {
      connection.closeSync();
      instance.closeSync(); // also ends its threads
    },
  };
}

/** The result of a statement, chunk by chunk, with the names of its columns. */
async function* chunksOf(
  connection: DuckDBConnection,
  sql: string,
  abort: AbortSignal | undefined,
): AsyncGenerator<{ readonly chunk: DuckDBDataChunk; readonly names: readonly string[] }, void> {
  const stop = (): void => connection.interrupt();
  const result = await stopOnAbort(abort, stop, () => connection.stream(sql));
  const names = result.deduplicatedColumnNames();
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- one chunk in memory
    const chunk = await stopOnAbort(abort, stop, () => result.fetchChunk());
    if (!chunk || chunk.rowCount === 0) return;
    yield { chunk, names };
  }
}

async function relationOf(
  format: Format,
  files: readonly string[],
  list: string,
  connection: DuckDBConnection,
): Promise<Relation> {
  if (format === 'jsonl') return linesRelation(list);
  if (format === 'parquet') return parquetRelation(connection, list, files.length === 1);
  return csvRelation(files, format === 'csv' ? ',' : '\t');
}

const isKnown = (ending: string): ending is keyof typeof FORMATS => Object.hasOwn(FORMATS, ending);

/** @throws AssizeError (ASZ566) */
export function formatOf(files: readonly string[]): Format {
  const formats = files.map((file) => {
    const ending = extname(file).toLowerCase();
    const format = isKnown(ending) ? FORMATS[ending] : undefined;
    if (!format) {
      const endings = Object.keys(FORMATS).join(', ');
      fail('ASZ566', `${file} has no format that the engine duckdb reads`, `it reads ${endings}`);
    }
    // DuckDB would read every file that matches the pattern, in its own order.
    if (/[*?[\]]/.test(file)) fail('ASZ566', `${file} is a glob pattern for DuckDB`, 'rename it without *, ?, [ and ]');
    return format;
  });
  const [first] = formats;
  if (!first) fail('ASZ566', 'the engine duckdb has no file to read', 'pass files of JSON Lines, CSV or Parquet');
  if (formats.some((format) => format !== first)) {
    fail('ASZ566', 'the files have different formats', 'rank the files of each format in a separate call');
  }
  return first;
}

export async function openInstance({ threads, memory }: DuckDbOptions): Promise<DuckDBInstance> {
  const { DuckDBInstance } = await loadPackage(DUCKDB, () => import('@duckdb/node-api').catch(rethrow));
  const options = {
    preserve_insertion_order: 'true',
    temp_directory: tmpdir(),
    ...(threads !== undefined && { threads: String(threads) }),
    ...(memory !== undefined && { memory_limit: memory }),
  };
  try {
    return await DuckDBInstance.create(':memory:', options);
  } catch (error) {
    if (memory === undefined) throw error;
    const given = `the option memory of duckDbEngine is ${describeValue(memory)}`;
    return fail(
      'ASZ533',
      `${given}, which DuckDB does not accept: ${toError(error).message}`,
      'write it as 2GB or 512MB',
      error,
    );
  }
}

async function* textRowsOf(
  files: readonly string[],
  format: InputFormat,
  progress: Progress | undefined,
): AsyncGenerator<readonly object[]> {
  for (const file of files) yield* readCandidateChunks(file, { progress }, format);
}

async function* rowsOf(connection: DuckDBConnection, { cells, decode }: Relation): AsyncGenerator<readonly object[]> {
  const result = await connection.stream(cells);
  for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; ) {
    yield chunk.getColumnValues(1).map((text) => decode(String(text)));
    // one chunk in memory
    chunk = await result.fetchChunk();
  }
}

const POSITION = '(row_number() OVER () - 1)';
const NUMBER_IN_FILE = 'file_row_number';

/** Lines of JSON. Each field is a JSON document, so that `"12"` is not a number. DuckDB fails on duplicate keys. */
function linesRelation(files: string): Relation {
  return {
    column: (name) => ({ name, type: 'JSON', kind: 'json' }),
    read: (columns) => {
      const names = columns.size === 0 ? ['id'] : [...columns.keys()];
      const types = names.map((name) => `${duckdb.text(name)}: 'JSON'`).join(', ');
      const rows = `read_json(${files}, format = 'newline_delimited', records = true, columns = {${types}})`;
      return readTable(duckdb, rows, POSITION, columns);
    },
    hasWholeKeys: true,
    positions: undefined,
    cells: `SELECT ${POSITION} AS k, CAST(json AS VARCHAR) AS cells FROM read_json_objects(${files}, format = 'newline_delimited')`,
    decode: (line) => {
      const value: unknown = JSON.parse(line);
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
      throw new SyntaxError('a line is not an object');
    },
  };
}

/** A Parquet file. Each column has one type. */
async function parquetRelation(connection: DuckDBConnection, files: string, isOne: boolean): Promise<Relation> {
  const read = (options: string): string => `read_parquet(${files}, hive_partitioning = false${options})`;
  const described = await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${read('')}`).catch((error: unknown) => {
    return fail('ASZ567', `DuckDB cannot read the files: ${toError(error).message}`);
  });
  await checkNames(connection, files);
  const columns = described.getRowObjects().map((row): Column => {
    const type = String(row['column_type']);
    return { name: String(row['column_name']), type, kind: duckdb.kindOf(type) };
  });
  // With `file_row_number`, DuckDB finds a row of a single file without reading or counting the others.
  const isNumbered = isOne && !columns.some(({ name }) => name.toLowerCase() === NUMBER_IN_FILE);
  const rows = read(isNumbered ? `, ${NUMBER_IN_FILE} = true` : '');
  const position = isNumbered ? NUMBER_IN_FILE : POSITION;
  return {
    column: (name) => columns.find((column) => column.name === name),
    names: columns.map(({ name }) => name),
    read: (wanted) => readTable(duckdb, rows, position, wanted),
    hasWholeKeys: true,
    positions: undefined,
    cells: `SELECT ${position} AS k, ${cellsOf(duckdb, columns)} AS cells FROM ${rows}`,
    chosen: chosenOfTable(duckdb, rows, position, columns),
    table: { sql: rows, key: position },
    decode: (cells) => decodeCells(columns, cells),
  };
}

/** Fails if column names differ only by case, in a file or between files: DuckDB would confuse these columns. */
async function checkNames(connection: DuckDBConnection, files: string): Promise<void> {
  const names = `SELECT DISTINCT split_part(path_in_schema, ', ', 1) AS name FROM parquet_metadata(${files})`;
  const same = `SELECT string_agg(name, ' and ' ORDER BY name) AS names FROM (${names}) GROUP BY lower(name) HAVING count(*) > 1`;
  const [first] = (await connection.runAndReadAll(same)).getRowObjects();
  if (!first) return;
  const message = `DuckDB cannot distinguish the columns ${String(first['names'])}`;
  fail('ASZ567', message, 'rank without this engine, or rename one of them');
}

/**
 * A delimiter that no line contains, so that DuckDB reads each line as one column. DuckDB fails on a line that has it.
 */
const NEVER = '\u0001';

/** The name of a column that no file has. */
const ownColumn = (name: string): string => duckdb.identifier(`${NEVER}${name}`);
const [LINE, CELLS] = [ownColumn('line'), ownColumn('cells')];

/** The characters that `String.prototype.trim` removes. */
const WHITE_SPACE =
  '\t\n\u000b\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';

/** Numbers within the range of a double, whatever their digits. `NUMBER` matches every JSON number. */
const SURE_NUMBER =
  '-?(?:0|[1-9][0-9]{0,14}|(?:0|[1-9][0-9]{0,30})(?:\\.[0-9]{1,30}(?:[eE][+-]?[0-9]{1,2})?|[eE][+-]?[0-9]{1,2}))';
const NUMBER = '-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?';

/** A relation that no statement can read. The process then reads the files, and reports their problems. */
const unreadable = (why: unknown): Relation => ({
  column: () => undefined,
  read: () => {
    throw why;
  },
  hasWholeKeys: true,
  positions: undefined,
  cells: '',
  decode: () => ({}),
});

/**
 * Files of CSV or TSV. DuckDB returns lines and splits each at the delimiter, which is correct for a line without
 * quotes. The process reads lines with quotes, and lines with a wrong number of cells. DuckDB's CSV reader is not used,
 * because it is lenient and infers its own types. Cells become JSON documents by the rules of `parseCell`.
 */
const csvRelation = (files: readonly string[], delimiter: ',' | '\t'): Promise<Relation> =>
  linesAsRelation(files, delimiter).catch(unreadable);

async function linesAsRelation(files: readonly string[], delimiter: ',' | '\t'): Promise<Relation> {
  const all = await Promise.all(files.map((file) => readCsvLines(readFileParts(file), delimiter)));
  const [first] = all as [CsvLines];
  const shape = ({ columns }: CsvLines): string => JSON.stringify(columns);
  if (all.some((one) => shape(one) !== shape(first))) throw new Error('the files have different columns');
  if (first.columns.flat().some((key) => key.includes(NEVER)))
    throw new Error('a column has a control character in its name');
  const lines = linesText(files);
  const byName = groupedAt(0, [...first.columns.entries()]);
  return {
    column: (name) => (byName.has(name) ? { name, type: 'JSON', kind: 'json' } : undefined),
    names: [...byName.keys()],
    read: (columns) => {
      const documents = Array.from(columns, ([name, own]) => `${document(byName.get(name) ?? [], 1)} AS ${own}`);
      const uncertain = `(contains(${LINE}, '"') OR len(${CELLS}) <> ${first.columns.length})`;
      const cut = `SELECT ${LINE}, string_split(${LINE}, ${duckdb.text(delimiter)}) AS ${CELLS} FROM ${lines}`;
      return `SELECT ${[`${POSITION} AS k`, `${uncertain} AS uncertain_row`, ...documents].join(', ')} FROM (${cut})`;
    },
    marksUncertain: true,
    hasWholeKeys: true,
    positions: undefined,
    cells: `SELECT ${POSITION} AS k, ${LINE} AS cells FROM ${lines}`,
    decode: (line) => first.row(line),
  };
}

/**
 * The lines of the files that are not empty, without the header of each file, as one column. Strict mode makes DuckDB
 * fail on a line that contains `NEVER`.
 */
function linesText(files: readonly string[]): string {
  const options = [
    `delim = '${NEVER}', quote = '', escape = '', header = false, skip = 1, auto_detect = false`,
    `columns = {${duckdb.text(`${NEVER}line`)}: 'VARCHAR'}, strict_mode = true, null_padding = false, ignore_errors = false`,
  ];
  const list = files.map((file) => duckdb.text(file)).join(', ');
  return `(SELECT ${LINE} FROM read_csv([${list}], ${options.join(', ')}) WHERE ${LINE} IS NOT NULL)`;
}

type PlacedColumn = readonly [column: number, keys: readonly string[]];

/** Groups columns by one of their keys. */
function groupedAt(depth: number, columns: readonly PlacedColumn[]): ReadonlyMap<string, readonly PlacedColumn[]> {
  const groups = new Map<string, readonly PlacedColumn[]>();
  for (const column of columns) {
    const key = column[1][depth] ?? '';
    groups.set(key, [...(groups.get(key) ?? []), column]);
  }
  return groups;
}

/** The JSON value of columns with the same first `depth` keys: a cell, or an object of the values that are present. */
function document(columns: readonly PlacedColumn[], depth: number): string {
  const [[column, keys] = [0, []]] = columns;
  if (keys.length === depth) return `CAST(${cellText(`${CELLS}[${column + 1}]`)} AS JSON)`;
  const parts = Array.from(
    groupedAt(depth, columns),
    ([key, own]) => [duckdb.text(key), document(own, depth + 1)] as const,
  );
  const present = parts.map(([, part]) => `${part} IS NOT NULL`).join(' OR ');
  return `CASE WHEN ${present} THEN json_object(${parts.flat().join(', ')}) END`;
}

/**
 * A cell as JSON; NULL if it is absent. A number that may exceed a double becomes an empty list. It is present but has
 * an unexpected type, so that the process reads the row.
 */
function cellText(cell: string): string {
  const trimmed = `trim(${cell}, ${duckdb.text(WHITE_SPACE)})`;
  const isOne = (value: string): string => `${trimmed} IN ('${value}', '${capital(value)}', '${value.toUpperCase()}')`;
  return [
    // Most cells match without trimming, which takes three times as long.
    `CASE WHEN regexp_full_match(${cell}, '${SURE_NUMBER}') THEN ${cell}`,
    `WHEN ${trimmed} = '' THEN NULL`,
    `WHEN regexp_full_match(${trimmed}, '${SURE_NUMBER}') THEN ${trimmed}`,
    `WHEN regexp_full_match(${trimmed}, '${NUMBER}') THEN '[]'`,
    ...['true', 'false'].map((value) => `WHEN ${isOne(value)} THEN '${value}'`),
    `ELSE CAST(to_json(${cell}) AS VARCHAR) END`,
  ].join(' ');
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Checks that files do not change while one or more statements read them. */
class UnchangedFiles {
  #known: readonly (Stats | undefined)[] = [];

  constructor(private readonly files: readonly string[]) {}

  /** Records the current state of the files. */
  begin(): void {
    this.#known = this.#now();
  }

  /** @throws Error if the size, modification time or inode of a file has changed */
  check(): void {
    const changed = this.#now().findIndex((now, k) => !isSame(now, this.#known[k]));
    if (changed >= 0) throw new Error(`${this.files[changed]} changed while it was read`);
  }

  #now(): readonly (Stats | undefined)[] {
    return this.files.map((file) => statSync(file, { throwIfNoEntry: false }));
  }
}

const isSame = (a: Stats | undefined, b: Stats | undefined): boolean =>
  a?.size === b?.size && a?.mtimeMs === b?.mtimeMs && a?.ino === b?.ino;

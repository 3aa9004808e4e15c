import { tmpdir } from 'node:os';
import { extname } from 'node:path';
import type { DuckDBConnection, DuckDBResultReader } from '@duckdb/node-api';
import type { Progress } from '../../contract/index.js';
import { toError } from '../../diagnostics/index.js';
import type { InputFormat } from '../../input/index.js';
import { readCandidateChunks } from '../../input/read-candidates.js';
import {
  importOptional,
  type OptionalPackage,
  OptionalPackageError,
  rethrow,
} from '../../services/optional-package.js';
import type { Column } from '../dialect.js';
import { duckdb } from '../dialects/duckdb.js';
import type { SqlEngine } from '../engine.js';
import { followRows, followStatement } from '../follow-statement.js';
import { fail } from '../problems.js';
import { readTable, type Relation } from '../relation.js';
import { toSieveRow } from '../sieve-rows.js';
import { untilAborted } from './until-aborted.js';
import { cellsOf, decodeCells } from '../table-rows.js';
import { csvRelation } from './csv-relation.js';

type DuckDb = typeof import('@duckdb/node-api');

const DUCKDB: OptionalPackage<DuckDb> = {
  name: '@duckdb/node-api',
  neededBy: 'the engine duckdb',
  part: 'DuckDBInstance',
  isLibrary: (module): module is DuckDb => typeof module === 'object' && module !== null && 'DuckDBInstance' in module,
};

const POSITION = '(row_number() OVER () - 1)';
const NUMBER_IN_FILE = 'file_row_number';

/** Lets a connection say how far its statement is, without drawing a bar of its own. */
const COUNT_PROGRESS = 'SET enable_progress_bar = true; SET enable_progress_bar_print = false';

/** The readers by the endings of files. */
const FORMATS = {
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
  '.csv': 'csv',
  '.tsv': 'tsv',
  '.parquet': 'parquet',
} as const satisfies Readonly<Record<string, InputFormat>>;

type Format = (typeof FORMATS)[keyof typeof FORMATS];

/** How DuckDB is used. */
export interface DuckDbOptions {
  /** How many threads it may use; all cores when not given. */
  readonly threads?: number | undefined;
  /** What it may keep in memory, as `2GB`; beyond that it writes to the folder for temporary files. */
  readonly memory?: string | undefined;
}

/**
 * Files of JSON Lines, CSV, TSV or Parquet, read by an embedded DuckDB: one after another, in the order in which they are given.
 *
 * @throws AssizeError where the package is missing (ASZ565), or a file is of another format (ASZ566)
 */
export async function duckDbEngine(files: readonly string[], options: DuckDbOptions = {}): Promise<SqlEngine> {
  const format = formatOf(files);
  const connection = await connect(options);
  const list = `[${files.map((file) => duckdb.text(file)).join(', ')}]`;
  const subject = files.length === 1 ? `${files[0]}` : `${files.length} files`;
  return {
    dialect: duckdb,
    subject,
    relation: () => relationOf(format, files, list, connection),
    async sieve(sql, abort, progress) {
      const stop = (): void => connection.interrupt();
      const percent = (): number => connection.progress.percentage;
      const run = async (): Promise<DuckDBResultReader> => {
        if (progress) await connection.run(COUNT_PROGRESS);
        return followStatement(`asking duckdb about ${subject}`, connection.runAndReadAll(sql), progress, percent);
      };
      return (await untilAborted(abort, stop, run)).getRowObjects().map(toSieveRow);
    },
    candidates: (relation, progress) =>
      format === 'parquet'
        ? followRows(`reading ${subject}`, rowsOf(connection, relation), progress, undefined)
        : textRowsOf(files, format, progress),
    close: async () => connection.closeSync(),
  };
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

function formatOf(files: readonly string[]): Format {
  const formats = files.map((file) => {
    const ending = extname(file).toLowerCase();
    const format = isKnown(ending) ? FORMATS[ending] : undefined;
    if (!format) {
      const endings = Object.keys(FORMATS).join(', ');
      fail('ASZ566', `${file} is no file that the engine duckdb reads`, `it reads ${endings}`);
    }
    // DuckDB would read every file that the pattern fits, in an order of its own.
    if (/[*?[\]]/.test(file)) fail('ASZ566', `${file} would be a pattern to DuckDB`, 'rename it: no *, ?, [ or ]');
    return format;
  });
  const [first] = formats;
  if (!first) fail('ASZ566', 'the engine duckdb has no file to read', 'give files of JSON Lines, CSV or Parquet');
  if (formats.some((format) => format !== first)) {
    fail('ASZ566', 'the files are of different formats', 'rank those of each format in a call of its own');
  }
  return first;
}

async function connect({ threads, memory }: DuckDbOptions): Promise<DuckDBConnection> {
  const library = await importOptional(DUCKDB, () => import('@duckdb/node-api').catch(rethrow)).catch(
    (error: unknown) => {
      if (error instanceof OptionalPackageError) fail('ASZ565', error.message, undefined, error);
      throw error;
    },
  );
  const instance = await library.DuckDBInstance.create(':memory:', {
    preserve_insertion_order: 'true',
    temp_directory: tmpdir(),
    ...(threads !== undefined && { threads: String(threads) }),
    ...(memory !== undefined && { memory_limit: memory }),
  });
  return instance.connect();
}

/** Lines of JSON: each field a document of its own, so that `"12"` is no number. DuckDB fails on a key that is there twice. */
function linesRelation(files: string): Relation {
  return {
    column: (name) => ({ name, type: 'JSON', kind: 'json' }),
    read: (columns) => {
      const names = columns.size === 0 ? ['id'] : [...columns.keys()];
      const types = names.map((name) => `${duckdb.text(name)}: 'JSON'`).join(', ');
      const rows = `read_json(${files}, format = 'newline_delimited', records = true, columns = {${types}})`;
      return readTable(duckdb, rows, POSITION, columns);
    },
    positions: undefined,
    cells: `SELECT ${POSITION} AS k, CAST(json AS VARCHAR) AS cells FROM read_json_objects(${files}, format = 'newline_delimited')`,
    decode: (line) => {
      const value: unknown = JSON.parse(line);
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
      throw new SyntaxError('a line is no object');
    },
  };
}

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
  // By its number in the one file, DuckDB finds a row without reading the others, and counts none.
  const isNumbered = isOne && !columns.some(({ name }) => name.toLowerCase() === NUMBER_IN_FILE);
  const rows = read(isNumbered ? `, ${NUMBER_IN_FILE} = true` : '');
  const position = isNumbered ? NUMBER_IN_FILE : POSITION;
  return {
    column: (name) => columns.find((column) => column.name === name),
    read: (wanted) => readTable(duckdb, rows, position, wanted),
    positions: undefined,
    cells: `SELECT ${position} AS k, ${cellsOf(duckdb, columns)} AS cells FROM ${rows}`,
    decode: (cells) => decodeCells(columns, cells),
  };
}

/**
 * Names that differ by case alone are one name to DuckDB, in a file and from file to file: it would read one column as
 * another.
 */
async function checkNames(connection: DuckDBConnection, files: string): Promise<void> {
  const names = `SELECT DISTINCT split_part(path_in_schema, ', ', 1) AS name FROM parquet_metadata(${files})`;
  const same = `SELECT string_agg(name, ' and ' ORDER BY name) AS names FROM (${names}) GROUP BY lower(name) HAVING count(*) > 1`;
  const [first] = (await connection.runAndReadAll(same)).getRowObjects();
  if (!first) return;
  const message = `DuckDB does not tell the columns ${String(first['names'])} apart`;
  fail('ASZ567', message, 'rank without this engine, or rename one of them');
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
    // oxlint-disable-next-line no-await-in-loop -- in memory for one
    chunk = await result.fetchChunk();
  }
}

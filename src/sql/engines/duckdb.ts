import { tmpdir } from 'node:os';
import { extname } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { toError } from '../../diagnostics/index.js';
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
import { fail } from '../problems.js';
import type { Relation } from '../relation.js';
import { toSieveRow } from '../sieve-rows.js';
import { cellsOf, decodeCells } from '../table-rows.js';

type DuckDb = typeof import('@duckdb/node-api');

const DUCKDB: OptionalPackage<DuckDb> = {
  name: '@duckdb/node-api',
  neededBy: 'the engine duckdb',
  part: 'DuckDBInstance',
  isLibrary: (module): module is DuckDb => typeof module === 'object' && module !== null && 'DuckDBInstance' in module,
};

const POSITION = '(row_number() OVER () - 1)';

/** The readers by the endings of files. */
const FORMATS: Readonly<Record<string, 'jsonl' | 'parquet'>> = {
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
  '.parquet': 'parquet',
};

/** How DuckDB is used. */
export interface DuckDbOptions {
  /** How many threads it may use; all cores when not given. */
  readonly threads?: number | undefined;
  /** What it may keep in memory, as `2GB`; beyond that it writes to the folder for temporary files. */
  readonly memory?: string | undefined;
}

/**
 * Files of JSON Lines or Parquet, read by an embedded DuckDB: one after another, in the order in which they are given.
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
    relation: async () => (format === 'jsonl' ? linesRelation(list) : parquetRelation(connection, list)),
    sieve: async (sql) => (await connection.runAndReadAll(sql)).getRowObjects().map(toSieveRow),
    candidates: (relation) => (format === 'jsonl' ? linesOf(files) : rowsOf(connection, relation)),
    close: async () => connection.closeSync(),
  };
}

function formatOf(files: readonly string[]): 'jsonl' | 'parquet' {
  const formats = files.map((file) => {
    const format = FORMATS[extname(file).toLowerCase()];
    if (!format)
      fail('ASZ566', `${file} is no file that the engine duckdb reads`, 'it reads .jsonl, .ndjson and .parquet');
    // DuckDB would read every file that the pattern fits, in an order of its own.
    if (/[*?[\]]/.test(file)) fail('ASZ566', `${file} would be a pattern to DuckDB`, 'rename it: no *, ?, [ or ]');
    return format;
  });
  const [first] = formats;
  if (!first) fail('ASZ566', 'the engine duckdb has no file to read', 'give files of JSON Lines or Parquet');
  if (formats.some((format) => format !== first)) {
    fail('ASZ566', 'the files are of different formats', 'rank JSON Lines and Parquet in two calls');
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
    rows: (names) => {
      const columns = (names.length === 0 ? ['id'] : names).map((name) => `${duckdb.text(name)}: 'JSON'`);
      return `read_json(${files}, format = 'newline_delimited', records = true, columns = {${columns.join(', ')}})`;
    },
    key: POSITION,
    positions: undefined,
    cells: `SELECT ${POSITION} AS k, CAST(json AS VARCHAR) AS cells FROM read_json_objects(${files}, format = 'newline_delimited')`,
    decode: (line) => {
      const value: unknown = JSON.parse(line);
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
      throw new SyntaxError('a line is no object');
    },
  };
}

async function parquetRelation(connection: DuckDBConnection, files: string): Promise<Relation> {
  const rows = `read_parquet(${files}, hive_partitioning = false)`;
  const described = await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${rows}`).catch((error: unknown) => {
    return fail('ASZ567', `DuckDB cannot read the files: ${toError(error).message}`);
  });
  const columns = described.getRowObjects().map((row): Column => {
    const type = String(row['column_type']);
    return { name: String(row['column_name']), type, kind: duckdb.kindOf(type) };
  });
  return {
    column: (name) => columns.find((column) => column.name === name),
    rows: () => rows,
    key: POSITION,
    positions: undefined,
    cells: `SELECT ${POSITION} AS k, ${cellsOf(duckdb, columns)} AS cells FROM ${rows}`,
    decode: (cells) => decodeCells(columns, cells),
  };
}

async function* linesOf(files: readonly string[]): AsyncGenerator<readonly object[]> {
  for (const file of files) yield* readCandidateChunks(file, {}, 'jsonl');
}

async function* rowsOf(connection: DuckDBConnection, { cells, decode }: Relation): AsyncGenerator<readonly object[]> {
  const result = await connection.stream(cells);
  for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; ) {
    yield chunk.getColumnValues(1).map((text) => decode(String(text)));
    // oxlint-disable-next-line no-await-in-loop -- in memory for one
    chunk = await result.fetchChunk();
  }
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { fieldReader, groupText, toGroupKey } from '../../../data/index.js';
import { type CandidateSource, codecOf, type InputFormat, readCandidateChunks } from '../../../data/node.js';
import { AssizeError, didYouMean, toError } from '../../../base/index.js';
import { removeAtEnd } from '../../../base/node.js';
import { parsePath } from '../../../expression/index.js';
import { hasParts, type OptionalPackage, rethrow } from '../../../services/index.js';
import { fail } from '../dialect.js';
import { duckdb } from '../dialects.js';
import { loadPackage } from './engine.js';

type DuckDb = typeof import('@duckdb/node-api');

const packageFor = (neededBy: string): OptionalPackage<DuckDb> => ({
  name: '@duckdb/node-api',
  neededBy,
  part: 'DuckDBInstance',
  isLibrary: hasParts<DuckDb>('DuckDBInstance'),
});

const SORTING = packageFor('sorting rows (--sort)');
const TABLES = packageFor('a table of DuckDB (--into)');

/** DuckDB's memory while it sorts. Beyond it, DuckDB writes to its folder for temporary files. */
const SORT_MEMORY = '1GB';

/** The column of DuckDB that has the position of a row. */
const ROW_NUMBER = 'file_row_number';

/** Whether DuckDB is installed, so that rows can be sorted. */
export const canSort = (): Promise<boolean> =>
  import('@duckdb/node-api').then(
    () => true,
    () => false,
  );

/**
 * Reads the rows of a file sorted by a field, with rows of equal values in their order. DuckDB sorts, on disk if
 * necessary. Parquet files are sorted by DuckDB alone; of other formats, this process parses the rows, so that their
 * values are the same as without sorting.
 *
 * @param format undefined for standard input whose format is not known
 * @throws AssizeError if DuckDB is missing (ASZ565), or cannot sort the file (ASZ567)
 */
export async function* sortedChunks(
  file: string,
  format: InputFormat | undefined,
  by: string,
  source: CandidateSource,
): AsyncGenerator<readonly object[], void> {
  const isParquet = format === 'parquet' && file !== '-';
  if (format !== undefined && codecOf(format).loadTable && !isParquet)
    fail('ASZ567', `${codecOf(format).title} cannot be sorted here: ${file}`, 'sort a file of Parquet or JSON Lines');
  const folder = await mkdtemp(join(tmpdir(), 'assize-sort-'));
  const forget = removeAtEnd(folder);
  const { DuckDBInstance } = await loadPackage(SORTING, () => import('@duckdb/node-api').catch(rethrow));
  const instance = await DuckDBInstance.create(join(folder, 'rows.duckdb'), {
    memory_limit: SORT_MEMORY,
    temp_directory: join(folder, 'spill'),
    preserve_insertion_order: 'true',
  });
  const connection = await instance.connect();
  try {
    if (isParquet) {
      const sorted = join(folder, 'sorted.parquet');
      await sortParquet(connection, file, sorted, by, source.columns?.fields);
      yield* readCandidateChunks(sorted, source, 'parquet');
    } else yield* sortRows(connection, readCandidateChunks(file, source, format), by);
  } finally {
    connection.closeSync();
    instance.closeSync();
    await rm(folder, { recursive: true, force: true });
    forget();
  }
}

async function sortParquet(
  connection: DuckDBConnection,
  file: string,
  sorted: string,
  by: string,
  fields: ReadonlySet<string> | undefined,
): Promise<void> {
  const rows = `read_parquet([${duckdb.text(file)}], hive_partitioning = false, ${ROW_NUMBER} = true)`;
  const path = parsePath(by);
  const [first] = path;
  const keys = path.map((step) => (step.kind === 'key' ? duckdb.identifier(step.key) : undefined));
  if (keys.includes(undefined)) fail('ASZ567', `DuckDB cannot sort by ${by}`, 'sort by a field of a candidate');
  try {
    const described = await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${rows}`);
    const names = described.getRowObjects().map((row) => String(row['column_name']));
    if (first?.kind === 'key' && !names.includes(first.key)) {
      const message = `--partition-by is ${by}, of which no row of ${file} has a value`;
      const others = names.filter((name) => name !== ROW_NUMBER);
      fail('ASZ541', message, didYouMean(by, others, 'write the field as the rows have it'));
    }
    const wanted = names.filter((name) => name !== ROW_NUMBER && (!fields || fields.has(name)));
    const selected = wanted.length === 0 ? '1 AS one' : wanted.map((name) => duckdb.identifier(name)).join(', ');
    const ordered = `SELECT ${selected} FROM ${rows} ORDER BY ${keys.join('.')}, ${ROW_NUMBER}`;
    await connection.run(`COPY (${ordered}) TO ${duckdb.text(sorted)} (FORMAT parquet)`);
  } catch (error) {
    if (error instanceof AssizeError) throw error;
    fail('ASZ567', `DuckDB cannot sort ${file} by ${by}: ${toError(error).message}`, 'sort the file before', error);
  }
}

/** Rows that are fetched from DuckDB, or appended to it, at once. */
const ROWS_PER_CHUNK = 2048;

/** Sorts parsed rows as JSON texts, by their groups and then by their order. */
async function* sortRows(
  connection: DuckDBConnection,
  chunks: AsyncIterable<readonly object[]>,
  by: string,
): AsyncGenerator<readonly object[], void> {
  await connection.run('CREATE TABLE rows (key VARCHAR, position BIGINT, json VARCHAR)');
  const appender = await connection.createAppender('rows');
  const reader = fieldReader(by);
  let position = 0n;
  for await (const rows of chunks) {
    const valueAt = reader(rows);
    for (const [k, row] of rows.entries()) {
      appender.appendVarchar(sortKey(valueAt(k)));
      appender.appendBigInt(position++);
      appender.appendVarchar(JSON.stringify(row));
      appender.endRow();
      if (position % BigInt(ROWS_PER_CHUNK) === 0n) appender.flushSync();
    }
  }
  appender.closeSync();
  const result = await connection.stream('SELECT json FROM rows ORDER BY key, position');
  for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk())
    yield chunk.getColumnValues(0).map((json) => JSON.parse(String(json)) as object);
}

/** A text that is equal for the rows of one group. Values that cannot name a group are refused later. */
function sortKey(value: unknown): string {
  const key = toGroupKey(value);
  if (typeof key === 'object' && key !== null && 'invalid' in key) return 'invalid';
  return `${typeof key} ${groupText(key)}`;
}

/** A table of a DuckDB file. */
export interface DuckDbTable {
  readonly database: string;
  readonly table: string;
  /** Whether to replace an existing table. */
  readonly replace: boolean;
}

/** @throws AssizeError (ASZ604) if the table exists and is not to be replaced */
export const checkDuckDbTable = (target: DuckDbTable): Promise<void> => withDatabase(target, async () => {});

/** Loads a Parquet file into a table, in one transaction, with a comment. */
export const loadIntoDuckDb = (target: DuckDbTable, file: string, comment: string): Promise<void> =>
  withDatabase(target, async (connection) => {
    const name = tableName(target.table);
    await connection.run('BEGIN');
    await connection.run(`CREATE OR REPLACE TABLE ${name} AS SELECT * FROM read_parquet([${duckdb.text(file)}])`);
    await connection.run(`COMMENT ON TABLE ${name} IS ${duckdb.text(comment)}`);
    await connection.run('COMMIT');
  });

async function withDatabase(
  { database, table, replace }: DuckDbTable,
  work: (connection: DuckDBConnection) => Promise<void>,
): Promise<void> {
  const { DuckDBInstance } = await loadPackage(TABLES, () => import('@duckdb/node-api').catch(rethrow));
  // DuckDB would open a Parquet or CSV file as a database in memory, and write nothing.
  if (/\.(parquet|csv|tsv|jsonl?|ndjson)$/i.test(database))
    fail('ASZ567', `${database} has the name of a file of rows, not of a database`, 'end its name with .duckdb');
  const instance = await DuckDBInstance.create(database).catch((error: unknown) =>
    fail('ASZ567', `DuckDB cannot open ${database}: ${toError(error).message}`, undefined, error),
  );
  const connection = await instance.connect();
  try {
    const exists = await connection.run(`SELECT 1 FROM ${tableName(table)} LIMIT 0`).then(
      () => true,
      () => false,
    );
    if (exists && !replace) fail('ASZ604', `the table ${table} of ${database} already exists`, 'pass --replace');
    await work(connection);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** `schema.table` or `table`, as identifiers. */
const tableName = (table: string): string =>
  table
    .split('.')
    .map((part) => duckdb.identifier(part))
    .join('.');

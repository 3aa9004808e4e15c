import { tmpdir } from 'node:os';
import { extname } from 'node:path';
import type { DuckDBConnection, DuckDBInstance, DuckDBResultReader } from '@duckdb/node-api';
import type { Progress } from '../../contract/index.js';
import { checkOptions, describeValue, integerFrom, STRING, toError } from '../../diagnostics/index.js';
import { followRows } from '../../input/follow-rows.js';
import type { InputFormat } from '../../input/index.js';
import { readCandidateChunks } from '../../input/read-candidates.js';
import { type OptionalPackage, rethrow } from '../../services/optional-package.js';
import { duckdb } from '../dialects/duckdb.js';
import type { SqlEngine } from './engine.js';
import { followStatement } from './follow-statement.js';
import { fail } from '../problems.js';
import type { Relation } from '../rows/relation.js';
import { toSieveRow } from '../statement/sieve-rows.js';
import { csvRelation } from './csv-relation.js';
import { linesRelation, parquetRelation } from './duckdb-relations.js';
import { loadPackage } from './load-package.js';
import { UnchangedFiles } from './unchanged-files.js';
import { stopOnAbort } from './stop-on-abort.js';

type DuckDb = typeof import('@duckdb/node-api');

const DUCKDB: OptionalPackage<DuckDb> = {
  name: '@duckdb/node-api',
  neededBy: 'the engine duckdb',
  part: 'DuckDBInstance',
  isLibrary: (module): module is DuckDb => typeof module === 'object' && module !== null && 'DuckDBInstance' in module,
};

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
 * @throws AssizeError where the package is missing (ASZ565), a file is of another format (ASZ566), or an option is none
 *   (ASZ533)
 */
export async function duckDbEngine(files: readonly string[], options: DuckDbOptions = {}): Promise<SqlEngine> {
  checkOptions('duckDbEngine', options, { threads: integerFrom(1), memory: STRING });
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
        return followStatement(`asking duckdb about ${subject}`, ask, progress, percent);
      };
      const answer = await stopOnAbort(abort, stop, run);
      unchanged.check();
      return answer.getRowObjects().map(toSieveRow);
    },
    candidates: (relation, progress) =>
      format === 'parquet'
        ? followRows(`reading ${subject}`, rowsOf(connection, relation), progress, undefined)
        : textRowsOf(files, format, progress),
    async close() {
      connection.closeSync();
      instance.closeSync(); // its threads end with it
    },
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

async function openInstance({ threads, memory }: DuckDbOptions): Promise<DuckDBInstance> {
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
    return fail('ASZ533', `${given}, which DuckDB does not take: ${toError(error).message}`, 'as 2GB or 512MB', error);
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
    // oxlint-disable-next-line no-await-in-loop -- in memory for one
    chunk = await result.fetchChunk();
  }
}

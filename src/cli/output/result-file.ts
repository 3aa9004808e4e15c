import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { AssizeError, toAssizeError, toError } from '../../base/index.js';
import { removeAtEnd } from '../../base/node.js';
import {
  type GroupKey,
  type OutputColumn,
  type OutputFormat,
  outputFormatOf,
  type StoredRows,
  TableBatch,
  type TableWriter,
} from '../../data/index.js';
import { openArrowWriter, openTableWriter } from '../../data/node.js';
import type { GroupBatch } from '../../pipeline/index.js';
import {
  BATCH_ROWS,
  resultColumns,
  ResultRows,
  type RankingResult,
  type ResultTableOptions,
} from '../../ranking/index.js';
import type { TableOptions } from '../table-options.js';
import type { Output } from '../terminal/io.js';
import { usageError } from '../terminal/problems.js';

/** Where a table of results goes. */
export interface TableTarget {
  /** The file that is written first; for a server and a stream, their name in messages. */
  readonly file: string;
  /** Undefined for a server and a stream, which receive the rows without a file. */
  readonly format: OutputFormat | undefined;
  /** The table of a database; undefined if the file is the result. DuckDB loads the file. */
  readonly into: { readonly table: string; readonly database: string } | undefined;
  /** The address of a server of PostgreSQL. It may have a password. */
  readonly url?: string;
  /** Receives the table as an Arrow stream, in place of a file. */
  readonly out?: Output;
  readonly replace: boolean;
}

/**
 * Checks the options of a table before anything is read.
 *
 * @returns undefined if the results are not written to a table
 * @throws AssizeError if options do not fit together (ASZ601), or the file or the table exists (ASZ604)
 */
export async function tableTarget({
  output,
  into,
  database,
  replace: mayReplace,
}: Omit<TableOptions, 'partitionBy'>): Promise<TableTarget | undefined> {
  const replace = mayReplace ?? false;
  if (output !== undefined && into !== undefined)
    throw usageError('--output and --into both say where the table goes', 'remove one of them');
  if (into !== undefined) {
    if (database === undefined)
      throw usageError('--into needs --database', '--database results.duckdb, or postgres://user@host/database');
    if (/^spark:/i.test(database))
      throw usageError(
        '--database is Spark, which writes its tables itself',
        'use the Python module: rank(df, "PROFILE", partition_by="COLUMN").write.saveAsTable("ranked")',
      );
    const { checkPostgresTable, isPostgresUrl, serverName } = await import(
      '../../scale/sql/engines/postgres-tables.js'
    );
    if (isPostgresUrl(database)) {
      await checkPostgresTable({ url: database, table: into, replace });
      const place = { table: into, database: serverName(database) };
      return { file: `table ${into} of ${place.database}`, format: undefined, into: place, url: database, replace };
    }
    const { checkDuckDbTable } = await import('../../scale/sql/engines/duckdb-tables.js');
    await checkDuckDbTable({ database, table: into, replace });
    const folder = await mkdtemp(join(tmpdir(), 'assize-table-'));
    return { file: join(folder, 'rows.parquet'), format: 'parquet', into: { table: into, database }, replace };
  }
  if (database !== undefined) throw usageError('--database needs --into', '--into ranked');
  if (output === undefined) return undefined;
  const format = outputFormatOf(output);
  if (!format) throw usageError(`${output} has no format of a table`, 'end its name with .parquet, .csv or .jsonl');
  refuseExisting(output, replace);
  return { file: output, format, into: undefined, replace };
}

/**
 * Standard output as the place of a table.
 *
 * @throws AssizeError (ASZ601) if it is a terminal
 */
export function streamTarget(out: Output): TableTarget {
  if (out.terminal) throw usageError('--format arrow is not text', 'pipe it to a program, or use --output FILE');
  return { file: 'standard output', format: undefined, into: undefined, replace: false, out };
}

const hasFile = ({ url, out }: TableTarget): boolean => url === undefined && !out;

function refuseExisting(file: string, replace: boolean): void {
  if (replace || !existsSync(file)) return;
  throw toAssizeError([{ code: 'ASZ604', message: `${file} already exists`, hint: 'pass --replace, or another name' }]);
}

/** A table of results that is being written, to a file beside its final place. */
export class ResultFile {
  readonly #batch: TableBatch;
  /** The rows of groups that were ranked together, before they are added to the batch. */
  readonly #more: TableBatch;
  readonly #rows: ResultRows;
  #count = 0;

  private constructor(
    private readonly target: TableTarget,
    private readonly temporary: string,
    private writer: TableWriter,
    readonly options: ResultTableOptions,
    private readonly all: boolean,
    /** Called when the unfinished files are moved or removed. */
    private readonly forget: readonly (() => void)[],
  ) {
    this.#batch = new TableBatch(resultColumns(options));
    this.#more = new TableBatch(resultColumns(options));
    this.#rows = new ResultRows(options);
  }

  /** @throws AssizeError if the file cannot be created (ASZ542), or a column has the name of the group (ASZ601) */
  static async open(target: TableTarget, options: ResultTableOptions, all: boolean): Promise<ResultFile> {
    const { file } = target;
    const temporary = join(dirname(file), `.${basename(file)}.${process.pid}.tmp`);
    const files = [temporary, `${temporary}.json`, ...(target.into ? [dirname(file)] : [])];
    const forget = hasFile(target) ? files.map(removeAtEnd) : [];
    const columns = resultColumns(options);
    if (columns.some(({ name }, k) => k > 0 && name.toLowerCase() === options.group?.toLowerCase())) {
      const message = `--partition-by ${options.group} is the name of another column of the table`;
      throw usageError(message, 'rename the field of the candidates');
    }
    const writer = await writing(file, () => openWriter(target, temporary, columns));
    return new ResultFile(target, temporary, writer, options, all, forget);
  }

  /** The number of rows so far. */
  get count(): number {
    return this.#count + this.#batch.length;
  }

  get columns(): readonly string[] {
    return this.#batch.columns.map(({ name }) => name);
  }

  /** Adds the rows of a ranking. */
  async add(ranking: RankingResult<unknown>, group: GroupKey): Promise<void> {
    // oxlint-disable-next-line no-await-in-loop -- one batch in memory
    for (const _ of this.#rows.add(this.#batch, ranking, group, this.all)) await this.#write();
  }

  /** Adds the rows of groups that were ranked together. */
  async addAll(groups: GroupBatch): Promise<void> {
    if (this.#batch.length + groups.ids.length < BATCH_ROWS) return this.#rows.addAll(this.#batch, groups);
    this.#rows.addAll(this.#more, groups);
    await this.addRows(this.#more.stored);
    this.#more.clear();
  }

  /** Adds rows of another thread. Batches do not depend on how rows are added, so neither do the bytes of the file. */
  async addRows(rows: StoredRows): Promise<void> {
    for (let from = 0; from < rows.count; ) {
      const to = Math.min(rows.count, from + BATCH_ROWS - this.#batch.length);
      this.#batch.append(rows, from, to);
      from = to;
      // oxlint-disable-next-line no-await-in-loop -- one batch in memory
      if (this.#batch.length >= BATCH_ROWS) await this.#write();
    }
  }

  async #write(): Promise<void> {
    this.#count += this.#batch.length;
    await writing(this.target.file, () => this.writer.write(this.#batch));
    this.#batch.clear();
  }

  /**
   * Completes the table and moves it to its place. The manifest is written last: if it exists, the table is complete.
   *
   * @param manifest without the facts of the table itself
   */
  async end(manifest: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#write();
    const { file, into, format, replace } = this.target;
    await writing(into ? `the table ${into.table} of ${into.database}` : file, async () => {
      const facts = {
        ...manifest,
        table: { ...(into ?? { file: basename(file), format }), rows: this.#count, columns: this.columns },
      };
      await this.writer.end(JSON.stringify(facts));
      if (!hasFile(this.target)) return;
      if (into) {
        const { loadIntoDuckDb } = await import('../../scale/sql/engines/duckdb-tables.js');
        await loadIntoDuckDb({ ...into, replace }, this.temporary, JSON.stringify(facts));
        return;
      }
      const { size } = await stat(this.temporary);
      const text = `${JSON.stringify({ ...facts, table: { ...facts.table, bytes: size } }, undefined, 2)}\n`;
      await writeFile(`${this.temporary}.json`, text); // before anything is replaced: the disk may be full
      refuseExisting(file, replace);
      await rm(manifestOf(file), { force: true }); // it describes the earlier table
      await rename(this.temporary, file);
      await rename(`${this.temporary}.json`, manifestOf(file));
    });
    await this.#clean();
  }

  /** Removes the unfinished file. */
  async abort(): Promise<void> {
    await this.writer.abort().catch(() => {});
    await this.#clean();
  }

  async #clean(): Promise<void> {
    if (!hasFile(this.target)) return;
    // oxlint-disable-next-line no-await-in-loop -- two files
    for (const file of [this.temporary, `${this.temporary}.json`]) await rm(file, { force: true, recursive: true });
    if (this.target.into) await rm(dirname(this.target.file), { recursive: true, force: true });
    for (const forget of this.forget) forget();
  }

  /** Whether rows can still be discarded. */
  get canRestart(): boolean {
    return !this.target.out;
  }

  /** Discards all rows. */
  async restart(): Promise<void> {
    await this.writer.abort();
    this.writer = await writing(this.target.file, () => openWriter(this.target, this.temporary, this.#batch.columns));
    this.#batch.clear();
    this.#count = 0;
  }
}

async function openWriter(
  { url, into, format = 'parquet', replace, out }: TableTarget,
  file: string,
  columns: readonly OutputColumn[],
): Promise<TableWriter> {
  if (out) {
    return openArrowWriter(columns, (bytes) => {
      out.write(bytes);
      return out.drained();
    });
  }
  if (url === undefined || !into) return openTableWriter(file, format, columns);
  const { PostgresTableWriter } = await import('../../scale/sql/engines/postgres-tables.js');
  return PostgresTableWriter.open({ url, table: into.table, replace }, columns);
}

/** The file that describes a table. */
const manifestOf = (file: string): string => `${file}.manifest.json`;

/** @throws AssizeError (ASZ542) if the system refuses to write */
async function writing<R>(file: string, work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AssizeError) throw error;
    const message = `cannot write ${file}: ${toError(error).message}`;
    throw toAssizeError([{ code: 'ASZ542', message, hint: 'check the folder, its permissions and the free space' }], {
      cause: error,
    });
  }
}

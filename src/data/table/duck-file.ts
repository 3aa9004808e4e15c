import type * as Bindings from '@duckdb/node-bindings';
import { BOOLEANS, type Column, Columns, dateColumn, NO_COLUMN } from '../columns.js';
import type { RowRange } from '../candidate-reader.js';
import { ChunkMemory, loadBindings, type Vector, vectorsOf } from './duck-vectors.js';
import { type DateUnit, isLittleEndian, storedDates } from './table.js';

/** A column that DuckDB reads. `code`: texts that are read as codes of a dictionary. */
export interface DuckColumn {
  readonly name: string;
  readonly kind: 'number' | 'boolean' | 'date' | 'text' | 'code';
}

/** The column of DuckDB that has the position of a row. */
export const ROW_NUMBER = 'file_row_number';

/** With fewer rows, reading in JavaScript takes less time than loading DuckDB. */
export const MANY_ROWS = 5000;

/** DuckDB reads a path with these characters as a glob pattern. */
const PATTERN = /[*?[\]{}]/;

/** The most values of a dictionary. A text column with more distinct values is not read as codes. */
const MOST_CODES = 65_535;

/** The rows that are read first to count distinct values. */
const FIRST_ROWS = 1_000_000;

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;

/** The distinct values of a text column, and the name of the ENUM that has them. */
interface Dictionary {
  readonly type: string;
  readonly values: readonly string[];
}

/**
 * Reads numbers, booleans, dates and texts of a Parquet file with DuckDB, which is several times as fast as JavaScript.
 * DuckDB is an optional package; the values are bit-identical without it.
 */
export class DuckFile {
  /** By text column: its dictionary; undefined if it has too many values. */
  readonly #dictionaries = new Map<string, Promise<Dictionary | undefined>>();

  private constructor(
    private readonly duck: typeof Bindings,
    private readonly database: Bindings.Database,
    private readonly path: string,
  ) {}

  close(): void {
    this.duck.close_sync(this.database);
  }

  /**
   * Opens a file.
   *
   * @param path    absolute
   * @param threads the most threads that may read
   * @returns undefined if DuckDB is not installed or cannot read this file
   */
  static async open(path: string, threads: number): Promise<DuckFile | undefined> {
    const duck = PATTERN.test(path) || !isLittleEndian ? undefined : loadBindings();
    if (!duck) return undefined;
    try {
      const config = duck.create_config();
      duck.set_config(config, 'threads', String(threads));
      duck.set_config(config, 'autoinstall_known_extensions', 'false');
      const file = new DuckFile(duck, await duck.open(':memory:', config), path);
      // The footer is read once, not for each statement.
      await file.#withConnection((connection) => duck.query(connection, 'SET parquet_metadata_cache = true'));
      return file;
    } catch {
      return undefined;
    }
  }

  /** The same columns. A column with too many distinct values is read as texts instead of codes. */
  async readable(columns: readonly DuckColumn[]): Promise<readonly DuckColumn[]> {
    return Promise.all(
      columns.map(async (column) => {
        const { name, kind } = column;
        return kind !== 'code' || (await this.#dictionary(name)) ? column : { name, kind: 'text' };
      }),
    );
  }

  #dictionary(name: string): Promise<Dictionary | undefined> {
    const known = this.#dictionaries.get(name);
    if (known) return known;
    const type = quoted(`dictionary ${this.#dictionaries.size}`);
    const read = this.#withConnection((connection) => this.#readDictionary(connection, name, type));
    const dictionary = read.catch(() => undefined);
    this.#dictionaries.set(name, dictionary);
    return dictionary;
  }

  async #readDictionary(connection: Bindings.Connection, name: string, type: string): Promise<Dictionary | undefined> {
    if (await this.#hasManyValues(connection, name)) return undefined;
    const distinct = `SELECT DISTINCT ${quoted(name)} FROM ${this.#rows()} WHERE ${quoted(name)} IS NOT NULL`;
    await this.duck.query(connection, `CREATE TYPE ${type} AS ENUM (${distinct} LIMIT ${MOST_CODES + 1})`);
    const values: string[] = [];
    const range = `SELECT unnest(enum_range(NULL::${type}))::VARCHAR`;
    for await (const [texts] of this.#stream(connection, range)) values.push(...texts!.texts().map(String));
    return values.length > MOST_CODES ? undefined : { type, values };
  }

  /** Whether the first rows of a column have too many distinct values. Saves a pass over a large file. */
  async #hasManyValues(connection: Bindings.Connection, name: string): Promise<boolean> {
    const first = `SELECT ${quoted(name)} AS value FROM ${this.#rows(NUMBERED)} WHERE ${ROW_NUMBER} < ${FIRST_ROWS}`;
    const sql = `SELECT count(DISTINCT value)::DOUBLE FROM (${first})`;
    for await (const [counts] of this.#stream(connection, sql)) if (counts!.doubles()[0]! > MOST_CODES) return true;
    return false;
  }

  /** The rows of the file in SQL. The path of a folder such as `year=2026` does not add a column. */
  #rows(options = ''): string {
    return `read_parquet(${text(this.path)}, hive_partitioning = false${options})`;
  }

  /**
   * Reads columns in row order, in batches of at most 2,048 rows.
   *
   * @param columns those that `readable` returned
   * @param range   default: all rows; DuckDB skips row groups outside the range
   * @throws Error if DuckDB cannot read the file
   */
  async *batches(columns: readonly DuckColumn[], range?: RowRange): AsyncGenerator<Columns, void> {
    const within = range && `${ROW_NUMBER} >= ${range.from} AND ${ROW_NUMBER} < ${range.to}`;
    yield* this.#read(columns, within === undefined ? this.#rows() : `${this.#rows(NUMBERED)} WHERE ${within}`);
  }

  /** Reads columns of some rows. Returns batches whose column `ROW_NUMBER` has the position of each row. */
  async rows(columns: readonly DuckColumn[], positions: readonly number[]): Promise<readonly Columns[]> {
    const wanted = [{ name: ROW_NUMBER, kind: 'number' } as const, ...columns];
    const batches: Columns[] = [];
    const from = `${this.#rows(NUMBERED)} WHERE ${ROW_NUMBER} IN (${positions.join(', ')})`;
    for await (const batch of this.#read(wanted, from)) batches.push(batch);
    return batches;
  }

  async *#read(columns: readonly DuckColumn[], from: string): AsyncGenerator<Columns, void> {
    const readers = await Promise.all(columns.map((column) => this.#reader(column)));
    const connection = await this.duck.connect(this.database);
    try {
      const sql = `SELECT ${readers.map(({ selected }) => selected).join(', ')} FROM ${from}`;
      for await (const vectors of this.#stream(connection, sql)) {
        const read = columns.map(({ name }, k) => [name, readers[k]!.toColumn(vectors[k]!)] as const);
        yield new Columns(new Map(read), vectors[0]!.rows);
      }
    } finally {
      this.duck.disconnect_sync(connection);
    }
  }

  /** Runs a statement. DuckDB reads the next vectors while the caller uses some. */
  async *#stream(connection: Bindings.Connection, sql: string): AsyncGenerator<readonly Vector[], void> {
    const { duck } = this;
    const result = await duck.execute_prepared_streaming(await duck.prepare(connection, sql));
    const memory = new ChunkMemory();
    const fetch = async (): Promise<readonly Vector[]> => {
      const chunk = await duck.fetch_chunk(result);
      return chunk ? vectorsOf(duck, chunk) : [];
    };
    let next = fetch();
    try {
      for (let vectors = await next; vectors.length > 0; vectors = await next) {
        next = fetch();
        next.catch(() => {}); // thrown when it is awaited
        memory.add(vectors);
        yield vectors;
      }
    } finally {
      await next.catch(() => {}); // after this, the caller may close the connection
    }
  }

  async #withConnection<R>(work: (connection: Bindings.Connection) => Promise<R>): Promise<R> {
    const connection = await this.duck.connect(this.database);
    try {
      return await work(connection);
    } finally {
      this.duck.disconnect_sync(connection);
    }
  }

  async #reader({ name, kind }: DuckColumn): Promise<ColumnReader> {
    const column = quoted(name);
    if (kind === 'number') {
      // A 64-bit integer or a decimal becomes the nearest double.
      return {
        selected: `${column}::DOUBLE`,
        toColumn: (vector) => ({ ...present(vector), values: vector.doubles() }),
      };
    }
    if (kind === 'boolean') {
      return {
        selected: column,
        toColumn: (vector) => ({ ...present(vector), values: BOOLEANS, codes: vector.bytes(1) }),
      };
    }
    if (kind === 'date') return { selected: column, toColumn: datesOf };
    if (kind === 'text') return { selected: column, toColumn: (vector) => ({ ...NO_COLUMN, values: vector.texts() }) };
    const { type, values } = (await this.#dictionary(name))!;
    const isByte = values.length <= 255;
    return {
      selected: `${column}::${type}`,
      toColumn: (vector) => ({ ...present(vector), values, codes: isByte ? vector.bytes(1) : vector.shorts() }),
    };
  }
}

const NUMBERED = `, ${ROW_NUMBER} = true`;

/** How a column is selected in SQL, and how its vectors become columns. */
interface ColumnReader {
  readonly selected: string;
  readonly toColumn: (vector: Vector) => Column;
}

const present = (vector: Vector): Column => ({ ...NO_COLUMN, present: vector.present() });

/** By DuckDB's type: the unit of its dates. */
const UNITS: ReadonlyMap<number, DateUnit> = new Map([
  [12, 'us'], // TIMESTAMP
  [13, 'day'], // DATE
  [20, 's'],
  [21, 'ms'],
  [22, 'ns'],
  [31, 'us'], // TIMESTAMP_TZ
] as const);

function datesOf(vector: Vector): Column {
  const unit = UNITS.get(vector.type);
  if (unit === undefined) throw new Error(`DuckDB has type ${vector.type} for a date`);
  const { buffer, byteOffset } = vector.bytes(unit === 'day' ? 4 : 8);
  const integers =
    unit === 'day'
      ? new Int32Array(buffer, byteOffset, vector.rows)
      : new BigInt64Array(buffer, byteOffset, vector.rows);
  const there = vector.present();
  const { millis, rounded } = storedDates(integers, unit, there);
  return dateColumn(millis, there, rounded);
}

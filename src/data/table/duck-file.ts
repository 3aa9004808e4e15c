import { createRequire } from 'node:module';
import type * as Bindings from '@duckdb/node-bindings';
import { BOOLEANS, type Column, Columns, dateColumn, NO_COLUMN } from '../columns.js';
import type { RowRange } from '../candidate-reader.js';
import { bytesOfBits, type DateUnit, isLittleEndian, storedDates } from './table.js';

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

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;

/**
 * The C API of DuckDB, which `@duckdb/node-api` depends on. Loading `@duckdb/node-api` itself takes 0.12 s more, and its
 * vectors convert value by value.
 *
 * @returns undefined if `@duckdb/node-api` is not installed, or does not work on this system
 */
function loadBindings(): typeof Bindings | undefined {
  try {
    const packageFile = createRequire(import.meta.url).resolve('@duckdb/node-api');
    return createRequire(packageFile)('@duckdb/node-bindings') as typeof Bindings;
  } catch {
    return undefined;
  }
}

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
  /** By column: its dictionary; undefined if it has too many values. */
  readonly #dictionaries = new Map<string, Dictionary | undefined>();

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

  /** The columns of these that `batches` can read: all except codes of a column with too many distinct values. */
  async readable(columns: readonly DuckColumn[]): Promise<readonly DuckColumn[]> {
    await this.#withConnection(async (connection) => {
      for (const { name, kind } of columns) {
        if (kind !== 'code' || this.#dictionaries.has(name)) continue;
        // oxlint-disable-next-line no-await-in-loop -- one connection runs one statement at a time
        this.#dictionaries.set(name, await this.#readDictionary(connection, name).catch(() => undefined));
      }
    });
    return columns.filter(({ name, kind }) => kind !== 'code' || this.#dictionaries.get(name) !== undefined);
  }

  async #readDictionary(connection: Bindings.Connection, name: string): Promise<Dictionary | undefined> {
    const type = quoted(`dictionary ${this.#dictionaries.size}`);
    const distinct = `SELECT DISTINCT ${quoted(name)} FROM read_parquet(${text(this.path)}) WHERE ${quoted(name)} IS NOT NULL`;
    await this.duck.query(connection, `CREATE TYPE ${type} AS ENUM (${distinct} LIMIT ${MOST_CODES + 1})`);
    const values: string[] = [];
    const range = `SELECT unnest(enum_range(NULL::${type}))::VARCHAR`;
    for await (const { length, columns } of this.#stream(connection, range, [{ name, kind: 'text' }])) {
      for (let row = 0; row < length; row++) values.push(String(columns.get(name)!.values[row]));
    }
    return values.length > MOST_CODES ? undefined : { type, values };
  }

  /**
   * Reads columns in row order, in batches of at most 2,048 rows.
   *
   * @param columns those that `readable` returned
   * @param range   default: all rows; DuckDB skips row groups outside the range
   * @throws Error if DuckDB cannot read the file
   */
  async *batches(columns: readonly DuckColumn[], range?: RowRange): AsyncGenerator<Columns, void> {
    const all = `SELECT ${columns.map((column) => this.#selected(column)).join(', ')} FROM read_parquet(${text(this.path)}`;
    const within = range && `${ROW_NUMBER} >= ${range.from} AND ${ROW_NUMBER} < ${range.to}`;
    const sql = within === undefined ? `${all})` : `${all}, ${ROW_NUMBER} = true) WHERE ${within}`;
    const connection = await this.duck.connect(this.database);
    try {
      yield* this.#stream(connection, sql, columns);
    } finally {
      this.duck.disconnect_sync(connection);
    }
  }

  /** Reads columns of some rows. Returns batches whose column `ROW_NUMBER` has the position of each row. */
  async rows(columns: readonly DuckColumn[], positions: readonly number[]): Promise<readonly Columns[]> {
    const wanted = [{ name: ROW_NUMBER, kind: 'number' } as const, ...columns];
    const list = wanted.map((column) => this.#selected(column)).join(', ');
    const from = `read_parquet(${text(this.path)}, ${ROW_NUMBER} = true) WHERE ${ROW_NUMBER} IN (${positions.join(', ')})`;
    return this.#withConnection(async (connection) => {
      const batches: Columns[] = [];
      for await (const batch of this.#stream(connection, `SELECT ${list} FROM ${from}`, wanted)) batches.push(batch);
      return batches;
    });
  }

  /** A 64-bit integer or decimal becomes the nearest double. */
  #selected({ name, kind }: DuckColumn): string {
    if (kind === 'number') return `${quoted(name)}::DOUBLE`;
    return kind === 'code' ? `${quoted(name)}::${this.#dictionaries.get(name)!.type}` : quoted(name);
  }

  async #withConnection<R>(work: (connection: Bindings.Connection) => Promise<R>): Promise<R> {
    const connection = await this.duck.connect(this.database);
    try {
      return await work(connection);
    } finally {
      this.duck.disconnect_sync(connection);
    }
  }

  /** Runs a statement. DuckDB reads the next batch while the caller uses one. */
  async *#stream(
    connection: Bindings.Connection,
    sql: string,
    columns: readonly DuckColumn[],
  ): AsyncGenerator<Columns, void> {
    const { duck } = this;
    const result = await duck.execute_prepared_streaming(await duck.prepare(connection, sql));
    const decoders = columns.map((column, k) => this.#decoder(column, result, k));
    const memory = new ChunkMemory();
    let next = fetchChunk(duck, result);
    try {
      for (let chunk = await next; chunk; chunk = await next) {
        next = fetchChunk(duck, result);
        const { vectors, rows } = chunk;
        memory.add(rows * columns.length * Float64Array.BYTES_PER_ELEMENT);
        const decoded = columns.map(({ name }, k) => [name, decoders[k]!(vectors(k), rows)] as const);
        yield new Columns(new Map(decoded), rows);
      }
    } finally {
      await next.catch(() => undefined); // after this, the caller may close the connection
    }
  }

  #decoder({ name, kind }: DuckColumn, result: Bindings.Result, index: number): Decoder {
    const { duck } = this;
    if (kind === 'number')
      return (vector, rows) => ({ ...present(duck, vector, rows), values: doubles(duck, vector, rows) });
    if (kind === 'boolean') {
      return (vector, rows) => ({
        ...present(duck, vector, rows),
        values: BOOLEANS,
        codes: duck.vector_get_data(vector, rows),
      });
    }
    if (kind === 'date') {
      const unit = UNITS.get(duck.column_type(result, index));
      if (unit === undefined) throw new Error(`column ${name} is not a date`);
      return (vector, rows) => {
        const { millis } = storedDates(integers(duck, vector, rows, unit), unit);
        return dateColumn(millis, presence(duck, vector, rows));
      };
    }
    if (kind === 'text') return (vector, rows) => ({ ...NO_COLUMN, values: texts(duck, vector, rows) });
    const { values } = this.#dictionaries.get(name)!;
    const isByte = values.length <= 255;
    return (vector, rows) => {
      const bytes = duck.vector_get_data(vector, isByte ? rows : 2 * rows);
      return {
        ...present(duck, vector, rows),
        values,
        codes: isByte ? bytes : new Uint16Array(bytes.buffer, bytes.byteOffset, rows),
      };
    };
  }
}

/** A part of a result. */
interface Chunk {
  readonly rows: number;
  readonly vectors: (column: number) => Bindings.Vector;
}

async function fetchChunk(duck: typeof Bindings, result: Bindings.Result): Promise<Chunk | undefined> {
  const chunk = await duck.fetch_chunk(result);
  const rows = chunk ? duck.data_chunk_get_size(chunk) : 0;
  return chunk && rows > 0 ? { rows, vectors: (column) => duck.data_chunk_get_vector(chunk, column) } : undefined;
}

/**
 * Makes V8 free the chunks of DuckDB. It frees a chunk when it collects garbage, but does not count its memory, so that
 * hundreds of megabytes would wait. It collects new objects when it allocates a buffer while buffers of 32 MB are in
 * use. The pages of this one are never touched, so it takes no memory.
 */
class ChunkMemory {
  #bytes = 0;

  add(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes < 8 * 2 ** 20) return;
    this.#bytes = 0;
    void new ArrayBuffer(32 * 2 ** 20);
  }
}

/** Converts a vector to a column. The values of the vector are copied. */
type Decoder = (vector: Bindings.Vector, rows: number) => Column;

/** By DuckDB's type: the unit of its dates. */
const UNITS: ReadonlyMap<number, DateUnit> = new Map([
  [12, 'us'], // TIMESTAMP
  [13, 'day'],
  [20, 's'],
  [21, 'ms'],
  [22, 'ns'],
  [31, 'us'], // TIMESTAMP_TZ
] as const);

function doubles(duck: typeof Bindings, vector: Bindings.Vector, rows: number): Float64Array {
  const { buffer, byteOffset } = duck.vector_get_data(vector, 8 * rows);
  return new Float64Array(buffer, byteOffset, rows);
}

function integers(duck: typeof Bindings, vector: Bindings.Vector, rows: number, unit: DateUnit) {
  const { buffer, byteOffset } = duck.vector_get_data(vector, (unit === 'day' ? 4 : 8) * rows);
  return unit === 'day' ? new Int32Array(buffer, byteOffset, rows) : new BigInt64Array(buffer, byteOffset, rows);
}

const present = (duck: typeof Bindings, vector: Bindings.Vector, rows: number): Column => {
  return { ...NO_COLUMN, present: presence(duck, vector, rows) };
};

/** The validity bitmap of a vector with a byte per row; undefined if no value is null. */
function presence(duck: typeof Bindings, vector: Bindings.Vector, rows: number): Uint8Array | undefined {
  const bits = duck.vector_get_validity(vector, 8 * Math.ceil(rows / 64)) as Uint8Array | null;
  const bytes = bits && bytesOfBits(bits, 0, rows);
  return bytes?.includes(0) ? bytes : undefined;
}

/** A string has its length, and then its bytes if there are at most 12, otherwise the first four and a pointer. */
const STRING = { size: 16, inline: 12, start: 4, pointer: 8 } as const;

function texts(duck: typeof Bindings, vector: Bindings.Vector, rows: number): readonly (string | undefined)[] {
  const data = Uint8Array.from(duck.vector_get_data(vector, STRING.size * rows));
  const bytes = Buffer.from(data.buffer);
  const there = presence(duck, vector, rows);
  return Array.from({ length: rows }, (_, row) => {
    if (there?.[row] === 0) return undefined;
    const at = row * STRING.size;
    const length = bytes.readUInt32LE(at);
    if (length <= STRING.inline) return bytes.toString('utf8', at + STRING.start, at + STRING.start + length);
    return Buffer.from(duck.get_data_from_pointer(data.buffer as ArrayBuffer, at + STRING.pointer, length)).toString();
  });
}

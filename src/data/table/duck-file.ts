import type {
  DuckDBConnection,
  DuckDBDataChunk,
  DuckDBInstance,
  DuckDBResult,
  DuckDBValue,
  DuckDBVector,
} from '@duckdb/node-api';
import { counted } from '../../base/index.js';
import { type Column, fieldOf, NO_COLUMN } from '../columns.js';
import type { RowRange } from '../candidate-reader.js';
import { isLittleEndian } from './table.js';

/** A column that DuckDB reads. */
export interface DuckColumn {
  readonly name: string;
  readonly kind: 'number' | 'boolean' | 'text';
}

/** With fewer rows, reading in JavaScript takes less time than loading DuckDB. */
export const MANY_ROWS = 50_000;

/** DuckDB reads a path with these characters as a glob pattern. */
const PATTERN = /[*?[\]{}]/;

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A 64-bit integer becomes the nearest double, as `Number` makes it; a boolean 1 or 0. */
const selected = ({ name, kind }: DuckColumn): string => (kind === 'text' ? quoted(name) : `${quoted(name)}::DOUBLE`);

const toBoolean = (value: unknown): unknown => (typeof value === 'number' ? value === 1 : value);

const convertOf = ({ kind }: DuckColumn): Column['convert'] => (kind === 'boolean' ? toBoolean : undefined);

/**
 * Reads numbers, booleans and single rows of a Parquet file with DuckDB, which is three times as fast as JavaScript.
 * DuckDB is an optional package; the values are bit-identical without it.
 */
export class DuckFile {
  /** Buffers for reuse: new ones for each range would trigger a garbage collection each time. */
  readonly #free: FilledColumn[] = [];

  private constructor(
    private readonly instance: DuckDBInstance,
    private readonly path: string,
  ) {}

  close(): void {
    this.instance.closeSync();
  }

  /**
   * Opens a file.
   *
   * @param path    absolute
   * @param threads the most threads that may read
   * @returns undefined if DuckDB is not installed or cannot read this file
   */
  static async open(path: string, threads: number): Promise<DuckFile | undefined> {
    if (PATTERN.test(path)) return undefined;
    const library = await import('@duckdb/node-api').catch(() => undefined);
    if (!library) return undefined;
    try {
      const { DuckDBInstance } = library;
      const options = { threads: String(threads), autoinstall_known_extensions: 'false' };
      const instance = await DuckDBInstance.create(':memory:', options);
      const connection = await instance.connect();
      await connection.run('SET parquet_metadata_cache = true'); // the footer is read once, not for each range
      connection.closeSync();
      return new DuckFile(instance, path);
    } catch {
      return undefined;
    }
  }

  /**
   * Reads columns of numbers and booleans in row order. Other methods may be called while the stream is open.
   *
   * @param range default: all rows; DuckDB skips row groups outside the range
   */
  async numbers(columns: readonly DuckColumn[], range?: RowRange): Promise<NumberStream> {
    const list = columns.map(selected).join(', ');
    const all = `SELECT ${list} FROM read_parquet($1`;
    const within = range && `file_row_number >= ${range.from} AND file_row_number < ${range.to}`;
    const sql = within === undefined ? `${all})` : `${all}, file_row_number = true) WHERE ${within}`;
    const connection = await this.instance.connect();
    try {
      return new NumberStream(columns, connection, await connection.stream(sql, [this.path]), this.#free);
    } catch (error) {
      connection.closeSync();
      throw error;
    }
  }

  /** Reads columns of some rows. Returns values by column and position. */
  async rows(
    columns: readonly DuckColumn[],
    positions: readonly number[],
  ): Promise<ReadonlyMap<string, ReadonlyMap<number, unknown>>> {
    const list = ['file_row_number', ...columns.map(selected)].join(', ');
    const from = `read_parquet($1, file_row_number = true) WHERE file_row_number IN (${positions.join(', ')})`;
    const rows = await this.#select(`SELECT ${list} FROM ${from}`);
    const valueOf = (column: DuckColumn, value: unknown): unknown => convertOf(column)?.(value) ?? value ?? undefined;
    return new Map(
      columns.map((column, k) => [
        column.name,
        new Map(rows.map((row) => [Number(row[0]), valueOf(column, row[k + 1])])),
      ]),
    );
  }

  /** All rows of a statement. */
  async #select(sql: string): Promise<DuckDBValue[][]> {
    const connection = await this.instance.connect();
    try {
      return await (await connection.run(sql, [this.path])).getRows();
    } finally {
      connection.closeSync();
    }
  }
}

/** A stream of numbers by column. The arrays of a `take` are overwritten by the second next `take`. */
export class NumberStream {
  #buffers: FilledColumn[] = [];
  #spare: FilledColumn[] = [];
  #chunk: DuckDBDataChunk | undefined;
  /** The next row of the chunk to take. */
  #next = 0;

  constructor(
    private readonly columns: readonly DuckColumn[],
    private readonly connection: DuckDBConnection,
    private readonly result: DuckDBResult,
    private readonly free: FilledColumn[],
  ) {}

  /** Closes the stream. Its arrays become invalid. Do not call it while a `take` is pending. */
  close(): void {
    this.free.push(...this.#buffers.splice(0), ...this.#spare.splice(0));
    this.connection.closeSync();
  }

  /**
   * Reads the next rows.
   *
   * @throws Error if fewer rows are left
   */
  async take(count: number): Promise<ReadonlyMap<string, Column>> {
    const filled = this.columns.map((_, k) => this.#spare[k] ?? this.free.pop() ?? new FilledColumn());
    for (const column of filled) column.clear(count);
    [this.#spare, this.#buffers] = [this.#buffers, filled];
    for (let done = 0; done < count; ) {
      if (!this.#chunk || this.#next === this.#chunk.rowCount) {
        // oxlint-disable-next-line no-await-in-loop -- one after another
        this.#chunk = (await this.result.fetchChunk()) ?? undefined;
        this.#next = 0;
        if (!this.#chunk || this.#chunk.rowCount === 0)
          throw new Error(`it has ${counted(count - done, 'row')} fewer than its metadata says`);
      }
      const taken = Math.min(count - done, this.#chunk.rowCount - this.#next);
      for (const [k, column] of filled.entries()) column.copy(this.#chunk.getColumnVector(k), this.#next, taken, done);
      this.#next += taken;
      done += taken;
    }
    return new Map(this.columns.map((column, k) => [column.name, filled[k]!.column(convertOf(column))]));
  }
}

/** The numbers of a vector. */
interface Numbers {
  readonly values: Float64Array;
  /** A bit per row: 0 if the value is null; undefined if no value is null. */
  readonly present: Uint8Array | undefined;
}

/**
 * The internal arrays of a vector; undefined if this version of DuckDB does not have them. They are much faster than the
 * public `getItem`, which tests a bit of a BigInt for each value.
 */
function numbersOf(vector: DuckDBVector): Numbers | undefined {
  const [values, validity] = [fieldOf(vector, 'items'), fieldOf(vector, 'validity')];
  const [bits, offset] = [fieldOf(validity, 'data'), fieldOf(validity, 'offset')];
  if (!(values instanceof Float64Array) || validity === undefined || offset !== 0) return undefined;
  if (bits === null) return { values, present: undefined };
  if (!(bits instanceof BigUint64Array) || !isLittleEndian) return undefined;
  return { values, present: new Uint8Array(bits.buffer, bits.byteOffset, bits.byteLength) };
}

/** A column that is filled from parts of vectors. */
class FilledColumn {
  #values = new Float64Array(0);
  /** By row: 0 if the value is absent. Valid only if `#isAnyAbsent`. */
  #present = new Uint8Array(0);
  #isAnyAbsent = false;

  clear(size: number): void {
    if (this.#values.length < size) this.#values = new Float64Array(size);
    this.#isAnyAbsent = false;
  }

  /** Copies `count` numbers of a vector, starting at `from`, to row `at`. */
  copy(vector: DuckDBVector, from: number, count: number, at: number): void {
    const numbers = numbersOf(vector);
    if (!numbers) return this.#copyEach(vector, from, count, at);
    this.#values.set(numbers.values.subarray(from, from + count), at);
    const { present: bits } = numbers;
    if (!bits) return;
    const present = this.#presence();
    for (let k = 0; k < count; k++) present[at + k] = (bits[(from + k) >> 3]! >> ((from + k) & 7)) & 1;
  }

  column(convert: Column['convert']): Column {
    const present = this.#isAnyAbsent ? this.#present : undefined;
    return { ...NO_COLUMN, values: this.#values, present, convert };
  }

  #copyEach(vector: DuckDBVector, from: number, count: number, at: number): void {
    for (let k = 0; k < count; k++) {
      const value: unknown = vector.getItem(from + k);
      if (typeof value === 'number') this.#values[at + k] = value;
      else this.#presence()[at + k] = 0;
    }
  }

  #presence(): Uint8Array {
    if (this.#isAnyAbsent) return this.#present;
    if (this.#present.length < this.#values.length) this.#present = new Uint8Array(this.#values.length);
    this.#isAnyAbsent = true;
    return this.#present.fill(1);
  }
}

import { createRequire } from 'node:module';
import type * as Bindings from '@duckdb/node-bindings';
import { BOOLEANS, type Column, Columns, dateColumn, NO_COLUMN } from '../columns.js';
import { STRING_SIZE, TextReader } from './duck-texts.js';
import { bytesOfBits, isLittleEndian } from './table.js';

/**
 * The C API of DuckDB, which `@duckdb/node-api` depends on. Loading `@duckdb/node-api` itself takes 0.12 s more, and its
 * vectors convert value by value.
 *
 * @returns undefined if `@duckdb/node-api` is not installed, or does not work on this system
 */
export function loadBindings(): typeof Bindings | undefined {
  try {
    const packageFile = createRequire(import.meta.url).resolve('@duckdb/node-api');
    return createRequire(packageFile)('@duckdb/node-bindings') as typeof Bindings;
  } catch {
    return undefined;
  }
}

/** The vectors of a chunk; an empty list if it has no rows. */
export function vectorsOf(duck: typeof Bindings, chunk: Bindings.DataChunk): readonly Vector[] {
  const rows = duck.data_chunk_get_size(chunk);
  if (rows === 0) return [];
  const count = duck.data_chunk_get_column_count(chunk);
  return Array.from({ length: count }, (_, k) => new Vector(duck, chunk, k, rows));
}

/**
 * Makes V8 free the vectors of DuckDB. It frees them when it collects garbage, but does not count their memory, so that
 * hundreds of megabytes would wait. It collects new objects when a buffer is made while buffers of 32 MB are in use. The
 * pages of this one are never touched, so it takes no memory.
 */
export class ChunkMemory {
  #bytes = 0;

  add(vectors: readonly Vector[]): void {
    this.#bytes += vectors.length * vectors[0]!.rows * Float64Array.BYTES_PER_ELEMENT;
    if (this.#bytes < 8 * 2 ** 20) return;
    this.#bytes = 0;
    void new ArrayBuffer(32 * 2 ** 20);
  }
}

/** Up to 2,048 values of a column. */
export class Vector {
  constructor(
    private readonly duck: typeof Bindings,
    private readonly chunk: Bindings.DataChunk,
    private readonly column: number,
    readonly rows: number,
  ) {}

  /** It is valid while the chunk is referenced. */
  get #vector(): Bindings.Vector {
    return this.duck.data_chunk_get_vector(this.chunk, this.column);
  }

  /** A copy of the values: Node does not allow a view of memory that DuckDB frees. */
  bytes(perRow: number): Uint8Array {
    return this.duck.vector_get_data(this.#vector, perRow * this.rows);
  }

  shorts(): Uint16Array {
    const { buffer, byteOffset } = this.bytes(2);
    return new Uint16Array(buffer, byteOffset, this.rows);
  }

  doubles(): Float64Array {
    const { buffer, byteOffset } = this.bytes(8);
    return new Float64Array(buffer, byteOffset, this.rows);
  }

  texts(): readonly (string | undefined)[] {
    const data = Uint8Array.from(this.bytes(STRING_SIZE));
    return new TextReader(this.duck, data, this.rows).read(this.present());
  }

  /** By row: 0 if the value is null; undefined if no value is null. */
  present(): Uint8Array | undefined {
    const bits = this.duck.vector_get_validity(this.#vector, 8 * Math.ceil(this.rows / 64)) as Uint8Array | null;
    const bytes = bits && bytesOfBits(bits, 0, this.rows);
    return bytes?.includes(0) ? bytes : undefined;
  }

  /** DuckDB's number of the type. */
  get type(): number {
    return this.duck.get_type_id(this.duck.vector_get_column_type(this.#vector));
  }
}

/** A column of a result: doubles, booleans, texts, or dates as doubles of milliseconds. */
export interface ResultColumn {
  readonly name: string;
  readonly kind: 'number' | 'boolean' | 'text' | 'millis';
}

/** Reads the chunks of a result as columns. */
export class ResultColumns {
  readonly #memory = new ChunkMemory();
  readonly #duck = isLittleEndian ? loadBindings() : undefined;

  /** @param columns the columns of the result, in order */
  constructor(private readonly columns: readonly ResultColumn[]) {}

  /** @returns undefined if the library of DuckDB cannot be called directly */
  read(chunk: Bindings.DataChunk): Columns | undefined {
    if (!this.#duck) return undefined;
    const vectors = vectorsOf(this.#duck, chunk);
    if (vectors.length > 0) this.#memory.add(vectors);
    const read = this.columns.map(({ name, kind }, k) => [name, columnOf(vectors[k]!, kind)] as const);
    return new Columns(new Map(read), vectors[0]?.rows ?? 0);
  }
}

function columnOf(vector: Vector, kind: ResultColumn['kind']): Column {
  if (kind === 'text') return { ...NO_COLUMN, values: vector.texts() };
  const present = vector.present();
  if (kind === 'boolean') return { ...NO_COLUMN, present, values: BOOLEANS, codes: vector.bytes(1) };
  return kind === 'number'
    ? { ...NO_COLUMN, present, values: vector.doubles() }
    : dateColumn(vector.doubles(), present);
}

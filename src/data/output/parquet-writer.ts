import { type FileHandle, open } from 'node:fs/promises';
// Without the module for Node, which loads `fs` under its old name.
import {
  type BasicType,
  ByteWriter,
  type ColumnSource,
  ParquetWriter,
  schemaFromColumnData,
} from 'hyparquet-writer/src/index.js';
import { keyTypeOf, storedKey } from './key-types.js';
import type { OutputColumn, TableBatch, TableWriter } from './table-batch.js';

/** The bytes of a file, which are written after each row group. */
class FileBytes extends ByteWriter {
  constructor(readonly handle: FileHandle) {
    super();
  }

  async flush(): Promise<void> {
    await this.handle.appendFile(this.getBytes());
    this.index = 0;
  }
}

/**
 * Writes Parquet, a row group per batch. The type of a column of keys is that of the values in the first batch: texts,
 * numbers, integers, booleans or dates; texts if it has several types.
 */
export class ParquetTableWriter implements TableWriter {
  #parquet: ParquetWriter | undefined;
  #types: readonly BasicType[] = [];

  private constructor(
    private readonly bytes: FileBytes,
    private readonly columns: readonly OutputColumn[],
  ) {}

  static async open(file: string, columns: readonly OutputColumn[]): Promise<ParquetTableWriter> {
    return new ParquetTableWriter(new FileBytes(await open(file, 'w')), columns);
  }

  async write(batch: TableBatch): Promise<void> {
    this.#parquet ??= this.#begin(batch);
    if (batch.length > 0) await this.#parquet.write({ columnData: this.#sources(batch), rowGroupSize: batch.length });
  }

  async end(): Promise<void> {
    this.#parquet ??= this.#begin({ cells: this.columns.map(() => []) });
    await this.#parquet.finish();
    await this.bytes.flush();
    await this.bytes.handle.close();
  }

  async abort(): Promise<void> {
    await this.bytes.handle.close();
  }

  #begin(batch: Pick<TableBatch, 'cells'>): ParquetWriter {
    this.#types = this.columns.map(({ type }, k) => {
      if (type === 'text') return 'STRING';
      if (type === 'integer') return 'INT32';
      return type === 'number' ? 'DOUBLE' : keyTypeOf(batch.cells[k]!);
    });
    const schema = schemaFromColumnData({ columnData: this.#sources(batch) });
    return new ParquetWriter({ writer: this.bytes, schema, createdBy: 'assize' });
  }

  #sources({ cells }: Pick<TableBatch, 'cells'>): ColumnSource[] {
    return this.columns.map(({ name, type }, k): ColumnSource => {
      const own = this.#types[k]!;
      const data = type === 'key' ? cells[k]!.map((cell) => storedKey(cell, own, name, 'Parquet')) : [...cells[k]!];
      // Plain: the dictionary of the library does not distinguish 0 and -0.
      return { name, data, type: own, nullable: true, ...(own === 'DOUBLE' && { encoding: 'PLAIN' }) };
    });
  }
}

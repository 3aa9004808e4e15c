import { type FileHandle, open } from 'node:fs/promises';
// Without the module for Node, which loads `fs` under its old name.
import {
  type BasicType,
  ByteWriter,
  type ColumnSource,
  ParquetWriter,
  schemaFromColumnData,
} from 'hyparquet-writer/src/index.js';
import { toAssizeError } from '../../base/index.js';
import { type GroupKey, groupText } from '../group-keys.js';
import type { OutputCell, OutputColumn, TableBatch, TableWriter } from './table-batch.js';

type KeyType = 'STRING' | 'DOUBLE' | 'INT64' | 'BOOLEAN' | 'TIMESTAMP';

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
      const data = type === 'key' ? cells[k]!.map((cell) => storedKey(cell, own, name)) : [...cells[k]!];
      // Plain: the dictionary of the library does not distinguish 0 and -0.
      return { name, data, type: own, nullable: true, ...(own === 'DOUBLE' && { encoding: 'PLAIN' }) };
    });
  }
}

function keyTypeOf(keys: readonly OutputCell[]): KeyType {
  const types = new Set<KeyType>();
  for (const key of keys) if (key !== null) types.add(typeOf(key));
  const [first = 'STRING'] = types;
  if (types.size <= 1) return first;
  return types.size === 2 && types.has('DOUBLE') && types.has('INT64') ? 'DOUBLE' : 'STRING';
}

function typeOf(key: Exclude<GroupKey, null>): KeyType {
  if (typeof key === 'string') return 'STRING';
  if (typeof key === 'boolean') return 'BOOLEAN';
  if (typeof key === 'bigint') return 'INT64';
  if (typeof key === 'number') return Number.isInteger(key) ? 'INT64' : 'DOUBLE';
  return 'TIMESTAMP';
}

/** @throws AssizeError (ASZ542) if the key does not have the type of the first ones */
function storedKey(key: OutputCell, type: BasicType, column: string): unknown {
  if (key === null) return null;
  if (type === 'STRING') return groupText(key);
  const own = typeOf(key);
  if (own === type) return own === 'INT64' ? BigInt(key as number | bigint) : key;
  if (type === 'DOUBLE' && own === 'INT64') return Number(key);
  const message = `column ${column} of Parquet has one type, ${type}, by its first values, but ${JSON.stringify(groupText(key))} is ${own}`;
  throw toAssizeError([
    { code: 'ASZ542', message, hint: 'write CSV or JSON Lines, or convert the column of the input to texts' },
  ]);
}

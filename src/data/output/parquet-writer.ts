import { type FileHandle, open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { ColumnChunk, CompressionCodec } from 'hyparquet';
import { writePageHeader } from 'hyparquet-writer/src/datapage.js';
import { writeRleBitPackedHybrid } from 'hyparquet-writer/src/encoding.js';
// Without the module for Node, which loads `fs` under its old name.
import { type BasicType, ByteWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer/src/index.js';
import { groupText } from '../group-keys.js';
import { checkKeyType, type KeyType, keyTypeOf } from './key-types.js';
import {
  type EncodedValues,
  encodeBooleans,
  encodeDoubles,
  encodeIntegers,
  encodeLongs,
  encodeTexts,
} from './parquet-values.js';
import {
  ListCells,
  NumberCells,
  type OutputCell,
  type OutputColumn,
  type TableBatch,
  type TableWriter,
} from './table-batch.js';

type ParquetType = KeyType | 'INT32';

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
 *
 * The library writes the schema, the page headers and the footer. The values are encoded here, by column, because the
 * library takes a list and calls several functions for each value, which takes ten times as long.
 */
export class ParquetTableWriter implements TableWriter {
  #parquet: ParquetWriter | undefined;
  #types: readonly ParquetType[] = [];
  /** The row group that is being compressed and written, while the caller makes the next one. */
  #pending: Promise<void> = Promise.resolve();

  private constructor(
    private readonly bytes: FileBytes,
    private readonly columns: readonly OutputColumn[],
  ) {}

  static async open(file: string, columns: readonly OutputColumn[]): Promise<ParquetTableWriter> {
    return new ParquetTableWriter(new FileBytes(await open(file, 'w')), columns);
  }

  async write(batch: TableBatch): Promise<void> {
    this.#parquet ??= this.#begin(batch);
    if (batch.length === 0) return;
    const encoded = batch.cells.map((cells, k) => encode(cells, this.#types[k]!, this.columns[k]!.name));
    await this.#pending;
    this.#pending = this.#writeGroup(this.#parquet, encoded, batch.length);
    this.#pending.catch(() => {}); // thrown when it is awaited
  }

  async end(): Promise<void> {
    this.#parquet ??= this.#begin(undefined);
    await this.#pending;
    await this.#parquet.finish();
    await this.bytes.flush();
    await this.bytes.handle.close();
  }

  async abort(): Promise<void> {
    await this.#pending.catch(() => {});
    await this.bytes.handle.close();
  }

  #begin(batch: TableBatch | undefined): ParquetWriter {
    this.#types = this.columns.map(({ type }, k) => {
      if (type === 'text') return 'STRING';
      if (type === 'integer') return 'INT32';
      return type === 'number' ? 'DOUBLE' : keyTypeOf(batch?.list(k).values ?? []);
    });
    const columnData = this.columns.map(({ name }, k) => {
      const type: BasicType = this.#types[k]!;
      return { name, data: [], type, nullable: true };
    });
    return new ParquetWriter({
      writer: this.bytes,
      schema: schemaFromColumnData({ columnData }),
      createdBy: 'assize',
    });
  }

  async #writeGroup(parquet: ParquetWriter, encoded: readonly EncodedChunk[], count: number): Promise<void> {
    // Other threads compress the pages.
    const chunks = await Promise.all(encoded.map(compressed));
    const start = this.bytes.offset;
    const columns = chunks.map((chunk, k) => this.#writeChunk(parquet, k, chunk, count));
    const rows = BigInt(count);
    parquet.num_rows += rows;
    parquet.row_groups.push({
      columns,
      total_byte_size: columns.reduce((sum, { meta_data }) => sum + meta_data!.total_uncompressed_size, 0n),
      num_rows: rows,
      total_compressed_size: BigInt(this.bytes.offset - start),
    });
    await this.bytes.flush();
  }

  #writeChunk(parquet: ParquetWriter, column: number, chunk: CompressedChunk, rows: number): ColumnChunk {
    const { bytes } = this;
    const { nulls, levels, codec, page, dictionary, values } = chunk;
    const start = bytes.offset;
    let headers = 0;
    const header = (one: Parameters<typeof writePageHeader>[1]): void => {
      const before = bytes.offset;
      writePageHeader(bytes, one);
      headers += bytes.offset - before;
    };
    if (dictionary) {
      header({
        type: 'DICTIONARY_PAGE',
        uncompressed_page_size: values.dictionary!.bytes.length,
        compressed_page_size: dictionary.length,
        dictionary_page_header: { num_values: values.dictionary!.count, encoding: 'PLAIN' },
      });
      bytes.appendBytes(dictionary);
    }
    const dataOffset = bytes.offset;
    header({
      type: 'DATA_PAGE_V2',
      uncompressed_page_size: levels.length + values.bytes.length,
      compressed_page_size: levels.length + page.length,
      data_page_header_v2: {
        num_values: rows,
        num_nulls: nulls,
        num_rows: rows,
        encoding: values.encoding,
        definition_levels_byte_length: levels.length,
        repetition_levels_byte_length: 0,
        is_compressed: codec !== 'UNCOMPRESSED',
      },
    });
    bytes.appendBytes(levels);
    bytes.appendBytes(page);
    const { least, greatest } = values;
    const size = headers + levels.length + values.bytes.length + (values.dictionary?.bytes.length ?? 0);
    return {
      file_offset: BigInt(start),
      meta_data: {
        type: parquet.schema[column + 1]!.type!,
        encodings: values.dictionary ? ['PLAIN', 'RLE_DICTIONARY', 'RLE'] : ['PLAIN', 'RLE'],
        path_in_schema: [this.columns[column]!.name],
        codec,
        num_values: BigInt(rows),
        total_compressed_size: BigInt(bytes.offset - start),
        total_uncompressed_size: BigInt(size),
        data_page_offset: BigInt(dataOffset),
        ...(dictionary && { dictionary_page_offset: BigInt(start) }),
        statistics: {
          null_count: BigInt(nulls),
          ...(least !== undefined && greatest !== undefined && { min_value: least, max_value: greatest }),
        },
      },
    };
  }
}

/** The values of a column chunk, and where they are null. */
interface EncodedChunk {
  readonly values: EncodedValues;
  readonly nulls: number;
  /** The definition levels: 0 for each null, 1 for each value. */
  readonly levels: Uint8Array;
}

function encode(cells: NumberCells | ListCells, type: ParquetType, name: string): EncodedChunk {
  if (cells instanceof NumberCells) {
    const { values, nulls, length } = cells;
    const present = nulls === 0 ? undefined : cells.present;
    const encoded = type === 'INT32' ? encodeIntegers(values, present) : encodeDoubles(values, present);
    return { values: encoded, nulls, levels: levelsOf(present, length) };
  }
  const stored: Exclude<OutputCell, null>[] = [];
  let present: Uint8Array | undefined;
  for (const [row, cell] of cells.values.entries()) {
    if (cell === null) (present ??= new Uint8Array(cells.length).fill(1))[row] = 0;
    else stored.push(cell);
  }
  const values = encodeKeys(stored, type, name);
  return { values, nulls: cells.length - stored.length, levels: levelsOf(present, cells.length) };
}

/** @throws AssizeError (ASZ542) if a key does not have the type of the first ones */
function encodeKeys(keys: readonly Exclude<OutputCell, null>[], type: ParquetType, name: string): EncodedValues {
  if (type === 'STRING') return encodeTexts(keys.map((key) => (typeof key === 'string' ? key : groupText(key))));
  for (const key of keys) checkKeyType(key, type, name, 'Parquet');
  if (type === 'BOOLEAN') return encodeBooleans(keys.map((key) => key === true));
  if (type === 'DOUBLE') return encodeDoubles(Float64Array.from(keys, Number), undefined);
  return encodeLongs(keys.map((key) => BigInt(key instanceof Date ? key.getTime() : key)));
}

function levelsOf(present: Uint8Array | undefined, rows: number): Uint8Array {
  const levels = new ByteWriter(64);
  if (present) writeRleBitPackedHybrid(levels, present, 1);
  else {
    levels.appendVarInt(rows << 1); // one run of `rows` times 1
    levels.appendUint8(1);
  }
  return levels.getBytes();
}

interface CompressedChunk extends EncodedChunk {
  readonly codec: CompressionCodec;
  readonly page: Uint8Array;
  readonly dictionary: Uint8Array | undefined;
}

const compress = promisify<Uint8Array, { readonly level: number }, Uint8Array>(gzip);
const FASTEST = { level: constants.Z_BEST_SPEED };

/** The bytes that are compressed first, to see whether the rest is worth it. */
const SAMPLE = 8192;

/** Compresses the pages of a chunk, unless that saves less than a quarter: random doubles take most of the time. */
async function compressed(chunk: EncodedChunk): Promise<CompressedChunk> {
  const { bytes, dictionary } = chunk.values;
  const all = dictionary && dictionary.bytes.length > bytes.length ? dictionary.bytes : bytes;
  const middle = Math.max(0, (all.length - SAMPLE) >> 1);
  const sample = all.subarray(middle, middle + SAMPLE);
  if ((await compress(sample, FASTEST)).length > 0.75 * sample.length)
    return { ...chunk, codec: 'UNCOMPRESSED', page: bytes, dictionary: dictionary?.bytes };
  const pages = await Promise.all([compress(bytes, FASTEST), dictionary && compress(dictionary.bytes, FASTEST)]);
  return { ...chunk, codec: 'GZIP', page: pages[0], dictionary: pages[1] };
}

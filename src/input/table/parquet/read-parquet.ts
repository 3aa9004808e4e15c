import {
  type AsyncBuffer,
  type Compressors,
  type FileMetaData,
  parquetMetadataAsync,
  type ParquetParsers,
  parquetRead,
  parquetSchema,
  type SchemaTree,
} from 'hyparquet';
import { type Column, Columns, NO_COLUMN } from '../../../columns/index.js';
import { isoTimestamp } from '../times.js';
import { joinPieces, type Piece } from '../pieces.js';
import { type RandomAccess, type Table, tableError } from '../table.js';
import { type Convert, converterOf, leafOf } from './parquet-values.js';

/** So many rows of a row group are read one by one; of more, the whole group is. */
const FEW_ROWS = 4;

/** Times that have no type of their own, and are always UTC. */
const PARSERS: Partial<ParquetParsers> = {
  timestampFromNanoseconds: (nanos) => isoTimestamp(nanos, 1_000_000, true),
};

/** A row group: its first row, and the row after its last. */
interface RowGroup {
  readonly from: number;
  readonly to: number;
}

/** Reads Parquet, a row group at a time. */
export async function openParquet(bytes: RandomAccess, name: string): Promise<Table> {
  try {
    return new ParquetTable(bytes, name, await readMetadata(bytes));
  } catch (error) {
    throw parquetError(name, error);
  }
}

async function readMetadata(bytes: RandomAccess): Promise<FileMetaData> {
  const size = bytes.byteLength;
  if (size < 12) throw new Error(`it has only ${size} bytes`);
  const end = Buffer.from(await bytes.slice(size - 4)).toString('latin1');
  if (end === 'PARE') throw new Error('it is encrypted');
  if (end !== 'PAR1') throw new Error('it does not end with PAR1, as Parquet does: it is cut off, or something else');
  return parquetMetadataAsync(bytes, { geoparquet: false, parsers: PARSERS });
}

const parquetError = (name: string, error: unknown): Error => {
  const isOurs = error instanceof Error && error.name === 'AssizeError';
  return isOurs ? error : tableError(name, 'Parquet', error);
};

class ParquetTable implements Table {
  readonly #metadata: FileMetaData;
  readonly #converters: ReadonlyMap<string, Convert>;
  readonly #groups: readonly RowGroup[];
  #compressors: Compressors | undefined;

  constructor(
    private readonly bytes: AsyncBuffer,
    private readonly name: string,
    metadata: FileMetaData,
  ) {
    const { children } = parquetSchema(metadata);
    this.#converters = new Map(children.map((child) => [child.element.name, converterOf(child)]));
    this.#metadata = { ...metadata, schema: metadata.schema.map(storedElement) };
    let to = 0;
    this.#groups = metadata.row_groups.map(({ num_rows }) => ({ from: to, to: (to += rowCount(num_rows)) }));
  }

  async *batches(fields?: ReadonlySet<string>): AsyncGenerator<Columns> {
    for (const { from, to } of this.#groups) {
      // oxlint-disable-next-line no-await-in-loop -- one after another, in memory for one
      yield await this.#read(from, to, fields);
    }
  }

  async rows(positions: readonly number[]): Promise<readonly object[]> {
    const found = new Map<number, object>();
    for (const { from, to } of this.#groups) {
      const wanted = positions.filter((position) => position >= from && position < to);
      const spans = wanted.length > FEW_ROWS ? [{ from, to }] : wanted.map((at) => ({ from: at, to: at + 1 }));
      for (const span of spans) {
        // oxlint-disable-next-line no-await-in-loop -- one after another, in memory for one
        const columns = await this.#read(span.from, span.to);
        for (const position of wanted) {
          if (position >= span.from && position < span.to) found.set(position, columns.row(position - span.from));
        }
      }
    }
    return positions.flatMap((position) => found.get(position) ?? []);
  }

  /** The rows from one to before another, of one row group. */
  async #read(from: number, to: number, fields?: ReadonlySet<string>): Promise<Columns> {
    const names = [...this.#converters.keys()].filter((name) => fields?.has(name) ?? true);
    const pieces = new Map<string, Piece[]>(names.map((name) => [name, []]));
    if (names.length === 0) return new Columns(new Map(), to - from);
    try {
      await parquetRead({
        file: this.bytes,
        metadata: this.#metadata,
        columns: names,
        rowStart: from,
        rowEnd: to,
        utf8: false,
        compressors: await this.#loadCompressors(),
        parsers: PARSERS,
        onChunk: ({ columnName, columnData, rowStart }) =>
          void pieces.get(columnName)?.push({ from: rowStart, values: columnData }),
      });
      return new Columns(new Map(names.map((name) => [name, this.#column(name, pieces.get(name)!, from, to)])), to - from);
    } catch (error) {
      throw parquetError(this.name, error);
    }
  }

  #column(name: string, pieces: readonly Piece[], from: number, to: number): Column {
    return { ...NO_COLUMN, values: joinPieces(name, pieces, from, to), convert: this.#converters.get(name) };
  }

  async #loadCompressors(): Promise<Compressors> {
    this.#compressors ??= (await import('hyparquet-compressors')).compressors;
    return this.#compressors;
  }
}

/** A count that a file claims: one that no array can hold is none. */
function rowCount(claimed: bigint): number {
  if (claimed >= 0n && claimed < 2n ** 31n) return Number(claimed);
  throw new Error(`a row group claims ${claimed} rows`);
}

/** A leaf whose values are converted here, and not by the library. */
const storedElement = (element: SchemaTree['element']): SchemaTree['element'] =>
  element.num_children ? element : leafOf(element).stored;

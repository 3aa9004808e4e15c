import { type FileMetaData, parquetMetadataAsync, type SchemaTree } from 'hyparquet';
import { type Column, Columns, readCell } from '../columns.js';
import { setOwn } from '../../expression/index.js';
import type { RandomAccess, RowRange, Table } from '../candidate-reader.js';
import { describedTable } from './table.js';
import { type DuckColumn, DuckFile, MANY_ROWS, type NumberStream } from './duck-file.js';
import { PARSERS, RowGroups } from './row-groups.js';

/**
 * Opens a Parquet file. If DuckDB is installed, it reads the columns that it reads faster.
 *
 * @param manyRows number of rows from which DuckDB is used
 */
export async function openParquet(
  bytes: RandomAccess,
  name: string,
  threads: number,
  manyRows?: number,
): Promise<Table> {
  return describedTable(name, 'Parquet', async () => {
    return new ParquetTable(bytes, new RowGroups(bytes, await readMetadata(bytes), name), threads, manyRows);
  });
}

async function readMetadata(bytes: RandomAccess): Promise<FileMetaData> {
  const size = bytes.byteLength;
  if (size < 12) throw new Error(`it has only ${size} bytes`);
  const end = Buffer.from(await bytes.slice(size - 4)).toString('latin1');
  if (end === 'PARE') throw new Error('it is encrypted');
  if (end !== 'PAR1') throw new Error('it does not end with PAR1: it is truncated or not Parquet');
  return parquetMetadataAsync(bytes, { geoparquet: false, parsers: PARSERS });
}

/** Rows of a batch, unless a row group must be read as a whole. */
const BATCH_ROWS = 65_536;

/** Up to this number of rows of a group are read one by one. For more, the whole group is read. */
const FEW_ROWS = 4;

/** Values that are read at once: at least one column. */
const VALUES_AT_ONCE = 2 ** 20;

/** Values by column and position. */
type ValuesAt = ReadonlyMap<string, ReadonlyMap<number, unknown>>;

/** A Parquet file. DuckDB reads numbers if it is installed and the file is large; JavaScript reads the rest. */
class ParquetTable implements Table {
  #duck: Promise<DuckFile | undefined> | undefined;

  constructor(
    private readonly bytes: RandomAccess,
    private readonly rowGroups: RowGroups,
    private readonly threads: number,
    private readonly manyRows = MANY_ROWS,
  ) {}

  get groups(): readonly RowRange[] {
    return this.rowGroups.groups;
  }

  async *batches(fields?: ReadonlySet<string>, range?: RowRange): AsyncGenerator<Columns, void> {
    const names = [...this.rowGroups.schema.keys()].filter((name) => fields?.has(name) ?? true);
    const byDuck = await this.#readByDuck(names, ['number', 'boolean']);
    const numbers = await (byDuck.length > 0 ? this.#openNumbers(byDuck, range) : undefined);
    const others = numbers ? names.filter((name) => !byDuck.some((column) => column.name === name)) : names;
    const groups = range ? this.groups.filter(({ from, to }) => from >= range.from && to <= range.to) : this.groups;
    const parts = others.length > 0 ? groups : groups.flatMap(partsOf);
    const read = async (part: RowRange): Promise<Columns> => {
      const length = part.to - part.from;
      const [byNumber, byValue] = [await numbers?.take(length), await this.rowGroups.read(part, others)];
      return new Columns(inOrder(names, [byNumber, byValue]), length);
    };
    try {
      yield* readAhead(parts, read, numbers ? 1 : 0);
    } finally {
      numbers?.close();
    }
    await this.#checkUnchanged();
  }

  async rows(positions: readonly number[]): Promise<readonly object[]> {
    const names = [...this.rowGroups.schema.keys()];
    const byDuck = positions.length > 0 ? await this.#readByDuck(names, ['number', 'boolean', 'text']) : [];
    const duck = await this.#duck;
    const read = await (duck && byDuck.length > 0 ? duck.rows(byDuck, positions).catch(() => undefined) : undefined);
    const others = read ? names.filter((name) => !read.has(name)) : names;
    const values = new Map([...(read ?? []), ...(await this.#valuesAt(others, positions))]);
    await this.#checkUnchanged();
    return positions.map((position) => {
      const row: Record<string, unknown> = {};
      for (const name of names) {
        const value = values.get(name)?.get(position);
        if (value !== undefined && value !== null) setOwn(row, name, value);
      }
      return row;
    });
  }

  close(): void {
    void this.#duck?.then((duck) => duck?.close());
  }

  /** Throws if the file changed: DuckDB reads it by path, without the check of `bytes`. */
  async #checkUnchanged(): Promise<void> {
    await this.bytes.slice(0, 0);
  }

  /** The values of columns at some positions, by name. */
  async #valuesAt(names: readonly string[], positions: readonly number[]): Promise<ValuesAt> {
    const values = new Map(names.map((name): [string, Map<number, unknown>] => [name, new Map()]));
    for (const group of this.groups) {
      const wanted = positions.filter((position) => position >= group.from && position < group.to);
      const parts = wanted.length > FEW_ROWS ? [group] : wanted.map((at) => ({ from: at, to: at + 1 }));
      // A page is always read whole, even for one row. This limits the columns in memory.
      const width = Math.max(1, Math.floor(VALUES_AT_ONCE / (group.to - group.from)));
      for (const part of parts) {
        for (let k = 0; k < names.length; k += width) {
          // oxlint-disable-next-line no-await-in-loop -- one after another, in memory for one
          for (const [name, column] of await this.rowGroups.read(part, names.slice(k, k + width))) {
            for (const at of wanted.filter((position) => position >= part.from && position < part.to)) {
              values.get(name)!.set(at, readCell(column, at - part.from));
            }
          }
        }
      }
    }
    return values;
  }

  /** The columns that DuckDB reads; an empty list if it is not used. */
  async #readByDuck(names: readonly string[], kinds: readonly DuckColumn['kind'][]): Promise<readonly DuckColumn[]> {
    const { schema, length } = this.rowGroups;
    const { path } = this.bytes;
    // DuckDB's column names are case-insensitive.
    const distinct = new Set(Array.from(schema.keys(), (name) => name.toLowerCase()));
    if (
      path === undefined ||
      length < this.manyRows ||
      distinct.size < schema.size ||
      distinct.has('file_row_number')
    ) {
      return [];
    }
    const columns = names.flatMap((name) => {
      const kind = kindOf(schema.get(name)!);
      return kind && kinds.includes(kind) ? [{ name, kind }] : [];
    });
    if (columns.length === 0) return [];
    this.#duck ??= DuckFile.open(path, this.threads);
    return (await this.#duck) ? columns : [];
  }

  async #openNumbers(columns: readonly DuckColumn[], range: RowRange | undefined): Promise<NumberStream | undefined> {
    const duck = await this.#duck;
    return duck?.numbers(columns, range).catch(() => undefined); // hyparquet then reads the file and reports its errors
  }
}

/** Yields the results of `work` in order. While the caller uses one, it starts `ahead` more. */
async function* readAhead<T, R>(items: readonly T[], work: (item: T) => Promise<R>, ahead: number): AsyncGenerator<R> {
  const begun: Promise<R>[] = [];
  try {
    for (const item of items) {
      const last = begun.at(-1);
      const next = last ? last.then(() => work(item)) : work(item);
      next.catch(() => {}); // thrown again when it is awaited
      begun.push(next);
      // oxlint-disable-next-line no-await-in-loop -- one after another
      if (begun.length > ahead) yield await begun.shift()!;
    }
    // oxlint-disable-next-line no-await-in-loop -- one after another
    while (begun.length > 0) yield await begun.shift()!;
  } finally {
    await Promise.allSettled(begun); // after this, the caller may close the file
  }
}

const partsOf = ({ from, to }: RowRange): readonly RowRange[] =>
  Array.from({ length: Math.ceil((to - from) / BATCH_ROWS) }, (_, k) => {
    const start = from + k * BATCH_ROWS;
    return { from: start, to: Math.min(to, start + BATCH_ROWS) };
  });

/** Merges columns of several readers in the order of the file. */
function inOrder(
  names: readonly string[],
  read: readonly (ReadonlyMap<string, Column> | undefined)[],
): ReadonlyMap<string, Column> {
  const found = new Map<string, Column>();
  for (const name of names) {
    const column = read.find((columns) => columns?.has(name))?.get(name);
    if (column) found.set(name, column);
  }
  return found;
}

const INTEGERS = new Set<string | undefined>([
  undefined,
  'INT_8',
  'INT_16',
  'INT_32',
  'INT_64',
  'UINT_8',
  'UINT_16',
  'UINT_32',
  'UINT_64',
]);

/** The kind of a column's values; undefined if DuckDB might read them differently. */
function kindOf({ element, children }: SchemaTree): DuckColumn['kind'] | undefined {
  const { type, converted_type: converted, logical_type: logical, repetition_type: repetition } = element;
  if (children.length > 0 || repetition === 'REPEATED') return undefined;
  const isInteger = INTEGERS.has(converted) && (logical === undefined || logical.type === 'INTEGER');
  if (type === 'INT32' || type === 'INT64') return isInteger ? 'number' : undefined;
  if (type === 'FLOAT' || type === 'DOUBLE') return 'number';
  if (type === 'BOOLEAN') return 'boolean';
  return type === 'BYTE_ARRAY' && converted === 'UTF8' ? 'text' : undefined;
}

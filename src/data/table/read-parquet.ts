import { type FileMetaData, parquetMetadataAsync } from 'hyparquet';
import { type Column, Columns, cutColumn, readCell } from '../columns.js';
import { setOwn } from '../../expression/index.js';
import type { RandomAccess, RowRange, Table } from '../candidate-reader.js';
import { describedTable } from './table.js';
import { type DuckColumn, DuckFile, MANY_ROWS, ROW_NUMBER } from './duck-file.js';
import { duckKindOf, PARSERS } from './parquet-types.js';
import { RowGroups } from './row-groups.js';

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

/** Rows of a batch without columns. */
const BATCH_ROWS = 65_536;

/** Up to this number of rows of a group are read one by one. For more, the whole group is read. */
const FEW_ROWS = 4;

/** Values that are read at once: at least one column. */
const VALUES_AT_ONCE = 2 ** 20;

/** Values by column and position. */
type ValuesAt = ReadonlyMap<string, ReadonlyMap<number, unknown>>;

/** A Parquet file. DuckDB reads most columns if it is installed and the file is large; JavaScript reads the rest. */
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
    const { from, to } = range ?? { from: 0, to: this.rowGroups.length };
    let done = from;
    try {
      for await (const batch of this.#batchesOfDuck(names, range)) {
        yield batch;
        done += batch.length;
      }
    } catch {
      // JavaScript reads the other rows, and reports the errors of the file
    }
    for (const group of this.groups) {
      const part = { from: Math.max(done, group.from), to: Math.min(to, group.to) };
      for (const rows of names.length > 0 ? [part] : partsOf(part)) {
        // oxlint-disable-next-line no-await-in-loop -- one after another, in memory for one
        if (rows.from < rows.to) yield new Columns(await this.rowGroups.read(rows, names), rows.to - rows.from);
      }
    }
    await this.#checkUnchanged();
  }

  /** The batches that DuckDB reads. Columns that only JavaScript can read are read by row group and added. */
  async *#batchesOfDuck(names: readonly string[], range: RowRange | undefined): AsyncGenerator<Columns, void> {
    const [duck, columns] = await this.#columnsOfDuck(names, 'code');
    if (!duck || columns.length === 0) return;
    const others = names.filter((name) => !columns.some((column) => column.name === name));
    let next = range?.from ?? 0;
    let group: RowRange = { from: next, to: others.length > 0 ? next : Infinity };
    let added: ReadonlyMap<string, Column> = new Map();
    for await (const batch of duck.batches(columns, range)) {
      for (let left = batch.length; left > 0; ) {
        if (next === group.to) {
          group = this.groups.find(({ to }) => to > next)!;
          added = await this.rowGroups.read(group, others);
        }
        const length = Math.min(left, group.to - next);
        const [start, at] = [batch.length - left, next - group.from];
        const columnOf = (name: string): Column => {
          const column = added.get(name);
          return column
            ? cutColumn(column, at, at + length)
            : cutColumn(batch.columns.get(name)!, start, start + length);
        };
        yield others.length === 0 ? batch : new Columns(new Map(names.map((name) => [name, columnOf(name)])), length);
        next += length;
        left -= length;
      }
    }
  }

  async rows(positions: readonly number[]): Promise<readonly object[]> {
    const names = [...this.rowGroups.schema.keys()];
    const read = await this.#rowsOfDuck(names, positions).catch((): ValuesAt => new Map());
    const others = names.filter((name) => !read.has(name));
    const values = new Map([...read, ...(await this.#valuesAt(others, positions))]);
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

  /** The values that DuckDB reads at some positions, by name. */
  async #rowsOfDuck(names: readonly string[], positions: readonly number[]): Promise<ValuesAt> {
    const [duck, columns] = await this.#columnsOfDuck(names, 'text');
    if (!duck || columns.length === 0 || positions.length === 0) return new Map();
    const batches = await duck.rows(columns, positions);
    return new Map(
      columns.map(({ name }) => {
        const values = batches.flatMap((batch) =>
          Array.from({ length: batch.length }, (_, row): [number, unknown] => {
            return [Number(batch.columns.get(ROW_NUMBER)!.values[row]), readCell(batch.columns.get(name)!, row)];
          }),
        );
        return [name, new Map(values)];
      }),
    );
  }

  /**
   * The columns that DuckDB reads; an empty list if it is not used.
   *
   * @param texts how to read columns of which a dictionary is small; other texts are read as texts
   */
  async #columnsOfDuck(
    names: readonly string[],
    texts: 'text' | 'code',
  ): Promise<readonly [DuckFile | undefined, readonly DuckColumn[]]> {
    const { schema, length } = this.rowGroups;
    const { path } = this.bytes;
    // DuckDB's column names are case-insensitive.
    const distinct = new Set(Array.from(schema.keys(), (name) => name.toLowerCase()));
    const isUnclear = distinct.size < schema.size || distinct.has(ROW_NUMBER);
    if (path === undefined || length < this.manyRows || isUnclear) return [undefined, []];
    const columns = names.flatMap((name): readonly DuckColumn[] => {
      const kind = duckKindOf(schema.get(name)!);
      if (kind !== 'text') return kind ? [{ name, kind }] : [];
      return [{ name, kind: this.rowGroups.isCoded(name) ? texts : 'text' }];
    });
    if (columns.length === 0) return [undefined, []];
    const duck = await (this.#duck ??= DuckFile.open(path, this.threads));
    return [duck, (await duck?.readable(columns)) ?? []];
  }
}

const partsOf = ({ from, to }: RowRange): readonly RowRange[] =>
  Array.from({ length: Math.ceil((to - from) / BATCH_ROWS) }, (_, k) => {
    const start = from + k * BATCH_ROWS;
    return { from: start, to: Math.min(to, start + BATCH_ROWS) };
  });

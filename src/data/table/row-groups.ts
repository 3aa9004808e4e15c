import {
  type AsyncBuffer,
  type ColumnChunk,
  type FileMetaData,
  parquetRead,
  parquetSchema,
  type SchemaTree,
} from 'hyparquet';
import { BOOLEANS, type Column, dateColumn, NO_COLUMN } from '../columns.js';
import { checkHeapFor } from '../heap-limit.js';
import type { RowRange } from '../candidate-reader.js';
import { type Convert, converterOf, dateUnitOf, kindOf, PARSERS, storedLeaves } from './parquet-types.js';
import { type DateUnit, storedDates } from './table.js';

/** The row groups of a Parquet file, read in JavaScript. */
export class RowGroups {
  /** The schema of each column, by name. */
  readonly schema: ReadonlyMap<string, SchemaTree>;
  readonly groups: readonly RowRange[];
  readonly #metadata: FileMetaData;
  readonly #converters: ReadonlyMap<string, Convert>;
  readonly #dates: ReadonlyMap<string, DateUnit>;

  constructor(
    private readonly bytes: AsyncBuffer,
    metadata: FileMetaData,
    private readonly name: string,
  ) {
    const { children } = parquetSchema(metadata);
    this.schema = new Map(children.map((child) => [child.element.name, child]));
    this.#converters = new Map(children.map((child) => [child.element.name, converterOf(child)]));
    this.#dates = new Map(
      children.flatMap((child) => {
        const unit = dateUnitOf(child);
        return unit ? [[child.element.name, unit]] : [];
      }),
    );
    const stored = new Map(children.flatMap(storedLeaves));
    this.#metadata = { ...metadata, schema: metadata.schema.map((element) => stored.get(element) ?? element) };
    let to = 0;
    this.groups = metadata.row_groups.map(({ num_rows }) => ({ from: to, to: (to += rowCount(num_rows)) }));
  }

  /** Number of rows. */
  get length(): number {
    return this.groups.at(-1)?.to ?? 0;
  }

  /** Whether each row group has a column as a dictionary and codes, which take less than the shortest texts. */
  isCoded(name: string): boolean {
    return this.#metadata.row_groups.every(({ columns }) => {
      const facts = columns.find(({ meta_data }) => meta_data?.path_in_schema[0] === name)?.meta_data;
      if (!facts?.encodings.some((encoding) => encoding.endsWith('DICTIONARY'))) return false;
      return Number(facts.total_uncompressed_size) < LENGTH_BYTES * Number(facts.num_values);
    });
  }

  /** Reads columns of a range of rows in one group. */
  async read({ from, to }: RowRange, names: readonly string[]): Promise<ReadonlyMap<string, Column>> {
    if (names.length === 0) return new Map();
    this.#checkMemory(from, names);
    const pieces = new Map<string, Piece[]>(names.map((name) => [name, []]));
    const { compressors } = await import('hyparquet-compressors');
    await parquetRead({
      file: this.bytes,
      metadata: this.#metadata,
      columns: [...names],
      rowStart: from,
      rowEnd: to,
      utf8: false,
      compressors,
      parsers: PARSERS,
      onChunk: ({ columnName, columnData, rowStart }) =>
        void pieces.get(columnName)?.push({ from: rowStart, values: columnData }),
    });
    const columnOf = (name: string): Column => {
      const values = joinPieces(name, pieces.get(name) ?? [], from, to);
      const unit = this.#dates.get(name);
      if (unit) {
        const { millis, present, rounded } = storedDates(values, unit);
        return dateColumn(millis, present, rounded);
      }
      const convert = this.#converters.get(name);
      const kind = kindOf(this.schema.get(name)!);
      if (kind === 'number') return numberColumn(values, convert);
      return kind === 'boolean' ? booleanColumn(values) : { ...NO_COLUMN, values, convert };
    };
    return new Map(names.map((name) => [name, columnOf(name)]));
  }

  /**
   * V8 ends the process if a row group does not fit.
   *
   * @throws AssizeError (ASZ113)
   */
  #checkMemory(from: number, names: readonly string[]): void {
    const at = this.groups.findIndex((group) => from >= group.from && from < group.to);
    const group = this.groups[at];
    if (!group) return;
    const rows = group.to - group.from;
    const columns = this.#metadata.row_groups[at]!.columns.filter(({ meta_data: facts }) =>
      names.includes(facts?.path_in_schema[0] ?? ''),
    );
    const bytes = columns.reduce((sum, column) => sum + heapBytes(column, rows), 0);
    const what = `row group ${at + 1} of ${this.name}, of ${rows.toLocaleString('en-US')} rows,`;
    checkHeapFor(bytes, what, 'write the file with smaller row groups, such as 100,000 rows');
  }
}

/** Each text that is not coded has its length. */
const LENGTH_BYTES = 4;

/** The bytes that V8 takes for each value of a column while it is read. Of a row, hyparquet makes a list that it appends to. */
const BYTES = { slot: 16, text: 24, long: 32, levels: 24, list: 184 };

/** The heap that the values of a column of a row group take while they are read, at least. */
function heapBytes({ meta_data: facts }: ColumnChunk, rows: number): number {
  if (!facts) return 0;
  const values = Number(facts.num_values);
  const isCoded = facts.encodings.some((encoding) => encoding.endsWith('DICTIONARY'));
  const isText = facts.type === 'BYTE_ARRAY' || facts.type === 'FIXED_LEN_BYTE_ARRAY';
  const nested = facts.path_in_schema.length > 1 ? values * BYTES.levels + rows * BYTES.list : 0;
  if (isText)
    return nested + values * BYTES.slot + Number(facts.total_uncompressed_size) + (isCoded ? 0 : values * BYTES.text);
  return nested + (facts.type === 'INT64' || facts.type === 'INT96' ? values * BYTES.long : values * BYTES.slot) / 2;
}

/** Numbers as doubles, without an object for each. */
function numberColumn(values: ArrayLike<unknown>, convert: Convert): Column {
  if (values instanceof Float64Array) return { ...NO_COLUMN, values };
  const numbers = new Float64Array(values.length);
  let present: Uint8Array | undefined;
  for (let row = 0; row < numbers.length; row++) {
    const value = values[row];
    if (value === null || value === undefined) (present ??= new Uint8Array(numbers.length).fill(1))[row] = 0;
    else numbers[row] = Number(convert === undefined ? value : convert(value));
  }
  return { ...NO_COLUMN, values: numbers, present };
}

/** Booleans as codes, without a branch for null where there are none. */
function booleanColumn(values: ArrayLike<unknown>): Column {
  const codes = new Uint8Array(values.length);
  let present: Uint8Array | undefined;
  for (let row = 0; row < codes.length; row++) {
    const value = values[row];
    if (typeof value === 'boolean') codes[row] = Number(value);
    else (present ??= new Uint8Array(codes.length).fill(1))[row] = 0;
  }
  return { ...NO_COLUMN, values: BOOLEANS, codes, present };
}

/** The row count of a group as the file claims it. Refuses a count that an array cannot hold. */
function rowCount(claimed: bigint): number {
  if (claimed >= 0n && claimed < 2n ** 31n) return Number(claimed);
  throw new Error(`a row group claims to have ${claimed} rows`);
}

/** A part of the values of a column. */
interface Piece {
  /** The row of its first value. */
  readonly from: number;
  readonly values: ArrayLike<unknown>;
}

type TypedArrayClass = new (
  length: number,
) => ArrayLike<unknown> & { set(values: ArrayLike<unknown>, at: number): void };

/**
 * Joins the values of the rows from `from` to before `to` to one array.
 *
 * @throws Error if rows are missing
 */
function joinPieces(name: string, pieces: readonly Piece[], from: number, to: number): ArrayLike<unknown> {
  const length = to - from;
  const [only] = pieces;
  if (only && pieces.length === 1 && only.from === from && only.values.length === length) return only.values;
  const joined = emptyLike(pieces, length);
  let done = from;
  for (const { from: start, values } of pieces.toSorted((a, b) => a.from - b.from)) {
    const end = Math.min(to, start + values.length);
    for (let row = Math.max(from, start); row < end; row++) joined[row - from] = values[row - start];
    if (start <= done) done = Math.max(done, end);
  }
  if (done < to) throw new Error(`column ${name} has ${done - from} of ${length} rows`);
  return joined;
}

/** An array of the type of all pieces; a plain array if their types differ. */
function emptyLike(pieces: readonly Piece[], length: number): { [index: number]: unknown; readonly length: number } {
  const [first] = pieces;
  const type: unknown = first?.values.constructor;
  const isTyped = ArrayBuffer.isView(first?.values) && pieces.every(({ values }) => values.constructor === type);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the class of a typed array
  if (isTyped) return new (type as TypedArrayClass)(length);
  const list: unknown[] = [];
  list.length = length;
  return list;
}

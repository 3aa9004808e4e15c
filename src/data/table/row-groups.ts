import {
  type AsyncBuffer,
  type ColumnChunk,
  type FileMetaData,
  type ParquetParsers,
  parquetRead,
  parquetSchema,
  type SchemaElement,
  type SchemaTree,
} from 'hyparquet';
import { type Column, dateColumn, NO_COLUMN } from '../columns.js';
import { checkHeapFor } from '../heap-limit.js';
import { isMap, setOwn } from '../../expression/index.js';
import type { RowRange } from '../candidate-reader.js';
import { dateOf, type DateUnit, isoTime, millisOf, storedDates } from './table.js';

/** INT96 is always a timestamp: it becomes milliseconds. */
export const PARSERS: Partial<ParquetParsers> = {
  timestampFromNanoseconds: (nanos) => millisOf(nanos, 'ns'),
};

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
        const { millis, present } = storedDates(values, unit);
        return dateColumn(millis, present);
      }
      return { ...NO_COLUMN, values, convert: this.#converters.get(name) };
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

/** The unit of a date column; undefined for any other column. */
export const dateUnitOf = ({ element, children }: Pick<SchemaTree, 'element' | 'children'>): DateUnit | undefined =>
  children.length === 0 && element.repetition_type !== 'REPEATED' ? dateUnit(element) : undefined;

/** The row count of a group as the file claims it. Refuses a count that an array cannot hold. */
function rowCount(claimed: bigint): number {
  if (claimed >= 0n && claimed < 2n ** 31n) return Number(claimed);
  throw new Error(`a row group claims to have ${claimed} rows`);
}

/** The leaves of a column, each with the schema element that is passed to hyparquet instead. */
function storedLeaves(node: SchemaTree): readonly (readonly [SchemaElement, SchemaElement])[] {
  if (node.element.logical_type?.type === 'VARIANT') return [];
  return node.children.length === 0
    ? [[node.element, leafOf(node.element).stored]]
    : node.children.flatMap(storedLeaves);
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

/** Converts a stored value; undefined if no conversion is needed. */
type Convert = ((value: unknown) => unknown) | undefined;

/** A leaf of a schema. */
interface Leaf {
  readonly convert: Convert;
  /** The element without its logical type, so that hyparquet returns stored values. */
  readonly stored: SchemaElement;
}

/** A schema element without its logical type. */
function asStored(element: SchemaElement): SchemaElement {
  const stored = { ...element };
  delete stored.converted_type;
  delete stored.logical_type;
  return stored;
}

const presentOnly =
  (convert: (value: never) => unknown): Convert =>
  (value) =>
    value === undefined || value === null ? value : convert(value as never);

const leaf = (element: SchemaElement, convert: (value: never) => unknown): Leaf => {
  return { convert: presentOnly(convert), stored: asStored(element) };
};

const PER_MS = { MILLIS: 1, MICROS: 1000, NANOS: 1_000_000 } as const;
const UNITS = { MILLIS: 'ms', MICROS: 'us', NANOS: 'ns' } as const;

/** How a leaf is read and converted to values as in JSON. */
function leafOf(element: SchemaElement): Leaf {
  const { type, converted_type: converted, logical_type: logical } = element;
  if (converted === 'DECIMAL' || logical?.type === 'DECIMAL') return decimalLeaf(element);
  const unit = dateUnit(element);
  if (type === 'INT96') return { convert: presentOnly(dateOf), stored: element }; // PARSERS returns milliseconds
  if (unit) return leaf(element, (value: number | bigint) => dateOf(millisOf(value, unit)));
  const perMs = timeOfDay(element);
  if (perMs) return leaf(element, (value: number | bigint) => isoTime(value, perMs));
  if (type === 'INT64')
    return leaf(element, isUnsigned(element) ? (value: bigint) => Number(BigInt.asUintN(64, value)) : Number);
  if (converted === 'INTERVAL') return leaf(element, isoDuration);
  if (converted === 'BSON' || logical?.type === 'BSON') return leaf(element, base64);
  const untyped = converted === undefined && logical === undefined;
  if (type === 'BYTE_ARRAY' && untyped) return { convert: undefined, stored: { ...element, converted_type: 'UTF8' } };
  if (type === 'FIXED_LEN_BYTE_ARRAY' && untyped) {
    return leaf(element, base64);
  }
  return { convert: undefined, stored: element };
}

const isUnsigned = ({ converted_type: converted, logical_type: logical }: SchemaElement): boolean =>
  converted === 'UINT_64' || (logical?.type === 'INTEGER' && !logical.isSigned);

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** An ISO 8601 duration, such as `P1M2DT3.5S`, from the stored months, days and milliseconds. */
function isoDuration(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return `P${view.getUint32(0, true)}M${view.getUint32(4, true)}DT${view.getUint32(8, true) / 1000}S`;
}

/** Decimals become the nearest double, as `JSON.parse` reads the digits. */
function decimalLeaf(element: SchemaElement): Leaf {
  const { logical_type: logical } = element;
  const scale = element.scale ?? (logical?.type === 'DECIMAL' ? logical.scale : undefined) ?? 0;
  const exponent = `e${-scale}`;
  return leaf(element, (value: number | bigint | Uint8Array) =>
    Number(`${value instanceof Uint8Array ? signedInteger(value) : value}${exponent}`),
  );
}

/** A big-endian integer in two's complement. */
function signedInteger(bytes: Uint8Array): bigint {
  const hex = Buffer.from(bytes).toString('hex');
  return hex === '' ? 0n : BigInt.asIntN(bytes.length * 8, BigInt(`0x${hex}`));
}

/** The unit of a date or timestamp, local or UTC; undefined for any other type. */
function dateUnit({ type, converted_type: converted, logical_type: logical }: SchemaElement): DateUnit | undefined {
  if (type === 'INT96') return 'ms';
  if (converted === 'DATE' || logical?.type === 'DATE') return 'day';
  if (logical?.type === 'TIMESTAMP') return UNITS[logical.unit];
  if (converted === 'TIMESTAMP_MILLIS') return 'ms';
  return converted === 'TIMESTAMP_MICROS' ? 'us' : undefined;
}

/** Units of a time of day per millisecond; undefined for any other type. */
function timeOfDay({ converted_type: converted, logical_type: logical }: SchemaElement) {
  if (logical?.type === 'TIME') return PER_MS[logical.unit];
  if (converted === 'TIME_MILLIS') return 1;
  return converted === 'TIME_MICROS' ? 1000 : undefined;
}

/** The converter of a schema node with its children. */
function converterOf(node: SchemaTree): Convert {
  const convert = node.children.length === 0 ? leafOf(node.element).convert : groupConverter(node);
  return node.element.repetition_type === 'REPEATED' ? listConverter(convert) : convert;
}

function groupConverter(node: SchemaTree): Convert {
  if (node.element.logical_type?.type === 'VARIANT') return presentOnly(plainValue);
  const [inner] = node.children;
  if (inner && isListLike(node)) {
    return listConverter(inner.children.length === 1 ? converterOf(inner.children[0]!) : elementConverter(inner));
  }
  if (inner && isMapLike(node)) return mapConverter(() => converterOf(inner.children[1]!));
  const fields = new Map(node.children.map((child) => [child.element.name, converterOf(child)]));
  return mapConverter((key) => fields.get(key));
}

/** The one repeated group of a LIST or MAP node; undefined for any other node. */
function repeatedGroup({ element, children }: SchemaTree, type: 'LIST' | 'MAP'): SchemaTree | undefined {
  const [only] = children;
  if (element.converted_type !== type || children.length !== 1) return undefined;
  return only?.element.repetition_type === 'REPEATED' ? only : undefined;
}

/** Whether hyparquet reads a node as a list, so that its values are arrays. */
const isListLike = (node: SchemaTree): boolean => (repeatedGroup(node, 'LIST')?.children.length ?? 2) <= 1;

/** Whether hyparquet reads a node as a map, so that its values are objects. */
function isMapLike(node: SchemaTree): boolean {
  const fields = repeatedGroup(node, 'MAP')?.children;
  return (
    fields?.length === 2 &&
    !fields.some(({ element: { name, repetition_type: repetition } }) => {
      return (name === 'key' || name === 'value') && repetition === 'REPEATED';
    })
  );
}

/** For a list whose elements are not wrapped in a group. */
const elementConverter = (inner: SchemaTree): Convert =>
  inner.children.length === 0 ? leafOf(inner.element).convert : groupConverter(inner);

const listConverter = (convert: Convert): Convert =>
  presentOnly((list: ArrayLike<unknown>) =>
    Array.from(list, (item) => (convert === undefined ? item : convert(item)) ?? null),
  );

const mapConverter = (converterAt: (key: string) => Convert): Convert =>
  presentOnly((map: object) => {
    const made: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(map)) setOwn(made, key, converterAt(key)?.(value) ?? value ?? null);
    return made;
  });

/** Converts a value of a VARIANT as in JSON. */
function plainValue(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Date) return dateOf(value.getTime());
  if (value instanceof Uint8Array) return base64(value);
  if (Array.isArray(value)) return value.map(plainValue);
  if (!isMap(value)) return value;
  return mapConverter(() => plainValue)?.(value);
}

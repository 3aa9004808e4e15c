import { isAscii } from 'node:buffer';
import type { Data, DataType, Decimal, Field, RecordBatch, Vector } from 'apache-arrow';
import { BOOLEANS, type Column, Columns, dateColumn, NO_COLUMN } from '../columns.js';
import { setOwn } from '../../expression/index.js';
import { rowsOf } from '../rows.js';
import type { CandidateReader, RandomAccess, RowRange, Table, TextInput } from '../candidate-reader.js';
import { loadArrow } from './load-arrow.js';
import {
  bytesOf,
  bytesOfBits,
  dateOf,
  type DateUnit,
  describedTable,
  doublesOf,
  isoTime,
  storedDates,
} from './table.js';

/** An IPC file starts and ends with this. */
const MAGIC = 'ARROW1';
/** An IPC stream starts with this. */
const CONTINUATION = 0xffffffff;

/** Opens an Arrow IPC file or stream, whose bytes are held in memory. */
export async function openArrow(bytes: RandomAccess, name: string): Promise<Table> {
  const { RecordBatchReader } = await loadArrow(`read ${name}`);
  return describedTable(name, 'Arrow', async () => {
    const data = new Uint8Array(await bytes.slice(0));
    checkMagic(data);
    return new ArrowTable([...RecordBatchReader.from(data)]);
  });
}

/** Reads an IPC stream batch by batch. The metadata of an IPC file is at its end, so a file is read as a whole. */
export const readArrow: CandidateReader = async function* (input, name) {
  const { RecordBatchReader } = await loadArrow(`read ${name}`);
  const parts = byteParts(input);
  const start = await startOf(parts);
  const table = await (isStream(start)
    ? describedTable(name, 'Arrow', async () => {
        const batches = await RecordBatchReader.from(concat(start, parts));
        return { groups: [], rows: () => Promise.resolve([]), batches: (fields) => columnsOfBatches(batches, fields) };
      })
    : openArrow(await bytesOf(concat(start, parts)), name));
  for await (const columns of table.batches()) yield rowsOf(columns);
};

async function* byteParts(input: TextInput): AsyncGenerator<Uint8Array, void> {
  if (typeof input === 'string') yield Buffer.from(input);
  else for await (const part of input) yield typeof part === 'string' ? Buffer.from(part) : part;
}

/** The first bytes of a stream, enough to tell a stream from a file. */
async function startOf(parts: AsyncGenerator<Uint8Array, void>): Promise<Uint8Array> {
  let start: Uint8Array = new Uint8Array(0);
  while (start.length < MAGIC.length + 2) {
    // oxlint-disable-next-line no-await-in-loop -- each part decides whether another is needed
    const next = await parts.next();
    if (next.done) break;
    start = start.length === 0 ? next.value : Buffer.concat([start, next.value]);
  }
  return start;
}

async function* concat(start: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  if (start.length > 0) yield start;
  yield* rest;
}

async function* columnsOfBatches(
  batches: AsyncIterable<RecordBatch> | Iterable<RecordBatch>,
  fields: ReadonlySet<string> | undefined,
): AsyncGenerator<Columns, void> {
  for await (const batch of batches) yield columnsOfBatch(batch, fields);
}

function checkMagic(data: Uint8Array): void {
  const text = (from: number, to: number): string => Buffer.from(data.subarray(from, to)).toString('latin1');
  if (isStream(data)) return;
  if (text(0, MAGIC.length) !== MAGIC) throw new Error(`it does not start with ${MAGIC}`);
  if (text(data.length - MAGIC.length, data.length) !== MAGIC) throw new Error('it is truncated');
}

const isStream = (data: Uint8Array): boolean =>
  data.length >= 8 && new DataView(data.buffer, data.byteOffset).getUint32(0, true) === CONTINUATION;

/** An Arrow table. Its columns are views of the file's bytes. */
class ArrowTable implements Table {
  /** One group, because the whole file is in memory anyway. */
  readonly groups: readonly RowRange[];

  constructor(private readonly recordBatches: readonly RecordBatch[]) {
    this.groups = [{ from: 0, to: recordBatches.reduce((rows, { numRows }) => rows + numRows, 0) }];
  }

  batches(fields?: ReadonlySet<string>): AsyncGenerator<Columns, void> {
    return columnsOfBatches(this.recordBatches, fields);
  }

  async rows(positions: readonly number[]): Promise<readonly object[]> {
    const found = new Map<number, object>();
    let from = 0;
    for (const batch of this.recordBatches) {
      for (const position of positions) {
        if (position < from || position >= from + batch.numRows) continue;
        found.set(position, columnsOfBatch(batch.slice(position - from, position - from + 1)).row(0));
      }
      from += batch.numRows;
    }
    return positions.flatMap((position) => found.get(position) ?? []);
  }
}

function columnsOfBatch(batch: RecordBatch, fields?: ReadonlySet<string>): Columns {
  const columns = new Map<string, Column>();
  for (const [k, { name }] of batch.schema.fields.entries()) {
    const vector = fields?.has(name) === false ? null : batch.getChildAt(k);
    if (vector) columns.set(name, arrowColumn(vector));
  }
  return new Columns(columns, batch.numRows);
}

/** Copied from apache-arrow's enum `Type`, because the optional package is imported only when it is needed. */
const TYPES = {
  int: 2,
  float: 3,
  binary: 4,
  text: 5,
  bool: 6,
  decimal: 7,
  date: 8,
  time: 9,
  timestamp: 10,
  struct: 13,
  map: 17,
  largeText: 20,
  dictionary: -1,
};

function isA(name: keyof typeof TYPES, { typeId }: DataType): boolean {
  const id: number = typeId;
  return id === TYPES[name];
}

/** By apache-arrow's `TimeUnit`: units per millisecond. Seconds are converted to milliseconds first. */
const PER_MS = [1, 1, 1000, 1_000_000] as const;
/** By apache-arrow's `TimeUnit`. */
const UNITS = ['s', 'ms', 'us', 'ns'] as const;
const SECONDS = 0;
const DAYS = 0;
const HALF = 0;

const numberOf = (type: DataType, key: string): number => Number(Reflect.get(type, key));

/** A column of a record batch. Typed arrays are not copied, except 64-bit integers. */
function arrowColumn(vector: Vector): Column {
  const [data] = vector.data;
  if (!data) return NO_COLUMN;
  if (vector.data.length === 1 && isNumeric(vector.type)) return numericColumn(data);
  if (vector.data.length === 1 && isA('dictionary', vector.type)) return dictionaryColumn(data);
  if (vector.data.length === 1 && isA('bool', vector.type)) {
    const codes = bytesOfBits(data.values as Uint8Array, data.offset, data.length);
    return { ...NO_COLUMN, values: BOOLEANS, codes, present: presentOf(data) };
  }
  if (vector.data.length === 1 && (isA('text', vector.type) || isA('largeText', vector.type)))
    return { ...NO_COLUMN, values: textsOf(data), present: presentOf(data) };
  const unit = dateUnit(vector.type);
  if (unit) return datesOf(vector, unit);
  return { ...NO_COLUMN, values: valuesOf(vector) };
}

const isNumeric = (type: DataType): boolean =>
  isA('int', type) || (isA('float', type) && numberOf(type, 'precision') !== HALF);

function numericColumn(data: Data): Column {
  const values = data.values as ArrayLike<unknown>;
  const isBig = values instanceof BigInt64Array || values instanceof BigUint64Array;
  return { ...NO_COLUMN, values: isBig ? doublesOf(values) : values, present: presentOf(data) };
}

/** The texts of so many rows are decoded at once: a short text may keep the text that it is a part of in memory. */
const TEXTS_TOGETHER = 1024;

/** Several times as fast as decoding each text. */
function textsOf({ values, valueOffsets, length }: Data): readonly string[] {
  const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
  const offsets: ArrayLike<number | bigint> = valueOffsets;
  const texts: string[] = [];
  for (let from = 0; from < length; from += TEXTS_TOGETHER) {
    const to = Math.min(length, from + TEXTS_TOGETHER);
    const start = Number(offsets[from]);
    const part = bytes.subarray(start, Number(offsets[to]));
    const all = isAscii(part) ? part.toString('latin1') : undefined;
    for (let row = from; row < to; row++) {
      const [first, end] = [Number(offsets[row]) - start, Number(offsets[row + 1]) - start];
      texts.push(all?.slice(first, end) ?? part.toString('utf8', first, end));
    }
  }
  return texts;
}

/** The unit of a date or timestamp, with or without a zone; undefined for any other type. */
function dateUnit(type: DataType): DateUnit | undefined {
  const unit = numberOf(type, 'unit');
  if (isA('timestamp', type)) return UNITS[unit as 0 | 1 | 2 | 3];
  if (!isA('date', type)) return undefined;
  return unit === DAYS ? 'day' : 'ms';
}

function datesOf({ data, length }: Vector, unit: DateUnit): Column {
  const millis = new Float64Array(length);
  const present = data.some(({ nullCount }) => nullCount > 0) ? new Uint8Array(length).fill(1) : undefined;
  let from = 0;
  let rounded = false;
  for (const part of data) {
    const values = part.values as ArrayLike<unknown> & { slice(from: number, to: number): ArrayLike<unknown> };
    const there = presentOf(part);
    const stored = storedDates(values.slice(0, part.length), unit, there);
    millis.set(stored.millis, from);
    rounded ||= stored.rounded;
    if (there) present?.set(there, from);
    from += part.length;
  }
  return dateColumn(millis, present, rounded);
}

function dictionaryColumn(data: Data): Column {
  const codes = data.values as ArrayLike<number>;
  if (!data.dictionary || codes instanceof BigInt64Array) return NO_COLUMN;
  return { ...NO_COLUMN, values: valuesOf(data.dictionary), codes, present: presentOf(data) };
}

/** The validity bitmap with a byte per row; undefined if no value is null. */
function presentOf({ nullCount, nullBitmap, offset, length }: Data): Uint8Array | undefined {
  if (nullCount === 0) return undefined;
  return bytesOfBits(nullBitmap, offset, length);
}

/** All values of a vector, as in JSON. */
function valuesOf(vector: Vector): readonly unknown[] {
  const stored = storedOf(vector);
  return Array.from({ length: vector.length }, (_, row) => {
    if (!vector.isValid(row)) return undefined;
    return stored ? stored(row) : plainValue(vector.type, vector.get(row));
  });
}

/** A reader of stored times of day, because the library rounds them to milliseconds; undefined for other types. */
function storedOf(vector: Vector): ((row: number) => unknown) | undefined {
  const { type, data } = vector;
  const format = timeFormat(type);
  const [only] = data;
  if (!format || !only || data.length > 1) return undefined;
  const values = only.values as ArrayLike<number | bigint>;
  return (row) => format(values[row]!);
}

function timeFormat(type: DataType): ((value: number | bigint) => string) | undefined {
  const unit = numberOf(type, 'unit');
  const perMs = PER_MS[unit as 0 | 1 | 2 | 3];
  if (!isA('time', type)) return undefined;
  return (value) => isoTime(unit === SECONDS ? Number(value) * 1000 : value, perMs);
}

/** Converts a value of the library as in JSON. */
function plainValue(type: DataType, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (typeof value === 'bigint') return Number(value);
  if (isA('decimal', type))
    return Number(`${(value as { toString(): string }).toString()}e${-(type as Decimal).scale}`);
  if (isA('timestamp', type) || isA('date', type)) return dateOf(Number(value)); // the library returns milliseconds
  if (value instanceof Uint8Array) {
    return isA('binary', type) ? new TextDecoder().decode(value) : Buffer.from(value).toString('base64');
  }
  const fields = fieldsOf(type);
  if (isA('struct', type)) return plainMap(value, (key) => fields.find(({ name }) => name === key)?.type);
  if (isA('map', type)) return plainMap(value, () => fields[0] && fieldsOf(fields[0].type)[1]?.type);
  const [child] = fields;
  if (child && isIterable(value)) return Array.from(value, (item) => plainValue(child.type, item));
  return value;
}

const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, Symbol.iterator) === 'function';

/** The fields of a nested type; the library returns null for other types. */
const fieldsOf = (type: DataType): readonly Field[] => (type.children as readonly Field[] | null) ?? [];

function plainMap(value: unknown, typeOf: (key: string) => DataType | undefined): unknown {
  if (!isIterable(value)) return value;
  const made: Record<string, unknown> = {};
  for (const [key, inner] of value as Iterable<readonly [unknown, unknown]>) {
    const type = typeOf(String(key));
    setOwn(made, String(key), type ? plainValue(type, inner) : inner);
  }
  return made;
}

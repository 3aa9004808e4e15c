import { type FileHandle, open, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { MOST_MILLIS } from '../columns.js';
import { rowsOf } from '../rows.js';
import { toAssizeError, AssizeError } from '../../base/index.js';
import {
  type CandidateReader,
  type RandomAccess,
  type Table,
  tableError,
  type TableReader,
  type TextInput,
} from '../candidate-reader.js';

/** Makes a reader for streams of a columnar format. */
export const tableReader = (openTable: TableReader): CandidateReader =>
  async function* (input, name) {
    const table = await openTable(await bytesOf(input), name, 1);
    for await (const columns of table.batches()) yield rowsOf(columns);
  };

/**
 * Opens a table whose errors name the input and the format.
 *
 * @param format its title in messages
 * @throws AssizeError (ASZ120); the methods of the table throw it, too
 */
export async function describedTable(name: string, format: string, load: () => Promise<Table>): Promise<Table> {
  const described = async <R>(work: () => Promise<R>): Promise<R> => {
    try {
      return await work();
    } catch (error) {
      throw error instanceof AssizeError ? error : tableError(name, format, describeDamage(error));
    }
  };
  const table = await described(load);
  return {
    groups: table.groups,
    async *batches(fields, range) {
      const batches = table.batches(fields, range)[Symbol.asyncIterator]();
      try {
        for (;;) {
          // oxlint-disable-next-line no-await-in-loop -- one after another
          const next = await described(() => batches.next());
          if (next.done) return;
          yield next.value;
        }
      } finally {
        await batches.return?.();
      }
    },
    rows: (positions) => described(() => table.rows(positions)),
    close: () => table.close?.(),
  };
}

/** Libraries throw such errors for damaged files without a description. */
const describeDamage = (error: unknown): unknown =>
  error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError
    ? new Error('it is damaged', { cause: error })
    : error;

/** The bytes of a stream, read to its end. */
export async function bytesOf(input: TextInput): Promise<RandomAccess> {
  const parts: Buffer[] = [];
  if (typeof input === 'string') parts.push(Buffer.from(input));
  else for await (const part of input) parts.push(Buffer.from(part));
  const bytes = Buffer.concat(parts);
  return {
    byteLength: bytes.length,
    slice: async (start, end) => Uint8Array.from(bytes.subarray(start, end)).buffer,
  };
}

/** An open file with random access. */
interface OpenFile extends RandomAccess {
  close(): Promise<void>;
}

/**
 * Opens a file. Every read checks that the path still names the same unchanged file, because DuckDB opens it by path.
 *
 * @param name the name of the file in problems
 * @throws the system's error; a read throws an AssizeError (ASZ101) if the file was modified or replaced
 */
export async function openFile(path: string, name = path): Promise<OpenFile> {
  const handle = await open(path);
  const absolute = resolve(path);
  const { size, mtimeMs, ino } = await handle.stat();
  return {
    byteLength: size,
    path: absolute,
    async slice(start, end = size) {
      const bytes = await readFully(handle, start, Math.max(0, Math.min(end, size) - start));
      const now = await stat(absolute).catch(() => undefined);
      if (now?.size !== size || now.mtimeMs !== mtimeMs || now.ino !== ino) {
        const message = `cannot read ${name}: it changed while it was read`;
        throw toAssizeError([{ code: 'ASZ101', message, hint: 'rank a copy of the file' }]);
      }
      return bytes;
    },
    close: () => handle.close(),
  };
}

async function readFully(handle: FileHandle, position: number, length: number): Promise<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let done = 0;
  while (done < length) {
    // oxlint-disable-next-line no-await-in-loop -- a read may return fewer bytes than requested
    const { bytesRead } = await handle.read(bytes, done, length - done, position + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return done === length ? bytes.buffer : bytes.slice(0, done).buffer;
}

// Dates in tables are integers of some unit since 1970. They become milliseconds, rounded down.

/** Milliseconds per unit of a stored date. */
const MILLIS_PER = { day: 86_400_000, s: 1000, ms: 1, us: 1e-3, ns: 1e-6 } as const;
export type DateUnit = keyof typeof MILLIS_PER;

/** Dates by row, as `dateColumn` takes them. */
interface StoredDates {
  readonly millis: Float64Array;
  /** By row: 0 if the value is null; undefined if no value is null. */
  readonly present: Uint8Array | undefined;
  /** Whether some date has a part below a millisecond, which is lost. */
  readonly rounded: boolean;
}

const HIGH = 2 ** 32;
/** The greatest 64-bit integer. Databases store infinite dates as this number and its negative. */
const FOREVER = 2n ** 63n - 1n;

/** A stored date in milliseconds, rounded down; ±Infinity for an infinite date. */
export function millisOf(value: number | bigint, unit: DateUnit): number {
  if (typeof value === 'number') {
    const per = MILLIS_PER[unit];
    return per >= 1 ? value * per : Math.floor(value / (unit === 'us' ? 1000 : 1_000_000));
  }
  if (value >= FOREVER) return Infinity;
  if (value <= -FOREVER) return -Infinity;
  return millisOfHalves(Number(value >> 32n), Number(value & 0xffffffffn), unit);
}

/**
 * `millisOf` for a 64-bit integer in two halves. It needs no BigInt per row, and unlike a double it does not round
 * microseconds of the year 9999.
 */
function millisOfHalves(high: number, low: number, unit: DateUnit): number {
  if (unit === 'us') return high * 4_294_967 + Math.floor((high * 296 + low) / 1000);
  if (unit === 'ns') return high * 4294 + Math.floor((high * 967_296 + low) / 1_000_000);
  return (high * HIGH + low) * MILLIS_PER[unit];
}

/** Whether a 64-bit integer in two halves has a part below a millisecond. */
function isBelowMillis(high: number, low: number, unit: DateUnit): boolean {
  if (unit === 'us') return (high * 296 + low) % 1000 !== 0;
  return unit === 'ns' && (high * 967_296 + low) % 1_000_000 !== 0;
}

export const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** By byte of a bitmap: the eight bytes of its bits, 0 or 1, as one number. */
const EIGHT_BYTES = new Float64Array(
  Uint8Array.from({ length: 256 * 8 }, (_, at) => ((at >> 3) >> (at & 7)) & 1).buffer,
);

/** A bitmap with a byte per bit, 0 or 1. */
export function bytesOfBits(bits: Uint8Array, offset: number, count: number): Uint8Array {
  if ((offset & 7) !== 0) {
    return Uint8Array.from({ length: count }, (_, k) => (bits[(offset + k) >> 3]! >> ((offset + k) & 7)) & 1);
  }
  const eights = new Float64Array(Math.ceil(count / 8));
  for (let k = 0; k < eights.length; k++) eights[k] = EIGHT_BYTES[bits[(offset >> 3) + k]!]!;
  return new Uint8Array(eights.buffer, 0, count);
}

/** 64-bit integers as the nearest doubles, as `Number` makes them, without a BigInt per row. */
export function doublesOf(integers: BigInt64Array | BigUint64Array): Float64Array {
  const { buffer, byteOffset, length } = integers;
  if (!isLittleEndian) return Float64Array.from(integers, Number);
  const halves = new Uint32Array(buffer, byteOffset, 2 * length);
  const signed = integers instanceof BigInt64Array ? new Int32Array(buffer, byteOffset, 2 * length) : halves;
  const doubles = new Float64Array(length);
  for (let row = 0; row < length; row++) doubles[row] = signed[2 * row + 1]! * HIGH + halves[2 * row]!;
  return doubles;
}

/**
 * Converts the values of a stored column to dates.
 *
 * @param there by row: 0 if the value is null, and so arbitrary; undefined if no value is null, or if `stored` is a list
 */
export function storedDates(stored: ArrayLike<unknown>, unit: DateUnit, there?: Uint8Array): StoredDates {
  const { values, present } = ArrayBuffer.isView(stored) ? { values: stored, present: there } : toTyped(stored);
  const millis = new Float64Array(values.length);
  let rounded = false;
  if (values instanceof BigInt64Array && isLittleEndian) {
    const low = new Uint32Array(values.buffer, values.byteOffset, values.length * 2);
    const high = new Int32Array(values.buffer, values.byteOffset, values.length * 2);
    for (let row = 0; row < millis.length; row++) {
      const [h, l] = [high[2 * row + 1]!, low[2 * row]!];
      const isEnd = h === 0x7fffffff || h === -0x80000000;
      millis[row] = isEnd ? millisOf(values[row]!, unit) : millisOfHalves(h, l, unit);
      if (isBelowMillis(h, l, unit) && present?.[row] !== 0) rounded = true;
    }
  } else {
    for (let row = 0; row < millis.length; row++) {
      const value = values[row] as number | bigint;
      millis[row] = millisOf(value, unit);
      const [h, l] = typeof value === 'number' ? [0, value] : [Number(value >> 32n), Number(value & 0xffffffffn)];
      if (isBelowMillis(h, l, unit) && present?.[row] !== 0) rounded = true;
    }
  }
  return { millis, present, rounded };
}

/** Numbers of a list in an array of their type, and where they are not null. */
function toTyped(list: ArrayLike<unknown>) {
  let values: Float64Array | BigInt64Array = new Float64Array(list.length);
  let present: Uint8Array | undefined;
  for (let row = 0; row < list.length; row++) {
    const value = list[row];
    if (typeof value === 'bigint') {
      if (values instanceof Float64Array) values = new BigInt64Array(list.length);
      values[row] = value;
    } else if (typeof value === 'number' && values instanceof Float64Array) values[row] = value;
    else (present ??= new Uint8Array(list.length).fill(1))[row] = 0;
  }
  return { values, present };
}

/** A date inside a list or a struct; null if a Date cannot hold it. */
export const dateOf = (millis: number): Date | null =>
  Math.abs(millis) <= MOST_MILLIS ? new Date(Math.floor(millis)) : null;

/**
 * A time of day as text, `12:34:56.789`, with more digits if they are not zero.
 *
 * @param perMs the units of the value per millisecond
 */
export function isoTime(value: number | bigint, perMs: 1 | 1000 | 1_000_000): string {
  const units = BigInt(value);
  const each = BigInt(perMs);
  const rest = ((units % each) + each) % each;
  const digits = rest === 0n ? '' : String(rest).padStart(perMs === 1000 ? 3 : 6, '0');
  const millis = Number((units - rest) / each);
  if (Math.abs(millis) > MOST_MILLIS) return `${millis} ms`;
  return `${new Date(millis).toISOString().slice(11, -1)}${digits}`;
}

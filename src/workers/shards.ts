import { closeSync, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { toAssizeError } from '../diagnostics/format.js';
import { readSourceFile, RowProblems, type TextInput } from '../input/index.js';
import { readJsonLines } from '../input/json/json-lines.js';
import { parseCandidates, readFileParts } from '../input/read-candidates.js';
import { SAMPLE_SIZE } from '../ranking/warnings/absent-paths.js';

/** A part of a file by bytes: it has the lines that begin in it, whole. */
export interface Shard {
  readonly from: number;
  readonly to: number;
}

/** The lines of a shard, whole. */
export interface ShardLines {
  readonly bytes: Buffer;
  /** The offset of the first of them in the file. */
  readonly offset: number;
}

const NEWLINE = 10;
const FIRST_READ_AHEAD = 65_536;

/** Cuts a file into shards. */
export function* cutIntoShards(size: number, shardBytes: number): Generator<Shard> {
  for (let from = 0; from < size; from += shardBytes) yield { from, to: Math.min(size, from + shardBytes) };
}

/**
 * Reads the lines that begin in a shard. A line that its end cuts is read to the end; a line that its beginning cuts
 * belongs to the shard before.
 */
export async function readShardLines(read: ReadBytesAt, { from, to }: Shard, size: number): Promise<ShardLines> {
  // The byte before decides whether a line begins at `from`.
  const before = from === 0 ? 0 : 1;
  const part = await read(from - before, to - from + before);
  const start = before === 0 ? 0 : part.indexOf(NEWLINE) + 1;
  if ((before === 1 && start === 0) || start >= part.length) return { bytes: Buffer.alloc(0), offset: to };
  const parts = [part.subarray(start)];
  const offset = from - before + start;
  if (part[part.length - 1] === NEWLINE) return { bytes: parts[0]!, offset };
  for (let next = to, step = FIRST_READ_AHEAD; next < size; next += step, step *= 2) {
    // oxlint-disable-next-line no-await-in-loop -- whether there is more to read is known when this is read
    const more = await read(next, Math.min(step, size - next));
    const end = more.indexOf(NEWLINE) + 1;
    parts.push(end > 0 ? more.subarray(0, end) : more);
    if (end > 0 || more.length === 0) break;
  }
  return { bytes: parts.length === 1 ? parts[0]! : Buffer.concat(parts), offset };
}

/** How many lines end in some bytes: as many as come before the line that begins behind them. */
export function countLines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}

/** The bytes of a line in a file, without its newline. */
export interface LineSpan {
  readonly offset: number;
  readonly length: number;
}

/**
 * Finds lines of a shard.
 *
 * @param lines  their numbers, ascending, from 0 on
 * @param offset the offset of `bytes` in the file
 */
export function lineSpansOf(bytes: Buffer, lines: readonly number[], offset: number): LineSpan[] {
  let line = 0;
  let start = 0;
  return lines.map((wanted) => {
    for (; line < wanted; line++) start = bytes.indexOf(NEWLINE, start) + 1;
    const end = bytes.indexOf(NEWLINE, start);
    return { offset: offset + start, length: (end < 0 ? bytes.length : end) - start };
  });
}

/** A file in the version that all threads are to read. Plain data. */
export interface VersionedFile {
  /** Absolute: the working directory may change. */
  readonly path: string;
  /** The name of the file in problems. */
  readonly name: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly inode: number;
}

/**
 * The current version of a file.
 *
 * @returns undefined where it cannot be read at any offset, such as a pipe
 * @throws AssizeError where it cannot be read
 */
export async function versionedFile(path: string, name: string): Promise<VersionedFile | undefined> {
  try {
    if (!statSync(path).isFile()) return undefined; // not opened: the writer of a pipe would take this for its reader
    return await withFile(path, (fd) => ({ path, name, ...versionOf(fstatSync(fd)) }));
  } catch (error) {
    await readSourceFile(name); // throws the same failure as a problem
    throw error;
  }
}

const versionOf = ({ size, mtimeMs, ino }: Stats) => ({ size, mtimeMs, inode: ino });

function isVersion(file: VersionedFile, stats: Stats | undefined): boolean {
  const now = stats && versionOf(stats);
  return now?.size === file.size && now.mtimeMs === file.mtimeMs && now.inode === file.inode;
}

async function withFile<R>(path: string, work: (fd: number) => R | Promise<R>): Promise<R> {
  const fd = openSync(path, 'r');
  try {
    return await work(fd);
  } finally {
    closeSync(fd);
  }
}

/** Reads at an offset: `length` bytes, or as many as there are. A file on this machine without a promise. */
export type ReadBytesAt = (position: number, length: number) => Buffer | Promise<Buffer>;

/**
 * Reads a file at any offsets.
 *
 * @throws AssizeError (ASZ101) where the file is no longer this version, before or after the reads; also where another one
 *   has taken its place, which may then have been read by its path
 */
export function readUnchanged<R>(file: VersionedFile, work: (read: ReadBytesAt) => R | Promise<R>): Promise<R> {
  return withFile(file.path, async (fd) => {
    if (!isVersion(file, fstatSync(fd))) throw fileChangedError(file);
    const result = await work((position, length) => readBytesAt(fd, position, length));
    if (!isVersion(file, statSync(file.path, { throwIfNoEntry: false }))) throw fileChangedError(file);
    return result;
  });
}

function readBytesAt(fd: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let done = 0;
  while (done < length) {
    const count = readSync(fd, bytes, done, length - done, position + done);
    if (count === 0) break;
    done += count;
  }
  return bytes.subarray(0, done);
}

/** The error of a file that is written to while it is read. */
export const fileChangedError = ({ name }: Pick<VersionedFile, 'name'>): Error =>
  toAssizeError([
    { code: 'ASZ101', message: `cannot read ${name}: it changed while it was read`, hint: 'rank a copy of it' },
  ]);

/** Reads the first candidates of a file of JSON Lines, for finding typos in field names. */
export const readFirstCandidates = ({ path, name }: VersionedFile): Promise<readonly object[]> =>
  firstCandidates(readFileParts(path), name);

/** The first candidates of JSON Lines, without lines that cannot be read: as many as typos are searched in. */
export async function firstCandidates(input: TextInput, name: string): Promise<readonly object[]> {
  const first: object[] = [];
  for await (const rows of readJsonLines(input, name, new RowProblems())) {
    first.push(...rows.slice(0, SAMPLE_SIZE - first.length));
    if (first.length === SAMPLE_SIZE) break;
  }
  return first;
}

/** The error of a file with unreadable lines, found by reading it again from its beginning: a shard has no line numbers. */
export async function unreadableLinesError(file: VersionedFile): Promise<unknown> {
  try {
    for await (const rows of parseCandidates(readFileParts(file.path), file.name, 'jsonl')) void rows;
    return fileChangedError(file);
  } catch (error) {
    return error;
  }
}

import { closeSync, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { toAssizeError } from '../../base/index.js';
import {
  RowProblems,
  type TextInput,
  readSourceFile,
  readJsonLines,
  parseCandidates,
  readFileParts,
} from '../../data/node.js';
import { SAMPLE_SIZE } from '../../ranking/index.js';

/** A byte range of a file. The shard has every line that begins in the range, as a whole. */
export interface Shard {
  readonly from: number;
  readonly to: number;
}

/** The lines of a shard, whole. */
export interface ShardLines {
  readonly bytes: Buffer;
  /** The offset of the first line in the file. */
  readonly offset: number;
}

const NEWLINE = 10;
const FIRST_READ_AHEAD = 65_536;

/** Cuts a file into shards. */
export function* cutIntoShards(size: number, shardBytes: number): Generator<Shard> {
  for (let from = 0; from < size; from += shardBytes) yield { from, to: Math.min(size, from + shardBytes) };
}

/**
 * Reads the lines that begin in a shard. A line that crosses the end of the shard is read to its end. A line that crosses
 * the start belongs to the previous shard.
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
    // oxlint-disable-next-line no-await-in-loop -- each read decides whether another one follows
    const more = await read(next, Math.min(step, size - next));
    const end = more.indexOf(NEWLINE) + 1;
    parts.push(end > 0 ? more.subarray(0, end) : more);
    if (end > 0 || more.length === 0) break;
  }
  return { bytes: parts.length === 1 ? parts[0]! : Buffer.concat(parts), offset };
}

/** Counts the line ends in some bytes: the number of lines before the line that begins after them. */
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
 * @param lines  their numbers in ascending order, starting at 0
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

/** A file, and the version of it that all threads read. Plain data. */
export interface VersionedFile {
  /** Absolute, because the working directory may change. */
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
 * @returns undefined if it cannot be read at any offset, such as a pipe
 * @throws AssizeError if it cannot be read
 */
export async function versionedFile(path: string, name: string): Promise<VersionedFile | undefined> {
  try {
    if (!statSync(path).isFile()) return undefined; // not opened, because the writer of a pipe would treat it as the reader
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

/** Reads up to `length` bytes at an offset. A local file is read synchronously. */
export type ReadBytesAt = (position: number, length: number) => Buffer | Promise<Buffer>;

/**
 * Reads a file at any offsets.
 *
 * @throws AssizeError (ASZ101) if the file has another version before or after the reads, or was replaced by another file
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

/** The error for a file that changes during a read. */
export const fileChangedError = ({ name }: Pick<VersionedFile, 'name'>): Error =>
  toAssizeError([
    { code: 'ASZ101', message: `cannot read ${name}: it changed while it was read`, hint: 'rank a copy of the file' },
  ]);

/** Reads the first candidates of a file of JSON Lines, to find typos in field names. */
export const readFirstCandidates = ({ path, name }: VersionedFile): Promise<readonly object[]> =>
  firstCandidates(readFileParts(path), name);

/** The first `SAMPLE_SIZE` candidates of JSON Lines. Skips lines that cannot be read. */
export async function firstCandidates(input: TextInput, name: string): Promise<readonly object[]> {
  const first: object[] = [];
  for await (const rows of readJsonLines(input, name, new RowProblems())) {
    first.push(...rows.slice(0, SAMPLE_SIZE - first.length));
    if (first.length === SAMPLE_SIZE) break;
  }
  return first;
}

/** The error for a file with unreadable lines. Reads the file again from the start, because a shard has no line numbers. */
export async function unreadableLinesError(file: VersionedFile): Promise<unknown> {
  try {
    for await (const rows of parseCandidates(readFileParts(file.path), file.name, 'jsonl')) void rows;
    return fileChangedError(file);
  } catch (error) {
    return error;
  }
}

import { closeSync, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { toAssizeError } from '../diagnostics/format.js';
import { readSourceFile, RowProblems, type TextInput } from '../input/index.js';
import { readJsonLines } from '../input/json/json-lines.js';
import { parseCandidates, readFileParts } from '../input/read-candidates.js';
import { SAMPLE_SIZE } from '../ranking/warnings/absent-paths.js';

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

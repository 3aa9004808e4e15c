import { closeSync, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { readSourceFile, parseCandidates, readFileParts } from '../../data/node.js';
import { fileChangedError, firstCandidates, type ReadBytesAt, type Shard } from '../parts/index.js';

/** Cuts a file into shards. */
export function* cutIntoShards(size: number, shardBytes: number): Generator<Shard> {
  for (let from = 0; from < size; from += shardBytes) yield { from, to: Math.min(size, from + shardBytes) };
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

/**
 * Reads a file at any offsets.
 *
 * @throws AssizeError (ASZ101) if the file has another version before or after the reads, or was replaced by another file
 */
export function readUnchanged<R>(file: VersionedFile, work: (read: ReadBytesAt) => R | Promise<R>): Promise<R> {
  return withFile(file.path, async (fd) => {
    if (!isVersion(file, fstatSync(fd))) throw fileChangedError(file.name);
    const result = await work((position, length) => readBytesAt(fd, position, length));
    if (!isVersion(file, statSync(file.path, { throwIfNoEntry: false }))) throw fileChangedError(file.name);
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

/** Reads the first candidates of a file of JSON Lines, to find typos in field names. */
export const readFirstCandidates = ({ path }: VersionedFile): Promise<readonly object[]> =>
  firstCandidates(readFileParts(path));

/** The error for a file with unreadable lines. Reads the file again from the start, because a shard has no line numbers. */
export async function unreadableLinesError(file: VersionedFile): Promise<unknown> {
  try {
    for await (const rows of parseCandidates(readFileParts(file.path), file.name, 'jsonl')) void rows;
    return fileChangedError(file.name);
  } catch (error) {
    return error;
  }
}

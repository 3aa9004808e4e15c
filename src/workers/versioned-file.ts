import { closeSync, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { toAssizeError } from '../diagnostics/to-assize-error.js';
import { readSourceFile } from '../input/index.js';

/** A file that several threads read: none of them may see another version of it. Plain data. */
export interface VersionedFile {
  /** Absolute, whatever becomes of the working directory. */
  readonly path: string;
  /** What problems call it. */
  readonly name: string;
  readonly size: number;
  readonly changed: number;
  readonly node: number;
}

/**
 * Looks at a file.
 *
 * @returns nothing where it is none that can be read at any place, as a pipe
 * @throws AssizeError where it cannot be read
 */
export async function versionedFile(path: string, name: string): Promise<VersionedFile | undefined> {
  try {
    if (!statSync(path).isFile()) return undefined; // not opened: who writes into a pipe takes that for its reader
    return withFile(path, (fd) => ({ path, name, ...versionOf(fstatSync(fd)) }));
  } catch (error) {
    await readSourceFile(name); // fails likewise, in words
    throw error;
  }
}

const versionOf = ({ size, mtimeMs, ino }: Stats) => ({ size, changed: mtimeMs, node: ino });

function withFile<R>(path: string, work: (fd: number) => R): R {
  const fd = openSync(path, 'r');
  try {
    return work(fd);
  } finally {
    closeSync(fd);
  }
}

/** What reads a file at any place: as many bytes as there are, up to so many. */
export type ReadBytesAt = (position: number, length: number) => Buffer;

/**
 * Reads a file at some places.
 *
 * @throws AssizeError where it is no longer the file that was looked at
 */
export function readUnchanged<R>(file: VersionedFile, work: (read: ReadBytesAt) => R): R {
  return withFile(file.path, (fd) => {
    const check = (): void => {
      const { size, changed, node } = versionOf(fstatSync(fd));
      if (size !== file.size || changed !== file.changed || node !== file.node) throw fileChangedError(file);
    };
    check();
    const result = work((position, length) => readBytesAt(fd, position, length));
    check();
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

/** What is said of a file that somebody writes to. */
export const fileChangedError = ({ name }: Pick<VersionedFile, 'name'>): Error =>
  toAssizeError([
    { code: 'ASZ101', message: `cannot read ${name}: it changed while it was read`, hint: 'rank a copy of it' },
  ]);

import { constants } from 'node:fs';
import { access, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type AssizeError, errorCode, type Problem, toAssizeError, toError } from '../../diagnostics/index.js';
import { acquireLock, LOCK_TIMEOUT_MS } from './file-lock.js';
import { decodeEnvelope, encodeEnvelope, type MemoryFileProblem, type MemoryOwner, sha256 } from './memory-envelope.js';

const REASONS: Readonly<Record<string, string>> = {
  EISDIR: 'it is a directory, expected a file',
  ENOTDIR: 'a part of its path is not a directory',
  ENOENT: 'its folder does not exist',
  EACCES: 'that is not permitted',
  EPERM: 'that is not permitted',
  EROFS: 'its disk is read-only',
  ENOSPC: 'its disk is full',
  EDQUOT: 'its disk is full',
  ENAMETOOLONG: 'its name is too long',
};

const HINTS: Readonly<Record<string, string>> = {
  EISDIR: 'name a file in it',
  ENOENT: 'make the folder, or name another file',
  EACCES: 'let this process read and write there, or name another file',
  EPERM: 'let this process read and write there, or name another file',
  EROFS: 'name a file elsewhere',
  ENOSPC: 'make room; the memory was not updated',
};

/** The file on the disk at one time. */
interface FileSnapshot {
  /** Changes whenever the file is replaced or written to; cheap to read. */
  readonly stamp: string;
  /** undefined where there is no file. */
  readonly bytes: Buffer | undefined;
}

const MISSING_FILE: FileSnapshot = { stamp: 'missing', bytes: undefined };

const stampOf = ({ ino, size, mtimeNs }: { ino: bigint; size: bigint; mtimeNs: bigint }): string =>
  `${ino} ${size} ${mtimeNs}`;

/** Reads stamp and bytes of one file, even where it is replaced meanwhile. */
async function readSnapshot(path: string): Promise<FileSnapshot> {
  try {
    const handle = await open(path, 'r');
    try {
      const stamp = stampOf(await handle.stat({ bigint: true }));
      return { stamp, bytes: await handle.readFile() };
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return MISSING_FILE;
    throw error;
  }
}

const hexDigest = (bytes: Buffer | undefined): string => (bytes ? sha256(bytes).toString('hex') : 'missing');

/**
 * The file in which the memory of one entry outlives the process. It knows what it read last, so that another process's
 * update is neither missed nor overwritten: `read` gives it, `replaceMemoryFiles` fails.
 */
export class MemoryFile {
  /** The stamp when the file was last read or replaced. */
  #stamp: string | undefined;
  #digest = '';

  constructor(
    /** Absolute. */
    readonly path: string,
    private readonly owner: MemoryOwner,
    /** Where the profile names it: part of every problem of the file. */
    private readonly named: Pick<Problem, 'path' | 'place'> = {},
  ) {}

  /**
   * The memory on the disk where it has changed: its bytes, and `empty` where there is no file; undefined where nothing
   * has changed, which costs one `stat`.
   *
   * @throws AssizeError when the file cannot be read (ASZ106), is not whole (ASZ107) or not this entry's (ASZ108)
   */
  async read(): Promise<Uint8Array | 'empty' | undefined> {
    const stamp = await this.#withFileErrors('read', () => this.#stampNow());
    if (stamp === this.#stamp) return undefined;
    const { stamp: read, bytes } = await this.#withFileErrors('read', () => readSnapshot(this.path));
    const content = bytes && decodeEnvelope(bytes, this.owner);
    if (content && 'code' in content) throw this.#contentError(content);
    this.#stamp = read;
    this.#digest = hexDigest(bytes);
    return content?.memory ?? 'empty';
  }

  /** The error of a memory that was read and cannot be used: it is read anew next time. */
  contentError(why: string): AssizeError {
    this.#stamp = undefined;
    return this.#contentError({ code: 'ASZ108', message: why, hint: 'give each its own file' });
  }

  /** @throws AssizeError (ASZ106) where it cannot be written to: found out before a run computes anything */
  async checkWritable(): Promise<void> {
    await this.#withFileErrors('write', async () => {
      await access(dirname(this.path), constants.W_OK);
      await access(this.path, constants.W_OK).catch((error: unknown) => {
        if (errorCode(error) !== 'ENOENT') throw error;
      });
    });
  }

  /** @throws AssizeError (ASZ109) where the disk has another memory than was read */
  async checkUnchanged(): Promise<void> {
    const { bytes } = await this.#withFileErrors('read', () => readSnapshot(this.path));
    if (hexDigest(bytes) === this.#digest) return;
    const message = `another process has changed ${this.path} since it was read; this run does not update it`;
    throw this.#failure({ code: 'ASZ109', message, hint: 'rank again: the next run reads the changed memory' });
  }

  /** Replaces the file atomically: a reader gets the old memory or the new one. */
  async replace(memory: Uint8Array): Promise<void> {
    const bytes = encodeEnvelope(this.owner, memory);
    await this.#withFileErrors('write', async () => {
      const { default: writeFileAtomic } = await import('write-file-atomic');
      await writeFileAtomic(this.path, bytes);
      this.#stamp = await this.#stampNow();
      this.#digest = hexDigest(bytes);
    });
  }

  /** Takes its lock; gives what releases it. */
  lock(timeoutMs: number): Promise<() => Promise<void>> {
    return this.#withFileErrors('lock', async () => {
      const lock = await acquireLock(this.path, timeoutMs);
      if ('release' in lock) return lock.release;
      throw this.#failure(lock);
    });
  }

  /** Turns an error of the file system into a problem that names the file. */
  async #withFileErrors<V>(action: string, work: () => Promise<V>): Promise<V> {
    try {
      return await work();
    } catch (error) {
      const code = errorCode(error);
      if (code === undefined) throw error;
      const reason = REASONS[code] ?? toError(error).message;
      throw this.#failure(
        { code: 'ASZ106', message: `cannot ${action} ${this.path}: ${reason}`, hint: HINTS[code] },
        error,
      );
    }
  }

  #contentError(problem: MemoryFileProblem): AssizeError {
    return this.#failure({ ...problem, message: `the memory file ${this.path} cannot be used: ${problem.message}` });
  }

  #failure(problem: MemoryFileProblem, cause?: unknown): AssizeError {
    return toAssizeError([{ ...problem, ...this.named }], { cause });
  }

  async #stampNow(): Promise<string> {
    try {
      return stampOf(await stat(this.path, { bigint: true }));
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return MISSING_FILE.stamp;
      throw error;
    }
  }
}

/**
 * Replaces files under their locks, once each of them is unchanged since it was read: all or none, unless the disk
 * fills up half-way.
 *
 * @param timeoutMs the milliseconds to wait for a lock
 * @throws AssizeError when one was changed or stays locked (ASZ109), or cannot be written (ASZ106)
 */
export async function replaceMemoryFiles(
  files: readonly { readonly file: MemoryFile; readonly memory: Uint8Array }[],
  timeoutMs = LOCK_TIMEOUT_MS,
): Promise<void> {
  const unlock: (() => Promise<void>)[] = [];
  try {
    // In one order for all processes, so that no two wait for each other.
    for (const { file } of files.toSorted((a, b) => (a.file.path < b.file.path ? -1 : 1)))
      unlock.push(await file.lock(timeoutMs));
    for (const { file } of files) await file.checkUnchanged();
    for (const { file, memory } of files) await file.replace(memory);
  } finally {
    await Promise.all(unlock.map((release) => release()));
  }
}

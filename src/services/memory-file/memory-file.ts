import { type BigIntStats, constants, type Stats } from 'node:fs';
import { access, lstat, open, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { toAssizeError, type AssizeError, errorCode, type Problem } from '../../base/index.js';
import {
  decodeEnvelope,
  encodeEnvelope,
  fileProblem,
  type MemoryFileProblem,
  type MemoryOwner,
  sha256,
} from './memory-envelope.js';
import { type FoundLock, lockedProblem, PendingWrite } from './pending-write.js';

/** Files that store memories beyond the life of the process. Part of the host, because browsers have no files. */
export interface MemoryFiles {
  /**
   * @param path absolute
   * @param named where the profile names the file, for problems
   */
  open(path: string, owner: MemoryOwner, named: Pick<Problem, 'path' | 'place'>): MemoryFile;
  /** Replaces files if none has changed since it was read: all or none. */
  replace(replacements: readonly MemoryReplacement[], options: Pick<ReplaceOptions, 'abort'>): Promise<void>;
}

/** The state of a file at one time. */
interface FileSnapshot {
  /** Changes whenever the file is replaced or written to. Cheap to read. */
  readonly stamp: string;
  /** Undefined if the file does not exist. */
  readonly bytes: Buffer | undefined;
}

const MISSING_FILE: FileSnapshot = { stamp: 'missing', bytes: undefined };

const stampOf = ({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string => `${ino} ${size} ${mtimeNs} ${ctimeNs}`;

/** Non-blocking, because opening a pipe would wait for its writer. Windows has no O_NONBLOCK. */
const READ_WITHOUT_WAITING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

const hexDigest = (bytes: Buffer | undefined): string => (bytes ? sha256(bytes).toString('hex') : 'missing');

/**
 * The file that stores the memory of one entry. It tracks the version that it read last, to detect updates of other processes:
 * `read` returns them, and `replaceMemoryFiles` fails instead of overwriting them.
 */
export class MemoryFile {
  /** The resolved path when it was last read. */
  #realPath = '';
  /** The stamp when the file was last read or replaced. */
  #stamp: string | undefined;
  #digest = '';
  #hasRemovedLeftovers = false;

  constructor(
    /** Absolute. */
    readonly path: string,
    private readonly owner: MemoryOwner,
    /** Where the profile names the file, for problems. */
    readonly named: Pick<Problem, 'path' | 'place'> = {},
  ) {}

  /** The path with links resolved, after the first read. Equal paths are the same file. */
  get realPath(): string {
    return this.#realPath;
  }

  /**
   * Reads the memory if it has changed: its bytes, or `empty` if the file does not exist. Returns undefined if it has
   * not changed, at the cost of one `realpath` and one `stat`.
   *
   * @throws AssizeError if the file cannot be read (ASZ106), is truncated or changed (ASZ107), or belongs to another
   *   owner (ASZ108)
   */
  async read(): Promise<Uint8Array | 'empty' | undefined> {
    return this.#withFileErrors('read', async () => {
      const real = this.#valueOf(await realFile(this.path));
      const stamp = await this.#stampNow(real);
      if (real === this.#realPath && stamp === this.#stamp) return undefined;
      const { stamp: read, bytes } = await this.#readSnapshot(real);
      const content = bytes && decodeEnvelope(bytes, this.owner);
      if (content && 'code' in content) throw this.#contentError(content);
      this.#realPath = real;
      this.#stamp = read;
      this.#digest = hexDigest(bytes);
      return content?.memory ?? 'empty';
    });
  }

  /** The error of a memory that cannot be used. The next run reads it again. */
  contentError(why: string): AssizeError {
    this.forget();
    return this.#contentError({ code: 'ASZ108', message: why, hint: 'give each entry its own file' });
  }

  /** Makes the next `read` read the file even if it has not changed. */
  forget(): void {
    this.#stamp = undefined;
  }

  /**
   * Called before a run computes anything.
   *
   * @throws AssizeError (ASZ106) if the file cannot be written
   */
  async checkWritable(): Promise<void> {
    await this.#withFileErrors('write', async () => {
      await access(dirname(this.#realPath), constants.W_OK);
      await access(this.#realPath, constants.W_OK).catch((error: unknown) => {
        if (errorCode(error) !== 'ENOENT') throw error;
      });
      await this.#checkSingleName();
    });
  }

  /** Writes the next content to the disk, next to the file. */
  prepareWrite(memory: Uint8Array): Promise<{ readonly write: PendingWrite; readonly digest: string }> {
    return this.#withFileErrors('write', async () => {
      const bytes = encodeEnvelope(this.owner, memory);
      return { write: await PendingWrite.prepare(this.#realPath, bytes), digest: hexDigest(bytes) };
    });
  }

  /** Tries to lock the file for a write. Returns the lock of another process, or undefined if it was acquired. */
  async tryLock(write: PendingWrite): Promise<FoundLock | 'other' | undefined> {
    return this.#withFileErrors('lock', async () => {
      const found = await write.lock();
      if (found !== undefined || this.#hasRemovedLeftovers) return found;
      await write.removeLeftovers();
      this.#hasRemovedLeftovers = true;
      return undefined;
    });
  }

  /** The error of a file that another process has locked for too long. */
  lockedError(found: FoundLock | 'other'): AssizeError {
    return this.#failure(lockedProblem(this.path, this.#realPath, found));
  }

  /** @throws AssizeError (ASZ109) if the file has changed since it was read */
  async checkUnchanged(): Promise<void> {
    await this.#withFileErrors('read', async () => {
      const { bytes } = await this.#readSnapshot(this.#realPath);
      await this.#checkSingleName();
      if (hexDigest(bytes) !== this.#digest) throw this.#changedError();
    });
  }

  /** Replaces the file atomically. */
  async commit({ write, digest }: { readonly write: PendingWrite; readonly digest: string }): Promise<void> {
    await this.#withFileErrors('write', async () => {
      if (!(await write.commit())) throw this.#changedError();
      this.#stamp = await this.#stampNow(this.#realPath);
      this.#digest = digest;
    });
  }

  #changedError(): AssizeError {
    this.forget();
    const message = `another process has changed ${this.path} since it was read; this run does not update it`;
    return this.#failure({ code: 'ASZ109', message, hint: 'rank again: the next run reads the changed memory' });
  }

  /** Refuses a file with hard links, because replacing it under one name would not change the others. */
  async #checkSingleName(): Promise<void> {
    const found = await stat(this.#realPath).catch(() => undefined);
    if (!found || found.nlink < 2) return;
    const message = `cannot write ${this.path}: it has ${found.nlink} names (hard links), and an update would change only one of them`;
    throw this.#failure({ code: 'ASZ106', message, hint: 'remove the other names, or replace it by a copy' });
  }

  /** Reads stamp and bytes of the same file, even if it is replaced at the same time. */
  async #readSnapshot(path: string): Promise<FileSnapshot> {
    try {
      const handle = await open(path, READ_WITHOUT_WAITING);
      try {
        const found = await handle.stat({ bigint: true });
        const irregular = irregularProblem(this.path, found);
        if (irregular) throw this.#failure(irregular);
        return { stamp: stampOf(found), bytes: await handle.readFile() };
      } finally {
        await handle.close();
      }
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return MISSING_FILE;
      throw error;
    }
  }

  /** Converts an error of the file system to a problem that names the file. */
  async #withFileErrors<V>(action: string, work: () => Promise<V>): Promise<V> {
    try {
      return await work();
    } catch (error) {
      const problem = fileProblem(action, this.path, error);
      throw problem ? this.#failure(problem, error) : error;
    }
  }

  #valueOf(found: string | MemoryFileProblem): string {
    if (typeof found === 'string') return found;
    throw this.#failure(found);
  }

  #contentError(problem: MemoryFileProblem): AssizeError {
    return this.#failure({ ...problem, message: `the memory file ${this.path} cannot be used: ${problem.message}` });
  }

  #failure(problem: MemoryFileProblem, cause?: unknown): AssizeError {
    return toAssizeError([{ ...problem, ...this.named }], { cause });
  }

  async #stampNow(path: string): Promise<string> {
    try {
      const found = await stat(path, { bigint: true });
      const irregular = irregularProblem(this.path, found);
      if (irregular) throw this.#failure(irregular);
      return stampOf(found);
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return MISSING_FILE.stamp;
      throw error;
    }
  }
}

/** How long to wait for locks, which are usually held for milliseconds. */
const LOCK_TIMEOUT_MS = 5000;
const POLL_INTERVAL_MS = 20;

/** The next memory of a file. */
interface MemoryReplacement {
  readonly file: MemoryFile;
  readonly memory: Uint8Array;
}

/** The limits of a replacement. */
interface ReplaceOptions {
  /** The milliseconds to wait for locks. */
  readonly timeoutMs?: number;
  /** Aborts the replacement unless the first file is already replaced. */
  readonly abort?: AbortSignal | undefined;
}

/** A replacement that is written to the disk, next to its file. */
interface Prepared {
  readonly file: MemoryFile;
  readonly content: { readonly write: PendingWrite; readonly digest: string };
}

/**
 * Replaces files under their locks, if none has changed since it was read. Writes all new contents to the disk before
 * replacing the first file, so that it replaces all or none, unless the disk fails between two files.
 *
 * @throws AssizeError if a file has changed or stays locked (ASZ109), or cannot be written (ASZ106); the reason of an
 *   abort before the first file was replaced
 */
export async function replaceMemoryFiles(
  replacements: readonly MemoryReplacement[],
  { timeoutMs = LOCK_TIMEOUT_MS, abort }: ReplaceOptions = {},
): Promise<void> {
  const prepared: Prepared[] = [];
  try {
    // All processes lock in the same order, to prevent deadlocks.
    for (const { file, memory } of replacements.toSorted((a, b) => (a.file.realPath < b.file.realPath ? -1 : 1)))
      prepared.push({ file, content: await file.prepareWrite(memory) });
    const deadline = performance.now() + timeoutMs;
    for (const one of prepared) await lock(one, deadline, abort);
    for (const { file } of prepared) await file.checkUnchanged();
    abort?.throwIfAborted(); // The last check: once the first file is replaced, the run succeeds.
    for (const { file, content } of prepared) await file.commit(content);
  } catch (error) {
    for (const { file } of prepared) file.forget(); // Some files may have been replaced.
    throw error;
  } finally {
    await Promise.all(prepared.map(({ content }) => content.write.end()));
  }
}

async function lock({ file, content }: Prepared, deadline: number, abort: AbortSignal | undefined): Promise<void> {
  for (;;) {
    abort?.throwIfAborted();
    const found = await file.tryLock(content.write);
    if (found === undefined) return;
    if (found === 'other' || performance.now() >= deadline) throw file.lockedError(found);
    await wait(POLL_INTERVAL_MS);
  }
}

/**
 * Resolves the links of a path, so that all paths to one file share one lock. If the file does not exist, resolves the
 * links of its folder.
 */
async function realFile(path: string): Promise<string | MemoryFileProblem> {
  try {
    return await realpath(path);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
  if (await isLink(path)) {
    const message = `cannot use ${path}: it is a link to ${await readlink(path)}, which does not exist`;
    return { code: 'ASZ106', message, hint: 'remove the link, or name the file itself' };
  }
  try {
    return join(await realpath(dirname(path)), basename(path));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return path; // Reported when it is written.
    throw error;
  }
}

const isLink = (path: string): Promise<boolean> =>
  lstat(path).then(
    (found) => found.isSymbolicLink(),
    () => false,
  );

/** Refuses anything but regular files, because reading a device or a pipe may never end. */
function irregularProblem(path: string, found: Pick<Stats, 'isFile' | 'isDirectory'>): MemoryFileProblem | undefined {
  if (found.isFile()) return undefined;
  const [what, hint] = found.isDirectory()
    ? ['a directory', 'name a file in it']
    : ['a device, a pipe or a socket', 'name another file'];
  return { code: 'ASZ106', message: `cannot read ${path}: it is ${what}, expected a file`, hint };
}

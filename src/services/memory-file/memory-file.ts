import { type BigIntStats, constants, type Stats } from 'node:fs';
import { access, type FileHandle, lstat, open, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { toAssizeError, type AssizeError, errorCode, type Problem } from '../../base/index.js';
import type { FileLock } from './file-lock.js';
import {
  decodeSnapshot,
  encodeSnapshot,
  fileProblem,
  type MemoryFileProblem,
  type MemoryOwner,
  type Snapshot,
} from './memory-envelope.js';
import { decodeRecords, encodeRecord, RECORD_OVERHEAD } from './memory-log.js';

/** What a read of a file found since the read before. */
export interface MemoryRead {
  /** The snapshot that replaces what is known; `empty` if the file does not exist, undefined if only records were added. */
  readonly snapshot: Pick<Snapshot, 'memory' | 'version'> | 'empty' | undefined;
  /** The records to apply to it, or to what is known. */
  readonly records: readonly Uint8Array[];
}

/** The next memory of a file. */
export interface NextMemory {
  /** The changes to append; undefined to replace the file. */
  readonly changes: Uint8Array | undefined;
  /** The whole memory, for a file that is replaced. */
  readonly whole: () => Uint8Array;
}

/** A write that is ready. */
export interface PreparedWrite {
  /** Whether it can be undone. */
  readonly appends: boolean;
  readonly commit: () => Promise<void>;
}

/** The known content of a file. */
interface KnownContent {
  readonly snapshot: Pick<Snapshot, 'header' | 'end' | 'hasLog' | 'version'>;
  /** The digest of the last record. */
  readonly link: Uint8Array;
  /** The end of the last record. An incomplete record may follow. */
  readonly end: number;
}

/** A log up to this size is not compacted, however small the snapshot is. */
const MIN_LOG_BYTES = 2 ** 16;

const MISSING = 'missing';

const stampOf = ({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string => `${ino} ${size} ${mtimeNs} ${ctimeNs}`;

/** Non-blocking, because opening a pipe would wait for its writer. Windows has no O_NONBLOCK. */
const READ_WITHOUT_WAITING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * The file that stores the memory of one entry: a snapshot, and a log of later changes. It tracks what it read last, so that
 * `read` returns only what other processes have changed since then. Writing requires the lock of the file.
 */
export class MemoryFile {
  /** The resolved path when it was last read. */
  #realPath = '';
  /** The stamp when the file was last read or written. */
  #stamp: string | undefined;
  #size = 0;
  /** Undefined if the file did not exist. */
  #known: KnownContent | undefined;
  /** Undoes the last append. */
  #undo: (() => Promise<void>) | undefined;
  #warnings: Problem[] = [];

  /** @param older the older layouts that the unit can also read */
  constructor(
    /** Absolute. */
    readonly path: string,
    private readonly owner: MemoryOwner,
    /** Where the profile names the file, for problems. */
    readonly named: Pick<Problem, 'path' | 'place'> = {},
    private readonly older: readonly number[] = [],
  ) {}

  /** The path with links resolved, after the first read. Equal paths are the same file. */
  get realPath(): string {
    return this.#realPath;
  }

  /** Returns the warnings since the last call. */
  takeWarnings(): readonly Problem[] {
    const taken = this.#warnings;
    this.#warnings = [];
    return taken;
  }

  /**
   * Reads what has changed. Returns undefined if nothing has, at the cost of one `realpath` and one `stat`. If other
   * processes have only appended to the file, reads only these bytes.
   *
   * @throws AssizeError if the file cannot be read (ASZ106), is truncated or changed (ASZ107), or belongs to another
   *   owner (ASZ108)
   */
  async read(): Promise<MemoryRead | undefined> {
    return this.#withFileErrors('read', async () => {
      const real = this.#valueOf(await realFile(this.path));
      const stamp = await this.#stampNow(real);
      if (real === this.#realPath && stamp === this.#stamp) return undefined;
      if (real !== this.#realPath) this.forget();
      this.#realPath = real;
      try {
        const handle = await open(real, READ_WITHOUT_WAITING);
        try {
          const found = await handle.stat({ bigint: true });
          this.#checkRegular(found);
          const read = (await this.#readMore(handle, Number(found.size))) ?? (await this.#readWhole(handle));
          this.#stampAs(found);
          return read;
        } finally {
          await handle.close();
        }
      } catch (error) {
        if (errorCode(error) !== 'ENOENT') throw error;
        [this.#known, this.#stamp, this.#size] = [undefined, MISSING, 0];
        return { snapshot: 'empty', records: [] };
      }
    });
  }

  /** Reads the new records; undefined if the file was replaced, or has changed in another way. */
  async #readMore(handle: FileHandle, size: number): Promise<MemoryRead | undefined> {
    const known = this.#stamp === undefined ? undefined : this.#known;
    if (!known?.snapshot.hasLog || size <= known.end) return undefined;
    const { header } = known.snapshot;
    if (!(await readAt(handle, 0, header.length)).equals(header)) return undefined;
    const { contents, link, end, damaged } = decodeRecords(
      await readAt(handle, known.end, size - known.end),
      known.link,
    );
    if (damaged) return undefined;
    this.#known = { ...known, link, end: known.end + end };
    return { snapshot: undefined, records: contents };
  }

  async #readWhole(handle: FileHandle): Promise<MemoryRead> {
    this.forget();
    const bytes = await handle.readFile();
    const snapshot = decodeSnapshot(bytes, this.owner, this.older);
    if ('code' in snapshot) throw this.#contentError(snapshot);
    const { header, digest, version, hasLog } = snapshot;
    const log = decodeRecords(bytes.subarray(snapshot.end), digest);
    if (log.damaged) {
      const message = 'its log was changed by something else';
      const hint = 'restore it from a copy, or delete it to start with an empty memory';
      throw this.#contentError({ code: 'ASZ107', message, hint });
    }
    // Copied, because the header is a view of the whole file.
    const kept = { header: Buffer.from(header), end: snapshot.end, hasLog, version };
    this.#known = { snapshot: kept, link: Buffer.from(log.link), end: snapshot.end + log.end };
    return { snapshot, records: log.contents };
  }

  /** The error of a memory that cannot be used. The next run reads it again. */
  contentError(why: string): AssizeError {
    this.forget();
    return this.#contentError({ code: 'ASZ108', message: why, hint: 'give each entry its own file' });
  }

  /** Makes the next `read` read the whole file even if it has not changed. */
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

  /** Whether the file is as it was read last. Reads nothing unless it has changed. */
  async isUnchanged(): Promise<boolean> {
    return this.#withFileErrors('read', async () => {
      await this.#checkSingleName();
      return (await this.#stampNow(this.#realPath)) === this.#stamp;
    });
  }

  /**
   * Prepares a write under the lock of the file. It appends the changes, or replaces the file if the log would be larger
   * than the snapshot.
   *
   * @throws AssizeError if the file cannot be written (ASZ106), or another process took over the lock (ASZ109)
   */
  async prepareWrite(lock: FileLock, { changes, whole }: NextMemory): Promise<PreparedWrite> {
    return this.#withFileErrors('write', async () => {
      const known = this.#known;
      if (known && changes && this.#hasRoom(known, changes.length + RECORD_OVERHEAD)) {
        const append = (): Promise<void> => this.#append(lock, known, changes);
        return { appends: true, commit: () => this.#withFileErrors('write', append) };
      }
      const { bytes, ...next } = encodeSnapshot(this.owner, whole());
      if (!(await lock.write(bytes))) throw this.#takenOverError();
      return { appends: false, commit: () => this.#withFileErrors('write', () => this.#replace(lock, next)) };
    });
  }

  async #replace(lock: FileLock, { header, digest, end, hasLog, version }: Omit<Snapshot, 'memory'>): Promise<void> {
    if (!(await lock.replace())) throw this.#takenOverError();
    this.#warnAboutTorn(this.#size);
    this.#known = { snapshot: { header, end, hasLog, version }, link: digest, end };
    this.#stampAs(await stat(this.#realPath, { bigint: true }));
  }

  #hasRoom({ snapshot, end }: KnownContent, more: number): boolean {
    if (!snapshot.hasLog || snapshot.version !== this.owner.version) return false;
    return end - snapshot.end + more <= Math.max(MIN_LOG_BYTES, snapshot.end);
  }

  async #append(lock: FileLock, known: KnownContent, changes: Uint8Array): Promise<void> {
    const { bytes, link } = encodeRecord(known.link, changes);
    // Appending cannot overwrite the records of a process that took over the lock. Ours is then not the next of the chain.
    const handle = await open(this.#realPath, constants.O_RDWR | constants.O_APPEND);
    try {
      const { size } = await handle.stat();
      if (size !== this.#size || !(await lock.isHeld())) throw this.#takenOverError();
      if (this.#warnAboutTorn(size)) await handle.truncate(known.end);
      this.#undo = () => this.#truncate(lock, known);
      await handle.appendFile(bytes); // Continues after a short write.
      const found = await handle.stat({ bigint: true });
      const written = Number(found.size) - known.end;
      if (written !== bytes.length) throw new Error(`${written} of ${bytes.length} bytes were written`);
      await handle.datasync();
      if (!(await lock.isHeld())) throw this.#takenOverError();
      this.#known = { ...known, link, end: known.end + bytes.length };
      this.#stampAs(found);
    } finally {
      await handle.close();
    }
  }

  /** Undoes an append that failed, or whose run failed. The lock must still be held. */
  async undo(): Promise<void> {
    const undo = this.#undo;
    this.#undo = undefined;
    this.forget();
    await undo?.().catch(() => {}); // The next process drops what is left of the record.
  }

  /** Ends a write: it can no longer be undone. */
  keep(): void {
    this.#undo = undefined;
  }

  async #truncate(lock: FileLock, { end }: KnownContent): Promise<void> {
    if (!(await lock.isHeld())) return;
    const handle = await open(this.#realPath, constants.O_RDWR);
    try {
      await handle.truncate(end);
      await handle.datasync();
    } finally {
      await handle.close();
    }
  }

  /** Warns about bytes after the last record, which are not a whole record. Under the lock, nothing is writing them. */
  #warnAboutTorn(size: number): boolean {
    const torn = size - (this.#known?.end ?? size);
    if (torn <= 0) return false;
    const message = `the last record of the memory file ${this.path} was not written completely; its ${torn} bytes are dropped`;
    const hint = 'its writer was interrupted, so that run did not succeed';
    this.#warnings.push({ code: 'ASZ730', message, ...this.named, hint });
    return true;
  }

  /** The error of a file that stays locked. */
  lockedError(problem: MemoryFileProblem): AssizeError {
    return this.#failure(problem);
  }

  #takenOverError(): AssizeError {
    this.forget();
    const message = `another process took over the lock of ${this.path}, because this one seemed to have ended; this run does not update it`;
    return this.#failure({ code: 'ASZ109', message, hint: 'rank again: the next run reads the changed memory' });
  }

  /** Refuses a file with hard links, because replacing it under one name would not change the others. */
  async #checkSingleName(): Promise<void> {
    const found = await stat(this.#realPath).catch(() => undefined);
    if (!found || found.nlink < 2) return;
    const message = `cannot write ${this.path}: it has ${found.nlink} names (hard links), and an update would change only one of them`;
    throw this.#failure({ code: 'ASZ106', message, hint: 'remove the other names, or replace it by a copy' });
  }

  /** Converts an error of the file system to a problem that names the file. */
  async #withFileErrors<V>(action: string, work: () => Promise<V>): Promise<V> {
    try {
      return await work();
    } catch (error) {
      throw this.fileError(action, error);
    }
  }

  /** An error of the file system as a problem that names the file. Any other error is returned as it is. */
  fileError(action: string, error: unknown): unknown {
    const problem = fileProblem(action, this.path, error);
    return problem ? this.#failure(problem, error) : error;
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
      this.#checkRegular(found);
      return stampOf(found);
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return MISSING;
      throw error;
    }
  }

  #stampAs(found: BigIntStats): void {
    [this.#stamp, this.#size] = [stampOf(found), Number(found.size)];
  }

  #checkRegular(found: Pick<Stats, 'isFile' | 'isDirectory'>): void {
    const irregular = irregularProblem(this.path, found);
    if (irregular) throw this.#failure(irregular);
  }
}

/** Reads bytes at a position; fewer if the file ends. */
async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  let done = 0;
  while (done < length) {
    // oxlint-disable-next-line no-await-in-loop -- a read may return fewer bytes
    const { bytesRead } = await handle.read(bytes, done, length - done, position + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return bytes.subarray(0, done);
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

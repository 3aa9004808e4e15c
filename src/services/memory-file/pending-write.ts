import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, stat, writeFile } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from '../../diagnostics/index.js';
import { thisProcess } from './process-identity.js';
import {
  contentFile,
  type FoundLock,
  isOver,
  lockOf,
  ownerFile,
  preparationOf,
  readLock,
  removeLeftovers,
  removeLock,
} from './write-lock.js';

/** What a folder that cannot take the name of another, because that is there, fails with. */
const TAKEN: ReadonlySet<unknown> = new Set(['ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'EPERM', 'EACCES']);

/**
 * The new content of a file, until it is the file.
 *
 * 1. It is written, whole and to the disk, into a folder beside the file, with the process that writes it.
 * 2. The folder is renamed to `FILE.lock`: that is the lock. The name can be had only while no other folder with
 *    something in it has it, so a lock is never seen without its owner.
 * 3. The content is renamed to the file: a reader gets the old one or the new one, and each is whole.
 *
 * A lock whose process has ended is taken over by removing its two files. Their names are those of this one write, and
 * the content is not made again: a process that was taken for ended, and goes on, finds its content gone and fails. No
 * clock and no process state has to be right for that; they only decide how soon a lock is taken over.
 */
export class PendingWrite {
  readonly #token = randomBytes(8).toString('hex');
  /** Where its two files are. */
  #folder: string;
  /** The clock of the file system when this was made, less that of the process. */
  #clockOffset = 0;

  private constructor(private readonly file: string) {
    this.#folder = preparationOf(file, this.#token);
  }

  /** Writes the content, checks that all of it was written, and waits until the disk has it. */
  static async prepare(file: string, content: Uint8Array): Promise<PendingWrite> {
    const write = new PendingWrite(file);
    try {
      await write.#prepare(content);
    } catch (error) {
      await write.end();
      throw error;
    }
    return write;
  }

  async #prepare(content: Uint8Array): Promise<void> {
    const process = JSON.stringify(await thisProcess());
    const owner = ownerFile(this.#folder, this.#token);
    await mkdir(this.#folder);
    await writeFile(owner, process, { flag: 'wx' });
    this.#clockOffset = (await stat(owner)).mtimeMs - performance.now();
    const handle = await open(contentFile(this.#folder, this.#token), 'wx');
    try {
      await handle.writeFile(content); // goes on after a short write
      const { size } = await handle.stat();
      if (size !== content.length) throw new Error(`${size} of ${content.length} bytes were written`);
      await copyPermissions(this.file, handle);
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  /** Tries to make it the lock: gives the lock that is in its way, undefined once it has it. */
  async lock(): Promise<FoundLock | 'other' | undefined> {
    for (;;) {
      if (await this.#rename()) return undefined;
      const found = await readLock(lockOf(this.file));
      if (found === undefined) continue;
      if (found === 'other' || !(await isOver(found, this.#now()))) return found;
      await removeLock(found.folder, found.token);
    }
  }

  async #rename(): Promise<boolean> {
    const lock = lockOf(this.file);
    try {
      await rename(this.#folder, lock);
    } catch (error) {
      const code = errorCode(error);
      if (!TAKEN.has(code)) throw error;
      if (code !== 'ENOTEMPTY' && code !== 'EEXIST' && (await readLock(lock)) === undefined) throw error;
      return false;
    }
    this.#folder = lock;
    return true;
  }

  /** Removes what ended processes have left; while it has the lock. */
  removeLeftovers(): Promise<void> {
    return removeLeftovers(this.file, this.#now());
  }

  /** Replaces the file; false where its lock was taken over meanwhile, and nothing is written. */
  async commit(): Promise<boolean> {
    try {
      await rename(contentFile(this.#folder, this.#token), this.file);
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return false;
      throw error;
    }
    await syncFolder(dirname(this.file));
    return true;
  }

  /** Releases the lock, and removes what was not committed. What cannot be removed is taken over from an ended process. */
  async end(): Promise<void> {
    await removeLock(this.#folder, this.#token).catch(() => {});
  }

  #now(): number {
    return this.#clockOffset + performance.now();
  }
}

/** Gives the new file the mode and the owner of the old one, where there is one. */
async function copyPermissions(from: string, to: FileHandle): Promise<void> {
  const old = await stat(from).catch(() => undefined);
  if (!old) return;
  await to.chmod(old.mode & 0o777);
  const { uid, gid } = await to.stat();
  if (uid !== old.uid || gid !== old.gid) await to.chown(old.uid, old.gid).catch(() => {}); // only root may
}

/** Waits until the disk has the names of a folder. Not every system and file system can. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  try {
    await handle?.sync();
  } catch (error) {
    if (!['EINVAL', 'ENOTSUP', 'EPERM', 'EISDIR', 'EBADF'].includes(errorCode(error) ?? '')) throw error;
  } finally {
    await handle?.close();
  }
}

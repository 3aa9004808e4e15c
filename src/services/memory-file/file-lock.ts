import { randomBytes } from 'node:crypto';
import {
  type FileHandle,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  writeFile,
} from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { errorCode } from '../../base/index.js';
import type { MemoryFileProblem } from './memory-envelope.js';

/** The error codes of renaming a folder to a name that is taken. */
const TAKEN: ReadonlySet<unknown> = new Set(['ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'EPERM', 'EACCES']);

/**
 * The lock of a file, and a new content that replaces the file under this lock.
 *
 * 1. Create a folder next to the file, with the identity of this process and an empty file for the content.
 * 2. Rename the folder to `FILE.lock`. This folder is the lock. Renaming fails while another non-empty folder has the
 *    name, and a lock always contains its owner.
 * 3. To replace the file, write the content, sync it to the disk and rename it to the file. Readers get either the old or
 *    the new file, never a part. To append to the file instead, check afterwards that the lock is still held.
 *
 * If the process of a lock has ended, another process takes over by removing the two files of the lock. Their names are
 * unique to this lock, and are never created again. So if the first process is still running after all, it finds them missing
 * and fails. Safety does not depend on clocks or on the detection of processes; these only determine how soon a lock is
 * taken over.
 */
export class FileLock {
  readonly #token = randomBytes(8).toString('hex');
  /** The folder of its two files. */
  #folder: string;
  #identity = '';
  /** The clock of the file system minus the clock of the process. */
  #clockOffset = 0;
  #heartbeat: ReturnType<typeof setInterval> | undefined;

  private constructor(private readonly file: string) {
    this.#folder = preparationOf(file, this.#token);
  }

  /** Creates the folder that becomes the lock. */
  static async prepare(file: string): Promise<FileLock> {
    const lock = new FileLock(file);
    try {
      await lock.#prepare();
    } catch (error) {
      await lock.end();
      throw error;
    }
    return lock;
  }

  async #prepare(): Promise<void> {
    this.#identity = JSON.stringify(await thisProcess());
    await mkdir(this.#folder);
    const owner = ownerFile(this.#folder, this.#token);
    await writeFile(owner, this.#identity, { flag: 'wx' });
    this.#clockOffset = (await stat(owner)).mtimeMs - performance.now();
    await writeFile(contentFile(this.#folder, this.#token), '', { flag: 'wx' });
  }

  /** Tries to acquire the lock. Returns the lock of another process, or undefined if it was acquired. */
  async acquire(): Promise<FoundLock | 'other' | undefined> {
    for (;;) {
      if (await this.#rename()) break;
      const found = await readLock(lockOf(this.file));
      if (found === undefined) continue;
      if (found === 'other' || !(await isOver(found, this.#now()))) return found;
      await removeLock(found.folder, found.token);
    }
    this.#heartbeat = setInterval(() => void this.#touch(), HEARTBEAT_MS).unref();
    return undefined;
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

  /** Removes files that ended processes left. Requires the lock. */
  removeLeftovers(): Promise<void> {
    return removeLeftovers(this.file, this.#now());
  }

  /** Whether no other process took over the lock. */
  isHeld(): Promise<boolean> {
    return stat(ownerFile(this.#folder, this.#token)).then(
      () => true,
      (error: unknown) => {
        if (errorCode(error) === 'ENOENT') return false;
        throw error;
      },
    );
  }

  /**
   * Writes the next content, checks its size, and syncs it to the disk. Returns false if another process took over the
   * lock.
   */
  async write(content: Uint8Array): Promise<boolean> {
    try {
      const handle = await open(contentFile(this.#folder, this.#token), 'r+'); // Never creates it.
      try {
        await handle.truncate();
        await handle.writeFile(content); // Continues after a short write.
        const { size } = await handle.stat();
        if (size !== content.length) throw new Error(`${size} of ${content.length} bytes were written`);
        await copyPermissions(this.file, handle);
        await handle.sync();
      } finally {
        await handle.close();
      }
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return false;
      throw error;
    }
    return true;
  }

  /** Replaces the file by the written content. Returns false, without effect, if another process took over the lock. */
  async replace(): Promise<boolean> {
    try {
      await rename(contentFile(this.#folder, this.#token), this.file);
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return false;
      throw error;
    }
    await syncFolder(dirname(this.file));
    return true;
  }

  /** Releases the lock and removes uncommitted content. If that fails, another process takes over after this one ended. */
  async end(): Promise<void> {
    clearInterval(this.#heartbeat);
    await removeLock(this.#folder, this.#token).catch(() => {});
  }

  /** Shows processes that cannot check this one that it still works. Writes the same bytes, for the clock of the disk. */
  async #touch(): Promise<void> {
    await writeFile(ownerFile(this.#folder, this.#token), this.#identity, { flag: 'r+' }).catch(() => {});
  }

  #now(): number {
    return this.#clockOffset + performance.now();
  }
}

/** Copies the mode and the owner of the old file, if it exists, to the new one. */
async function copyPermissions(from: string, to: FileHandle): Promise<void> {
  const old = await stat(from).catch(() => undefined);
  if (!old) return;
  await to.chmod(old.mode & 0o777);
  const { uid, gid } = await to.stat();
  if (uid !== old.uid || gid !== old.gid) await to.chown(old.uid, old.gid).catch(() => {}); // Only root may.
}

/** Syncs the names in a folder to the disk. Some systems and file systems do not support it. */
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

/** The maximum age of a lock whose process cannot be checked from here. Locks are usually held for milliseconds. */
export const LOCK_EXPIRY_MS = 60_000;

const HEARTBEAT_MS = LOCK_EXPIRY_MS / 4;

const lockOf = (file: string): string => `${file}.lock`;
/** The folder in which a write is prepared before it becomes the lock. */
const preparationOf = (file: string, token: string): string => `${file}.${token}.lock`;
const PREPARATION = /^\.[0-9a-f]{16}\.lock$/;

const ownerFile = (folder: string, token: string): string => join(folder, `${token}.owner`);
const contentFile = (folder: string, token: string): string => join(folder, `${token}.new`);

/** An existing lock, or the prepared write of another process. */
export interface FoundLock {
  readonly folder: string;
  /** The token of its write; undefined if the folder is empty or contains something else. */
  readonly token: string | undefined;
  /** Its process; undefined if unknown. */
  readonly owner: ProcessIdentity | undefined;
  /** The time of its last modification in milliseconds, by the clock of the file system. */
  readonly changed: number;
  readonly empty: boolean;
}

/** Reads a lock; undefined if it does not exist, 'other' if something else has its name. */
async function readLock(folder: string): Promise<FoundLock | 'other' | undefined> {
  try {
    if (!(await lstat(folder)).isDirectory()) return 'other';
    const names = await readdir(folder);
    const token = names.find((name) => name.endsWith('.owner'))?.slice(0, -'.owner'.length);
    const files = token === undefined ? [] : [ownerFile(folder, token), contentFile(folder, token)];
    const times = await Promise.all([folder, ...files].map(changeTime));
    const owner = token === undefined ? undefined : parseOwner(await readFile(ownerFile(folder, token), 'utf8'));
    return { folder, token, owner, changed: Math.max(...times), empty: names.length === 0 };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined; // The lock was released.
    throw error;
  }
}

const changeTime = async (path: string): Promise<number> =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );

function parseOwner(text: string): ProcessIdentity | undefined {
  try {
    const owner = JSON.parse(text) as Partial<ProcessIdentity> | null;
    if (typeof owner?.host !== 'string' || !Number.isInteger(owner.pid) || owner.pid! < 1) return undefined;
    return {
      host: owner.host,
      pid: owner.pid!,
      started: typeof owner.started === 'string' ? owner.started : undefined,
    };
  } catch {
    return undefined;
  }
}

/**
 * Whether a lock may be taken over: its process has ended; or it has expired and its process cannot be checked.
 *
 * @param now by the clock of the file system
 */
async function isOver({ token, owner, changed, empty }: FoundLock, now: number): Promise<boolean> {
  if (token === undefined) return empty; // Other files in it are not ours to remove.
  const state = owner ? await stateOfProcess(owner) : 'unknown';
  return state === 'ended' || (state === 'unknown' && now - changed > LOCK_EXPIRY_MS);
}

/**
 * Removes a lock. Its file names are unique, so several processes can remove it without removing a later lock. Removes
 * the content first, so that its process cannot write any more if it is still running.
 */
async function removeLock(folder: string, token: string | undefined): Promise<void> {
  if (token !== undefined) {
    await rm(contentFile(folder, token), { force: true });
    await rm(ownerFile(folder, token), { force: true });
  }
  await rmdir(folder).catch((error: unknown) => {
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '')) throw error;
  });
}

/** Removes writes that ended processes prepared for a file without acquiring its lock. */
async function removeLeftovers(file: string, now: number): Promise<void> {
  const name = basename(file);
  for (const other of await readdir(dirname(file))) {
    if (!other.startsWith(name) || !PREPARATION.test(other.slice(name.length))) continue;
    const folder = join(dirname(file), other);
    const found = await readLock(folder);
    if (found === undefined || found === 'other') continue;
    if (!(found.empty ? now - found.changed > LOCK_EXPIRY_MS : await isOver(found, now))) continue;
    await removeLock(folder, found.token);
  }
}

/** The problem of a locked file: who holds the lock, and what to do. */
export function lockedProblem(
  file: string,
  realPath: string,
  found: FoundLock | 'other' | 'queue',
  waitedMs: number,
): MemoryFileProblem {
  const lock = lockOf(realPath);
  if (found === 'other' || (found !== 'queue' && found.token === undefined)) {
    return {
      code: 'ASZ109',
      message: `${file} cannot be locked: ${lock} is not a lock file`,
      hint: `move ${lock} away`,
    };
  }
  const waited = `after ${waitedMs / 1000} s`;
  if (found === 'queue' || isThisProcess(found.owner)) {
    const message = `${file} is still in use by another run of this process ${waited}`;
    return { code: 'ASZ109', message, hint: 'make runs that share a memory faster, or start fewer at the same time' };
  }
  const who = found.owner ? `process ${found.owner.pid} on ${found.owner.host}` : 'an unknown process';
  const hint = `a lock is taken over as soon as its process has ended, and where that cannot be seen after ${LOCK_EXPIRY_MS / 1000} s`;
  return { code: 'ASZ109', message: `${file} is still locked by ${who} ${waited}`, hint };
}

/** Identifies a process, also if its pid is reused. */
interface ProcessIdentity {
  readonly host: string;
  readonly pid: number;
  /** The id of the machine's boot, and the start time of the process in it; undefined on other systems than Linux. */
  readonly started?: string | undefined;
}

/** `unknown`: the process is on another machine, or only its pid is known. */
type ProcessState = 'running' | 'ended' | 'unknown';

let identity: Promise<ProcessIdentity> | undefined;

const thisProcess = (): Promise<ProcessIdentity> =>
  (identity ??= readProcess(process.pid).then((found) => ({
    host: hostname(),
    pid: process.pid,
    started: found?.started,
  })));

const isThisProcess = (owner: ProcessIdentity | undefined): boolean =>
  owner?.pid === process.pid && owner.host === hostname();

async function stateOfProcess({ host, pid, started }: ProcessIdentity): Promise<ProcessState> {
  if (host !== hostname()) return 'unknown';
  if (!hasProcess(pid)) return 'ended';
  const found = await readProcess(pid);
  if (found === undefined || started === undefined) return 'unknown';
  return found.started === started && found.runs ? 'running' : 'ended';
}

function hasProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) !== 'ESRCH'; // EPERM: a process of another user.
  }
}

const BOOT_ID = '/proc/sys/kernel/random/boot_id';
/** The position of the start time among the fields that follow the name, in ticks since the boot: proc_pid_stat(5). */
const START_TIME = 19;

/** Reads a process from Linux's /proc; undefined if it is not there. A zombie process does not count as running. */
async function readProcess(pid: number): Promise<{ readonly started: string; readonly runs: boolean } | undefined> {
  try {
    const [boot, line] = await Promise.all([readFile(BOOT_ID, 'utf8'), readFile(`/proc/${pid}/stat`, 'utf8')]);
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' '); // The name before it may contain spaces.
    return { started: `${boot.trim()} ${fields[START_TIME]}`, runs: fields[0] !== 'Z' && fields[0] !== 'X' };
  } catch {
    return undefined;
  }
}

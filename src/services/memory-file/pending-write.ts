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
 * The new content of a file, before it replaces the file.
 *
 * 1. Write the whole content to the disk, in a folder next to the file, together with the identity of this process.
 * 2. Rename the folder to `FILE.lock`. This folder is the lock. Renaming fails while another non-empty folder has the
 *    name, and a lock always contains its owner.
 * 3. Rename the content to the file. Readers get either the old or the new file, never a part.
 *
 * If the process of a lock has ended, another process takes over by removing the two files of the lock. Their names are
 * unique to this write, and the content is written only once. So if the first process is still running after all, it
 * finds its content missing and fails. Safety does not depend on clocks or on the detection of processes; these only
 * determine how soon a lock is taken over.
 */
export class PendingWrite {
  readonly #token = randomBytes(8).toString('hex');
  /** The folder of its two files. */
  #folder: string;
  /** The clock of the file system minus the clock of the process. */
  #clockOffset = 0;

  private constructor(private readonly file: string) {
    this.#folder = preparationOf(file, this.#token);
  }

  /** Writes the content, checks its size, and syncs it to the disk. */
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
      await handle.writeFile(content); // Continues after a short write.
      const { size } = await handle.stat();
      if (size !== content.length) throw new Error(`${size} of ${content.length} bytes were written`);
      await copyPermissions(this.file, handle);
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  /** Tries to acquire the lock. Returns the lock of another process, or undefined if it was acquired. */
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

  /** Removes files that ended processes left. Requires the lock. */
  removeLeftovers(): Promise<void> {
    return removeLeftovers(this.file, this.#now());
  }

  /** Replaces the file. Returns false, without writing, if another process took over the lock. */
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

  /** Releases the lock and removes uncommitted content. If that fails, another process takes over after this one ended. */
  async end(): Promise<void> {
    await removeLock(this.#folder, this.#token).catch(() => {});
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

const EXPIRES = `wait for it: a lock is taken over as soon as its process has ended, and where that cannot be seen after ${LOCK_EXPIRY_MS / 1000} s`;

/** The problem of a locked file: the process that holds the lock, and what to do. */
export function lockedProblem(file: string, realPath: string, found: FoundLock | 'other'): MemoryFileProblem {
  const lock = lockOf(realPath);
  if (found === 'other' || found.token === undefined) {
    return {
      code: 'ASZ109',
      message: `${file} cannot be locked: ${lock} is not a lock file`,
      hint: `move ${lock} away`,
    };
  }
  const { owner } = found;
  const who = owner ? `process ${owner.pid} on ${owner.host}` : 'an unknown process';
  return { code: 'ASZ109', message: `${file} is locked by ${who}`, hint: EXPIRES };
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

async function thisProcess(): Promise<ProcessIdentity> {
  return { host: hostname(), pid: process.pid, started: (await readProcess(process.pid))?.started };
}

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

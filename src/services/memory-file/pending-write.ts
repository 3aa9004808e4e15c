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

  /** Replaces the file; false if its lock was taken over meanwhile, and nothing is written. */
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

/** Gives the new file the mode and the owner of the old one, if there is one. */
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

/** How old the lock of a process that cannot be seen from here may be: it is held for milliseconds. */
export const LOCK_EXPIRY_MS = 60_000;

/** The folder that is the lock of a file. */
const lockOf = (file: string): string => `${file}.lock`;
/** The folder in which a write is prepared, until it becomes the lock. */
const preparationOf = (file: string, token: string): string => `${file}.${token}.lock`;
const PREPARATION = /^\.[0-9a-f]{16}\.lock$/;

const ownerFile = (folder: string, token: string): string => join(folder, `${token}.owner`);
const contentFile = (folder: string, token: string): string => join(folder, `${token}.new`);

/** A lock, or the preparation of a write, as it is found. */
export interface FoundLock {
  readonly folder: string;
  /** The name of its write; undefined if the folder is empty, or has something else in it. */
  readonly token: string | undefined;
  /** undefined if it is not said. */
  readonly owner: ProcessIdentity | undefined;
  /** When anything of it was last written to, by the clock of the file system: milliseconds. */
  readonly changed: number;
  readonly empty: boolean;
}

/** Reads a lock; undefined if there is none, 'other' if something else has its name. */
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
    if (errorCode(error) === 'ENOENT') return undefined; // released meanwhile
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
 * Whether a lock may be taken over: its process has ended; or it is older than a lock ever is, and its process is not
 * seen to be running.
 *
 * @param now by the clock of the file system
 */
async function isOver({ token, owner, changed, empty }: FoundLock, now: number): Promise<boolean> {
  if (token === undefined) return empty; // what else is in it is not ours to remove
  const state = owner ? await stateOfProcess(owner) : 'unknown';
  return state === 'ended' || (state === 'unknown' && now - changed > LOCK_EXPIRY_MS);
}

/**
 * Removes a lock. Its files have names of their own, so that of several processes that remove it, none removes the lock
 * of one that came after. Its content goes first: from then on its process, should it go on, can write nothing.
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

/** Removes what processes that have ended left of writes to a file that they had not locked yet. */
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

/** Why a file cannot be written: who has locked it, and what to do. */
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

/** A process, as another one can tell it from those that have had its pid before, or will have it. */
interface ProcessIdentity {
  readonly host: string;
  readonly pid: number;
  /** The boot of the machine, and when in it the process started; undefined if the system does not say (not Linux). */
  readonly started?: string | undefined;
}

/** What is known of a process: `unknown` of another machine's, and where a pid alone does not tell. */
type ProcessState = 'running' | 'ended' | 'unknown';

/** The identity of this process. */
async function thisProcess(): Promise<ProcessIdentity> {
  return { host: hostname(), pid: process.pid, started: (await readProcess(process.pid))?.started };
}

/** Whether a process still runs, as far as this one can see. */
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
    return errorCode(error) !== 'ESRCH'; // of another user: EPERM
  }
}

const BOOT_ID = '/proc/sys/kernel/random/boot_id';
/** The position of the start time among the fields that follow the name, in ticks since the boot: proc_pid_stat(5). */
const START_TIME = 19;

/** A process in Linux's /proc; undefined if there is none. One that was killed and not waited for has ended. */
async function readProcess(pid: number): Promise<{ readonly started: string; readonly runs: boolean } | undefined> {
  try {
    const [boot, line] = await Promise.all([readFile(BOOT_ID, 'utf8'), readFile(`/proc/${pid}/stat`, 'utf8')]);
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' '); // the name before it may have spaces
    return { started: `${boot.trim()} ${fields[START_TIME]}`, runs: fields[0] !== 'Z' && fields[0] !== 'X' };
  } catch {
    return undefined;
  }
}

import { lstat, readdir, readFile, rm, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorCode } from '../../diagnostics/index.js';
import { type ProcessIdentity, stateOfProcess } from './process-identity.js';

/** How old the lock of a process that cannot be seen from here may be: it is held for milliseconds. */
export const LOCK_EXPIRY_MS = 60_000;

/** The folder that is the lock of a file. */
export const lockOf = (file: string): string => `${file}.lock`;
/** The folder in which a write is prepared, until it becomes the lock. */
export const preparationOf = (file: string, token: string): string => `${file}.${token}.lock`;
const PREPARATION = /^\.[0-9a-f]{16}\.lock$/;

export const ownerFile = (folder: string, token: string): string => join(folder, `${token}.owner`);
export const contentFile = (folder: string, token: string): string => join(folder, `${token}.new`);

/** A lock, or the preparation of a write, as it is found. */
export interface FoundLock {
  readonly folder: string;
  /** The name of its write; undefined where the folder is empty, or has something else in it. */
  readonly token: string | undefined;
  /** undefined where it is not said. */
  readonly owner: ProcessIdentity | undefined;
  /** When anything of it was last written to, by the clock of the file system: milliseconds. */
  readonly changed: number;
  readonly empty: boolean;
}

/** Reads a lock; undefined where there is none, 'other' where something else has its name. */
export async function readLock(folder: string): Promise<FoundLock | 'other' | undefined> {
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
export async function isOver({ token, owner, changed, empty }: FoundLock, now: number): Promise<boolean> {
  if (token === undefined) return empty; // what else is in it is not ours to remove
  const state = owner ? await stateOfProcess(owner) : 'unknown';
  return state === 'ended' || (state === 'unknown' && now - changed > LOCK_EXPIRY_MS);
}

/**
 * Removes a lock. Its files have names of their own, so that of several processes that remove it, none removes the lock
 * of one that came after. Its content goes first: from then on its process, should it go on, can write nothing.
 */
export async function removeLock(folder: string, token: string | undefined): Promise<void> {
  if (token !== undefined) {
    await rm(contentFile(folder, token), { force: true });
    await rm(ownerFile(folder, token), { force: true });
  }
  await rmdir(folder).catch((error: unknown) => {
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '')) throw error;
  });
}

/** Removes what processes that have ended left of writes to a file that they had not locked yet. */
export async function removeLeftovers(file: string, now: number): Promise<void> {
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

import { unlinkSync } from 'node:fs';
import { open, readFile, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { errorCode } from '../../diagnostics/index.js';
import type { MemoryFileProblem } from './memory-envelope.js';

/** The process that holds a lock, as the lock's file names it. */
interface LockHolder {
  readonly pid: number;
  readonly host: string;
}

/** How long to wait for a lock: it is held for milliseconds. */
export const LOCK_TIMEOUT_MS = 5000;
const POLL_INTERVAL_MS = 20;

/**
 * Takes the lock of a file: a file beside it that names the process. A process that ends without releasing its lock
 * leaves it behind. It is reported and never taken over: only a person can know that no other process writes.
 *
 * @returns what releases it; a problem where another process holds it for longer than `timeoutMs`, or has ended
 */
export async function acquireLock(
  file: string,
  timeoutMs: number,
): Promise<{ readonly release: () => Promise<void> } | MemoryFileProblem> {
  const path = `${file}.lock`;
  for (let waited = 0; !(await createLockFile(path)); waited += POLL_INTERVAL_MS) {
    const holder = await holderOf(path);
    if (waited >= timeoutMs || (holder && hasEnded(holder))) return lockedProblem(file, path, holder);
    await wait(POLL_INTERVAL_MS);
  }
  const unlink = (): void => unlinkSync(path);
  process.once('exit', unlink);
  const release = async (): Promise<void> => {
    process.off('exit', unlink);
    await rm(path, { force: true });
  };
  return { release };
}

/** Creates the lock's file; false where there is one. */
async function createLockFile(path: string): Promise<boolean> {
  try {
    const handle = await open(path, 'wx');
    try {
      await handle.writeFile(JSON.stringify({ pid: process.pid, host: hostname() } satisfies LockHolder));
    } finally {
      await handle.close();
    }
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** The holder of a lock; undefined where it is gone meanwhile, or is not named. */
async function holderOf(path: string): Promise<LockHolder | undefined> {
  try {
    const holder: unknown = JSON.parse(await readFile(path, 'utf8'));
    if (typeof holder !== 'object' || holder === null || !('pid' in holder) || !('host' in holder)) return undefined;
    return { pid: Number(holder.pid), host: String(holder.host) };
  } catch {
    return undefined;
  }
}

/** Whether a process of this machine has ended; false for another machine's, where that cannot be known. */
function hasEnded({ pid, host }: LockHolder): boolean {
  if (host !== hostname() || !Number.isInteger(pid) || pid < 1) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return errorCode(error) === 'ESRCH';
  }
}

function lockedProblem(file: string, path: string, holder: LockHolder | undefined): MemoryFileProblem {
  const owner = holder ? `process ${holder.pid} on ${holder.host}` : 'a process that does not say its name';
  const ended = holder !== undefined && hasEnded(holder);
  const message = `${file} is locked by ${owner}${ended ? ', which has ended without unlocking it' : ''}`;
  const hint = ended ? `delete ${path}` : `wait for it; if that process is no more, delete ${path}`;
  return { code: 'ASZ109', message, hint };
}

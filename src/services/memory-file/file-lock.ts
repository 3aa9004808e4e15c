import { unlinkSync } from 'node:fs';
import { open, readFile, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import type { MemoryFileProblem } from './memory-envelope.js';

/** Who holds a lock, as its file says. */
interface LockHolder {
  readonly pid: number;
  readonly host: string;
}

/** How long a lock is waited for: what is done under one takes milliseconds. */
export const LOCK_TIMEOUT_MS = 5000;
const POLL_INTERVAL_MS = 20;

/**
 * Takes the lock of a file, a file beside it, and says who holds it. Whoever ends without giving it back leaves it
 * behind: that is said, with what to do, and never taken over, because who deletes a lock must know that nobody writes.
 *
 * @returns what gives it back; a fault when somebody else holds it for longer than `patience` milliseconds, or has ended
 */
export async function acquireLock(
  file: string,
  patience: number,
): Promise<{ readonly give: () => Promise<void> } | MemoryFileProblem> {
  const path = `${file}.lock`;
  for (let waited = 0; !(await createLockFile(path)); waited += POLL_INTERVAL_MS) {
    const holder = await holderOf(path);
    if (waited >= patience || (holder && hasEnded(holder))) return lockedProblem(file, path, holder);
    await wait(POLL_INTERVAL_MS);
  }
  const leave = (): void => unlinkSync(path);
  process.once('exit', leave);
  const give = async (): Promise<void> => {
    process.off('exit', leave);
    await rm(path, { force: true });
  };
  return { give };
}

/** false when somebody has it. */
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
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** undefined where it has gone meanwhile, or does not say. */
async function holderOf(path: string): Promise<LockHolder | undefined> {
  try {
    const said: unknown = JSON.parse(await readFile(path, 'utf8'));
    if (typeof said !== 'object' || said === null || !('pid' in said) || !('host' in said)) return undefined;
    return { pid: Number(said.pid), host: String(said.host) };
  } catch {
    return undefined;
  }
}

/** Whether a process of this machine is no more. Of another machine's nobody here can tell. */
function hasEnded({ pid, host }: LockHolder): boolean {
  if (host !== hostname() || !Number.isInteger(pid) || pid < 1) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}

function lockedProblem(file: string, path: string, holder: LockHolder | undefined): MemoryFileProblem {
  const who = holder ? `process ${holder.pid} on ${holder.host}` : 'a process that does not say its name';
  const ended = holder !== undefined && hasEnded(holder);
  const message = `${file} is locked by ${who}${ended ? ', which has ended without unlocking it' : ''}`;
  const hint = ended ? `delete ${path}` : `wait for it; if that process is no more, delete ${path}`;
  return { code: 'ASZ109', message, hint };
}

import type { MemoryFileProblem } from './memory-envelope.js';
import { type FoundLock, LOCK_EXPIRY_MS, lockOf } from './write-lock.js';

const EXPIRES = `wait for it: a lock is taken over as soon as its process has ended, and where that cannot be seen after ${LOCK_EXPIRY_MS / 1000} s`;

/** Why a file cannot be written: who has locked it, and what to do. */
export function lockedProblem(file: string, realPath: string, found: FoundLock | 'other'): MemoryFileProblem {
  const lock = lockOf(realPath);
  if (found === 'other' || found.token === undefined) {
    return { code: 'ASZ109', message: `${file} cannot be locked: ${lock} is no lock`, hint: `move ${lock} away` };
  }
  const { owner } = found;
  const who = owner ? `process ${owner.pid} on ${owner.host}` : 'a process that does not say its name';
  return { code: 'ASZ109', message: `${file} is locked by ${who}`, hint: EXPIRES };
}

import { setTimeout as wait } from 'node:timers/promises';
import type { Problem } from '../../base/index.js';
import { FileLock, type FoundLock, lockedProblem } from './file-lock.js';
import type { MemoryOwner } from './memory-envelope.js';
import type { MemoryFile, NextMemory, PreparedWrite } from './memory-file.js';

/** Files that store memories beyond the life of the process. Part of the host, because browsers have no files. */
export interface MemoryFiles {
  /**
   * @param path absolute
   * @param named where the profile names the file, for problems
   * @param older the older layouts that the unit can also read
   */
  open(
    path: string,
    owner: MemoryOwner,
    named: Pick<Problem, 'path' | 'place'>,
    older: readonly number[] | undefined,
  ): MemoryFile;
  /** Locks files. Waits while other runs use them. */
  lock(files: readonly MemoryFile[], options: LockOptions): Promise<MemoryLock>;
}

/** The limits of a wait for locks. */
export interface LockOptions {
  /** The milliseconds to wait. Default: `LOCK_TIMEOUT_MS`. */
  readonly timeoutMs?: number;
  /** Ends the wait. */
  readonly abort?: AbortSignal | undefined;
}

/** A change of one of the locked files. */
export interface MemoryChange extends NextMemory {
  readonly file: MemoryFile;
}

/** How long a run waits for the locks of its files. They are usually held for milliseconds. */
export const LOCK_TIMEOUT_MS = 30_000;
/** The first and the longest pause between two tries. */
const [FIRST_PAUSE_MS, LAST_PAUSE_MS] = [1, 32];

/** The end of the last run of this process that uses a file, by its real path. Runs of a process queue, and do not poll. */
const queues = new Map<string, Promise<void>>();

/** The locks of some files. No other run can write these files. */
export class MemoryLock {
  readonly #releases: (() => Promise<void>)[] = [];
  readonly #locks = new Map<MemoryFile, FileLock>();

  private constructor(private readonly files: readonly MemoryFile[]) {}

  /**
   * Locks files. All of them were read before.
   *
   * @throws AssizeError if a file stays locked (ASZ109) or cannot be written (ASZ106); the reason of an abort
   */
  static async acquire(
    files: readonly MemoryFile[],
    { timeoutMs = LOCK_TIMEOUT_MS, abort }: LockOptions = {},
  ): Promise<MemoryLock> {
    // All processes lock in the same order, to prevent deadlocks.
    const lock = new MemoryLock(files.toSorted((a, b) => (a.realPath < b.realPath ? -1 : 1)));
    try {
      const deadline = performance.now() + timeoutMs;
      // oxlint-disable-next-line no-await-in-loop -- in order
      for (const file of lock.files) await lock.#acquire(file, { deadline, timeoutMs, abort });
      return lock;
    } catch (error) {
      await lock.end();
      throw error;
    }
  }

  async #acquire(
    file: MemoryFile,
    { deadline, timeoutMs, abort }: LockOptions & { deadline: number; timeoutMs: number },
  ) {
    const locked = (found: FoundLock | 'other' | 'queue') =>
      file.lockedError(lockedProblem(file.path, file.realPath, found, timeoutMs));
    if (!(await this.#enterQueue(file.realPath, deadline, abort))) throw locked('queue');
    try {
      const lock = await FileLock.prepare(file.realPath);
      this.#locks.set(file, lock);
      for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(LAST_PAUSE_MS, pause * 2)) {
        abort?.throwIfAborted();
        const found = await lock.acquire();
        if (found === undefined) break;
        if (found === 'other' || performance.now() >= deadline) throw locked(found);
        await wait(pause * (0.5 + Math.random())); // Random, so that two processes do not stay in step.
      }
      await removeLeftoversOnce(file, lock);
    } catch (error) {
      throw file.fileError('write', error);
    }
  }

  /** Waits for earlier runs of this process. Returns false if that takes too long. */
  async #enterQueue(path: string, deadline: number, abort: AbortSignal | undefined): Promise<boolean> {
    const before = queues.get(path);
    let leave = (): void => {};
    const own = new Promise<void>((resolve) => void (leave = resolve));
    const last = (before ?? Promise.resolve()).then(() => own);
    queues.set(path, last);
    this.#releases.push(async () => {
      leave();
      if (queues.get(path) === last) queues.delete(path);
    });
    if (before === undefined) return true;
    const late = new AbortController();
    const outcome = await Promise.race([
      before.then(() => true),
      wait(Math.max(0, deadline - performance.now()), false, { signal: late.signal }).catch(() => false),
      ...(abort ? [aborted(abort, late.signal)] : []),
    ]);
    late.abort();
    abort?.throwIfAborted();
    return outcome;
  }

  /** Whether all files are as they were read last. */
  async areUnchanged(): Promise<boolean> {
    const each = await Promise.all(this.files.map((file) => file.isUnchanged()));
    return each.every(Boolean);
  }

  /**
   * Writes changes: all or none, unless the process ends or the disk fails between two files.
   *
   * @param abort has an effect until the first file changes; after that, the write succeeds
   * @throws AssizeError if a file cannot be written (ASZ106), or another process took over its lock (ASZ109)
   */
  async write(changes: readonly MemoryChange[], abort?: AbortSignal): Promise<void> {
    const prepared: PreparedWrite[] = [];
    try {
      // oxlint-disable-next-line no-await-in-loop -- if one fails, the next is not written
      for (const { file, ...next } of changes) prepared.push(await file.prepareWrite(this.#locks.get(file)!, next));
      abort?.throwIfAborted();
      // Files that are replaced come last, because that cannot be undone.
      const inOrder = prepared.toSorted((a, b) => Number(b.appends) - Number(a.appends));
      // oxlint-disable-next-line no-await-in-loop -- as above
      for (const { commit } of inOrder) await commit();
    } catch (error) {
      await Promise.all(changes.map(({ file }) => file.undo()));
      throw error;
    }
    for (const { file } of changes) file.keep();
  }

  /** Releases the locks. */
  async end(): Promise<void> {
    await Promise.all([...this.#locks.values()].map((lock) => lock.end()));
    this.#locks.clear();
    await Promise.all(this.#releases.splice(0).map((release) => release()));
  }
}

const cleaned = new WeakSet<MemoryFile>();

async function removeLeftoversOnce(file: MemoryFile, lock: FileLock): Promise<void> {
  if (cleaned.has(file)) return;
  cleaned.add(file);
  await lock.removeLeftovers();
}

/** Resolves when a run is aborted; never if it is not. */
const aborted = (abort: AbortSignal, until: AbortSignal): Promise<boolean> =>
  new Promise((resolve) => {
    if (abort.aborted) resolve(false);
    abort.addEventListener('abort', () => resolve(false), { once: true, signal: until });
  });

import { setTimeout as wait } from 'node:timers/promises';
import type { MemoryFile } from './memory-file.js';
import type { PendingWrite } from './pending-write.js';

/** How long to wait for locks: they are held for milliseconds. */
const LOCK_TIMEOUT_MS = 5000;
const POLL_INTERVAL_MS = 20;

/** The next memory of a file. */
export interface MemoryReplacement {
  readonly file: MemoryFile;
  readonly memory: Uint8Array;
}

/** The limits of a replacement. */
export interface ReplaceOptions {
  /** The milliseconds to wait for locks. */
  readonly timeoutMs?: number;
  /** Has an effect until the first file is replaced: then the others are too. */
  readonly abort?: AbortSignal | undefined;
}

/** A replacement that is on the disk, beside its file. */
interface Prepared {
  readonly file: MemoryFile;
  readonly content: { readonly write: PendingWrite; readonly digest: string };
}

/**
 * Replaces files under their locks, once each of them is unchanged since it was read. All new contents are on the disk
 * before the first file is replaced, so that it is all or none, unless the disk fails between two.
 *
 * @throws AssizeError when one was changed or stays locked (ASZ109), or cannot be written (ASZ106); the reason of an
 *   abort that came before the first was replaced
 */
export async function replaceMemoryFiles(
  replacements: readonly MemoryReplacement[],
  { timeoutMs = LOCK_TIMEOUT_MS, abort }: ReplaceOptions = {},
): Promise<void> {
  const prepared: Prepared[] = [];
  try {
    // In one order for all processes, so that no two wait for each other.
    for (const { file, memory } of replacements.toSorted((a, b) => (a.file.realPath < b.file.realPath ? -1 : 1)))
      prepared.push({ file, content: await file.prepareWrite(memory) });
    const deadline = performance.now() + timeoutMs;
    for (const one of prepared) await lock(one, deadline, abort);
    for (const { file } of prepared) await file.checkUnchanged();
    abort?.throwIfAborted(); // the last time: what has begun is finished, and the run succeeds
    for (const { file, content } of prepared) await file.commit(content);
  } catch (error) {
    for (const { file } of prepared) file.forget(); // some may have been replaced
    throw error;
  } finally {
    await Promise.all(prepared.map(({ content }) => content.write.end()));
  }
}

async function lock({ file, content }: Prepared, deadline: number, abort: AbortSignal | undefined): Promise<void> {
  for (;;) {
    abort?.throwIfAborted();
    const found = await file.tryLock(content.write);
    if (found === undefined) return;
    if (found === 'other' || performance.now() >= deadline) throw file.lockedError(found);
    await wait(POLL_INTERVAL_MS);
  }
}

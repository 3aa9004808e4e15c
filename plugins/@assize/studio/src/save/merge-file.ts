import { randomBytes } from 'node:crypto';
import { link, open, rename, rm, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { type Change, NotSavedError, saveFile, tried } from './save-file.js';

/** How often a file that another program changes at the same moment is read again. */
const TRIES = 5;

/** Another program changed the file between reading and renaming. */
class ChangedDuringWriteError extends NotSavedError {}

/**
 * Merges a change into a file as `saveFile` does, and creates the file if it does not exist. Other studios wait for the
 * lock; if another program writes at the same moment, the change is merged into its text.
 *
 * @param change receives the current text, empty for a new file; throws if nothing is to be written
 * @returns the new text
 * @throws NotSavedError as `saveFile` does; also throws the errors of `change`
 */
export async function mergeFile(path: string, change: Change): Promise<string> {
  const unlock = await lock(path);
  try {
    return await mergeLocked(path, change);
  } finally {
    await unlock();
  }
}

async function mergeLocked(path: string, change: Change): Promise<string> {
  for (let tries = 1; ; tries++) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- one try after another
      return (await ageOf(path)) === undefined ? await createFile(path, change('')) : await mergeOnce(path, change);
    } catch (error) {
      if (!(error instanceof ChangedDuringWriteError) || tries === TRIES) throw error;
    }
  }
}

const changedDuringWrite = (path: string): NotSavedError =>
  new ChangedDuringWriteError(`another program keeps writing ${basename(path)}: try again`);

function mergeOnce(path: string, change: Change): Promise<string> {
  let seen: string | undefined;
  return saveFile(path, (text) => {
    if (seen !== undefined && seen !== text) throw changedDuringWrite(path);
    seen = text;
    return change(text);
  });
}

/** Milliseconds since a file was written; undefined if it does not exist. */
const ageOf = (path: string): Promise<number | undefined> =>
  stat(path).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    (error: unknown) => {
      if (hasCode(error, 'ENOENT')) return undefined;
      throw error;
    },
  );

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && Reflect.get(error, 'code') === code;

/** Writes a new file whole. Does not replace a file that another program creates during the write. */
async function createFile(path: string, text: string): Promise<string> {
  const beside = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await tried(path, async () => {
      await writeSynced(beside, text);
      await link(beside, path).catch((error: unknown) => {
        if (hasCode(error, 'EEXIST')) throw changedDuringWrite(path);
        return rename(beside, path); // some file systems have no hard links
      });
    });
  } finally {
    await rm(beside, { force: true });
  }
  return text;
}

async function writeSynced(path: string, text: string): Promise<void> {
  const handle = await open(path, 'wx');
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const LOCK_WAIT_MS = 10;
/** A lock that is older was left by a process that ended. A write takes milliseconds. */
const STALE_MS = 5000;

/**
 * Waits until no other studio writes a file.
 *
 * @returns ends the lock
 */
async function lock(path: string): Promise<() => Promise<void>> {
  const file = `${path}.lock`;
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- one try after another
    const handle = await tried(path, () => open(file, 'wx').catch(unlessExisting));
    if (handle) {
      // oxlint-disable-next-line no-await-in-loop -- the last step
      await handle.close();
      return () => rm(file, { force: true });
    }
    // oxlint-disable-next-line no-await-in-loop -- one try after another
    const age = await ageOf(file);
    // oxlint-disable-next-line no-await-in-loop -- one try after another
    if (age !== undefined && age > STALE_MS) await rm(file, { force: true });
    // oxlint-disable-next-line no-await-in-loop -- one try after another
    else await new Promise((go) => setTimeout(go, LOCK_WAIT_MS));
  }
}

function unlessExisting(error: unknown): undefined {
  if (!hasCode(error, 'EEXIST')) throw error;
}

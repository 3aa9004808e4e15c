import { randomBytes } from 'node:crypto';
import type { Stats } from 'node:fs';
import { access, constants, type FileHandle, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { toError } from 'assize/internal';

/** Returns the new text of a file. */
export type Change = (text: string) => string;

/**
 * Changes a file atomically: writes the new text to a temporary file in the same folder, syncs it to disk, and renames it.
 * A link stays a link. Mode and owner are kept.
 *
 * @param change throws if the file is not as expected; then nothing is written
 * @returns the new text
 * @throws NotSavedError if it is read-only, is not UTF-8, or cannot be written; also throws the errors of `change`
 */
export async function saveFile(path: string, change: Change): Promise<string> {
  const file = await tried(path, () => realpath(path));
  const old = await tried(path, () => writable(file));
  const text = change(textOf(path, await tried(path, () => readFile(file))));
  const beside = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await tried(path, () => writeNew(beside, text, old));
    change(textOf(path, await tried(path, () => readFile(file)))); // the file may have changed in between: report that instead of overwriting it
    await tried(path, () => rename(beside, file));
  } finally {
    await rm(beside, { force: true });
  }
  return text;
}

/** The stats of a writable file. Checked because renaming would also replace a read-only file. */
async function writable(file: string): Promise<Stats> {
  const found = await stat(file);
  if ((found.mode & 0o222) === 0) throw new NotSavedError(`${basename(file)} is read-only`); // root may write to all
  await access(file, constants.W_OK);
  return found;
}

/** Decodes the bytes without loss, including a byte order mark. */
function textOf(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new NotSavedError(`${basename(path)} is not UTF-8: save it as UTF-8 in an editor first`);
  }
}

async function writeNew(path: string, text: string, like: Stats): Promise<void> {
  const handle = await open(path, 'wx');
  try {
    await handle.writeFile(text);
    await copyPermissions(like, handle);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function copyPermissions({ mode, uid, gid }: Stats, to: FileHandle): Promise<void> {
  const now = await to.stat();
  if (uid !== now.uid || gid !== now.gid) await to.chown(uid, gid).catch(() => {}); // only root may change the owner
  await to.chmod(mode & 0o777); // last, because changing the owner may clear bits
}

/**
 * Runs work on a file.
 *
 * @throws NotSavedError with the system's message
 */
export async function tried<R>(path: string, work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof NotSavedError) throw error;
    const reason = toError(error).message;
    throw new NotSavedError(`${basename(path)} cannot be written: ${reason}`, { cause: error });
  }
}

/** A change that was not made. The message is the reason. */
export class NotSavedError extends Error {
  override readonly name = 'NotSavedError';
}

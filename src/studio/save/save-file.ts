import { randomBytes } from 'node:crypto';
import type { Stats } from 'node:fs';
import { access, constants, type FileHandle, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { toError } from '../../base/index.js';

/** Gives the text that a file should have next. */
type Change = (text: string) => string;

/**
 * Changes a file: the new text is written beside it, and to the disk, before it takes the place of the old one, so that
 * the file is the old one or the new one, and whole. A link stays a link; mode and owner stay what they were.
 *
 * @param change throws where the file is not what it should be: then nothing is written
 * @returns the new text
 * @throws NotSavedError where it is read-only, is not UTF-8, or cannot be written; and what `change` throws
 */
export async function saveFile(path: string, change: Change): Promise<string> {
  const file = await tried(path, () => realpath(path));
  const old = await tried(path, () => writable(file));
  const text = change(textOf(path, await tried(path, () => readFile(file))));
  const beside = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await tried(path, () => writeNew(beside, text, old));
    change(textOf(path, await tried(path, () => readFile(file)))); // it may have changed meanwhile: said, not overwritten
    await tried(path, () => rename(beside, file));
  } finally {
    await rm(beside, { force: true });
  }
  return text;
}

/** What the system says of a file that may be written: a new one could be put in the place of one that may not. */
async function writable(file: string): Promise<Stats> {
  const found = await stat(file);
  if ((found.mode & 0o222) === 0) throw new NotSavedError(`${basename(file)} is read-only`); // root may write to all
  await access(file, constants.W_OK);
  return found;
}

/** Decoded so that every byte is kept, a byte order mark too. */
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
  if (uid !== now.uid || gid !== now.gid) await to.chown(uid, gid).catch(() => {}); // only root may
  await to.chmod(mode & 0o777); // after it: a new owner may take bits away
}

/** @throws NotSavedError with what the system says */
async function tried<R>(path: string, work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof NotSavedError) throw error;
    const cause = toError(error);
    throw new NotSavedError(`${basename(path)} cannot be written: ${cause.message}`, { cause });
  }
}

/** A change that is not made, with its reason in words. */
export class NotSavedError extends Error {
  override readonly name = 'NotSavedError';
}

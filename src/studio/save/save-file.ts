import { randomBytes } from 'node:crypto';
import { open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';

/** Gives the text that a file should have next. */
type Change = (text: string) => string;

/**
 * Changes a file: the new text is written beside it, and to the disk, before it takes the place of the old one, so that
 * the file is the old one or the new one, and whole. A link stays a link.
 *
 * @param change throws where the file is not what it should be: then nothing is written
 * @returns the new text
 */
export async function saveFile(path: string, change: Change): Promise<string> {
  const file = await realpath(path);
  const text = change(await readFile(file, 'utf8'));
  const beside = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const handle = await open(beside, 'wx', (await stat(file)).mode & 0o777);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    change(await readFile(file, 'utf8')); // it may have changed meanwhile: that is said, and not overwritten
    await rename(beside, file);
  } finally {
    await rm(beside, { force: true });
  }
  return text;
}

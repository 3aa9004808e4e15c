import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { toAssizeError, toError } from '../../diagnostics/index.js';
import { PAGE_TITLE } from './page-assets.js';

/**
 * Where the page is written in a folder: before anything takes its time, and over no file but an older one of it.
 *
 * @throws AssizeError (ASZ604) where a file of another kind is there
 */
export async function newPageFile(folder: string): Promise<string> {
  const path = join(folder, 'index.html');
  const start = await startOf(path);
  if (start === undefined || start.includes(PAGE_TITLE)) return path;
  const hint = 'nothing was written: name another folder, or remove it';
  throw toAssizeError([{ code: 'ASZ604', message: `${path} is there already, and no page of a studio`, hint }]);
}

/** The first kilobyte of a file; undefined where there is none that can be read. */
async function startOf(path: string): Promise<string | undefined> {
  const handle = await open(path).catch(() => undefined);
  try {
    const read = await handle?.read(Buffer.alloc(1024), 0, 1024, 0);
    return read?.buffer.toString('utf8', 0, read.bytesRead);
  } catch {
    return undefined;
  } finally {
    await handle?.close();
  }
}

/**
 * Writes the page, and its folder: the file is the old one or the new one, and whole.
 *
 * @throws AssizeError (ASZ654) with what the system says
 */
export async function writePage(path: string, html: string): Promise<void> {
  const beside = `${path}.tmp`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(beside, html);
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true }).catch(() => {});
    const cause = toError(error);
    throw toAssizeError([{ code: 'ASZ654', message: `cannot write ${path}: ${cause.message}` }], { cause });
  }
}

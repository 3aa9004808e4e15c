import type { Stats } from 'node:fs';
import { lstat, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorCode } from '../../diagnostics/index.js';
import type { MemoryFileProblem } from './memory-envelope.js';

/**
 * The path of a file without links: two paths to one file give one, so that they have one lock. Of a file that is not
 * there it is that in its folder.
 */
export async function realFile(path: string): Promise<string | MemoryFileProblem> {
  try {
    return await realpath(path);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
  if (await isLink(path)) {
    const message = `cannot use ${path}: it is a link to ${await readlink(path)}, which does not exist`;
    return { code: 'ASZ106', message, hint: 'remove the link, or name the file itself' };
  }
  try {
    return join(await realpath(dirname(path)), basename(path));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return path; // reported when it is written
    throw error;
  }
}

const isLink = (path: string): Promise<boolean> =>
  lstat(path).then(
    (found) => found.isSymbolicLink(),
    () => false,
  );

/** Why something cannot be the file of a memory: a device or a pipe may never end, or never begin. */
export function irregularProblem(
  path: string,
  found: Pick<Stats, 'isFile' | 'isDirectory'>,
): MemoryFileProblem | undefined {
  if (found.isFile()) return undefined;
  const [what, hint] = found.isDirectory()
    ? ['a directory', 'name a file in it']
    : ['a device, a pipe or a socket', 'name another file'];
  return { code: 'ASZ106', message: `cannot read ${path}: it is ${what}, expected a file`, hint };
}

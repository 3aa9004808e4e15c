import type { Stats } from 'node:fs';

/** What a process was given open: standard input, or the `<(…)` of a shell. Its other end has begun. */
const OPEN_ALREADY = /^(?:\/dev\/stdin|\/dev\/fd\/\d+|\/proc\/self\/fd\/\d+)$/;

/** Why a path is read, or not. */
export type FileKind = Pick<Stats, 'isFile' | 'isDirectory'>;

/** Whether a path names a pipe that this process has open already. Any other might never begin, or never end. */
export const isOpenPipe = (path: string, found: FileKind): boolean =>
  !found.isFile() && !found.isDirectory() && OPEN_ALREADY.test(path);

/** Why something cannot be read as a file; undefined for a file. */
export function irregularReason(found: FileKind): string | undefined {
  if (found.isFile()) return undefined;
  return found.isDirectory()
    ? 'it is a directory, expected a file'
    : 'it is a device, a pipe or a socket, expected a file';
}

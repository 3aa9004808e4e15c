import { errorCode, toError } from '../../diagnostics/index.js';
import type { MemoryFileProblem } from './memory-envelope.js';

const REASONS: Readonly<Record<string, string>> = {
  EISDIR: 'it is a directory, expected a file',
  ENOTDIR: 'a part of its path is not a directory',
  ENOENT: 'its folder does not exist',
  EACCES: 'that is not permitted',
  EPERM: 'that is not permitted',
  EROFS: 'its disk is read-only',
  ENOSPC: 'its disk is full',
  EDQUOT: 'its disk is full',
  EFBIG: 'it would be larger than a file of this process may be',
  EIO: 'its disk has failed',
  ELOOP: 'its links go in a circle',
  ENAMETOOLONG: 'its name is too long',
};

const HINTS: Readonly<Record<string, string>> = {
  EISDIR: 'name a file in it',
  ENOENT: 'make the folder, or name another file',
  EACCES: 'let this process read and write there, or name another file',
  EPERM: 'let this process read and write there, or name another file',
  EROFS: 'name a file elsewhere',
  ENOSPC: 'make room; the memory was not updated',
  EDQUOT: 'make room; the memory was not updated',
};

/** An error of the file system as a problem that says what could not be done; undefined for any other error. */
export function fileProblem(action: string, path: string, error: unknown): MemoryFileProblem | undefined {
  const code = errorCode(error);
  if (code === undefined) return undefined;
  const reason = REASONS[code] ?? toError(error).message;
  return { code: 'ASZ106', message: `cannot ${action} ${path}: ${reason}`, hint: HINTS[code] };
}

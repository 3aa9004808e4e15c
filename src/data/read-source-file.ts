import { isUtf8 } from 'node:buffer';
import { constants, type Stats } from 'node:fs';
import { open, readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, parse, resolve } from 'node:path';
import { toAssizeError, SourceFile, errorCode, type Problem, toError } from '../base/index.js';
import { encodingHint } from './candidate-reader.js';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  ENOTDIR: 'a part of its path is not a directory',
  EISDIR: 'it is a directory, expected a file',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ELOOP: 'its symbolic links form a loop',
  ENAMETOOLONG: 'its name is too long',
  ENXIO: 'it is a device, a pipe or a socket, expected a file',
  EMFILE: 'too many files are open',
  ERR_FS_FILE_TOO_LARGE: 'it is too large to be read at once',
  ERR_STRING_TOO_LONG: 'it is too large to be read at once',
};

/** Without O_NONBLOCK, opening a pipe waits for its writer. Windows does not have the flag. */
const READ_WITHOUT_WAITING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * Reads a text file. A device, or a pipe without a writer, is refused, because reading it may never start or never end.
 *
 * @param options.pipes whether to read a pipe that this process has open: `/dev/stdin`, or the `<(…)` of a shell
 * @throws AssizeError with the reason and a hint
 */
export async function readSourceFile(
  path: string,
  { pipes = false }: { readonly pipes?: boolean } = {},
): Promise<SourceFile> {
  try {
    const bytes = pipes && isOpenPipe(path, await stat(path)) ? await readFile(path) : await readRegularFile(path);
    if (!isUtf8(bytes)) throw toAssizeError([readProblem(path, 'it is not UTF-8 text', encodingHint(bytes))]);
    return new SourceFile(path, bytes.toString());
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    const reason = REASONS[code] ?? toError(error).message;
    const hint = code === 'ENOENT' ? await missingFileHint(path) : undefined;
    throw toAssizeError([readProblem(path, reason, hint)], { cause: error });
  }
}

async function readRegularFile(path: string): Promise<Buffer> {
  const handle = await open(path, READ_WITHOUT_WAITING);
  try {
    const reason = irregularReason(await handle.stat());
    if (reason !== undefined) throw toAssizeError([readProblem(path, reason, undefined)]);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

/** Converts a system error of a file to an AssizeError, which it throws. Returns any other error. */
export async function describeReadError(file: string, error: unknown): Promise<unknown> {
  if (file !== '-' && error instanceof Error && 'syscall' in error) await readSourceFile(file); // throws the described error
  return error;
}

const readProblem = (path: string, reason: string, hint: string | undefined): Problem => {
  return { code: 'ASZ101', message: `cannot read ${path}: ${reason}`, hint };
};

/** Suggests a file whose name differs only in extension or case; else says which path was looked for. */
async function missingFileHint(path: string): Promise<string | undefined> {
  const wanted = parse(path).name.toLowerCase();
  const names = await readdir(dirname(path)).catch(() => []);
  const near = names.filter((name) => parse(name).name.toLowerCase() === wanted).toSorted()[0];
  if (near !== undefined) return `did you mean ${path.slice(0, path.length - basename(path).length)}${near}?`;
  return isAbsolute(path) ? undefined : `looked for ${resolve(path)}`;
}

/** Paths of file descriptors that a process inherits: standard input, or the `<(…)` of a shell. */
const OPEN_ALREADY = /^(?:\/dev\/stdin|\/dev\/fd\/\d+|\/proc\/self\/fd\/\d+)$/;

type FileKind = Pick<Stats, 'isFile' | 'isDirectory'>;

/** Whether a path names a pipe that this process has open already. Reading any other pipe may never start or never end. */
export const isOpenPipe = (path: string, found: FileKind): boolean =>
  !found.isFile() && !found.isDirectory() && OPEN_ALREADY.test(path);

/** Why a path cannot be read as a file; undefined for a regular file. */
export function irregularReason(found: FileKind): string | undefined {
  if (found.isFile()) return undefined;
  return found.isDirectory()
    ? 'it is a directory, expected a file'
    : 'it is a device, a pipe or a socket, expected a file';
}

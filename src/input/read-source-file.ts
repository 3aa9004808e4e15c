import { isUtf8 } from 'node:buffer';
import { constants, type Stats } from 'node:fs';
import { open, readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, parse, resolve } from 'node:path';
import { errorCode, type Problem, SourceFile, toAssizeError, toError } from '../diagnostics/index.js';
import { encodingHint } from './candidate-reader.js';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'a part of its path is not a directory',
  EISDIR: 'it is a directory, expected a file',
  EACCES: 'reading it is not permitted',
  EPERM: 'reading it is not permitted',
  ELOOP: 'its links go round in a circle',
  ENAMETOOLONG: 'its name is too long',
  ENXIO: 'it is a device, a pipe or a socket, expected a file',
  EMFILE: 'too many files are open',
  ERR_FS_FILE_TOO_LARGE: 'it is too large to be read at once',
  ERR_STRING_TOO_LONG: 'it is too large to be read at once',
};

/** Opening a pipe would wait for its writer. */
const READ_WITHOUT_WAITING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0); // Windows has none

/** How a text file is read. */
interface ReadFileOptions {
  /** Whether it may be a pipe that this process has open: `/dev/stdin`, or the `<(…)` of a shell. */
  readonly pipes?: boolean;
}

/**
 * Reads a text file. A device, or a pipe without a writer, is refused at once: it may never begin, or never end.
 *
 * @throws AssizeError with why it cannot be read, and what to do about it
 */
export async function readSourceFile(path: string, { pipes = false }: ReadFileOptions = {}): Promise<SourceFile> {
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

/** The error of a file that cannot be read, with what the system reports in words. */
export async function describeReadError(file: string, error: unknown): Promise<unknown> {
  if (file !== '-' && error instanceof Error && 'syscall' in error) await readSourceFile(file); // fails likewise
  return error;
}

const readProblem = (path: string, reason: string, hint: string | undefined): Problem => {
  return { code: 'ASZ101', message: `cannot read ${path}: ${reason}`, hint };
};

/** Names a file beside the missing one that differs in its ending or its case; else the path that was looked for. */
async function missingFileHint(path: string): Promise<string | undefined> {
  const wanted = parse(path).name.toLowerCase();
  const names = await readdir(dirname(path)).catch(() => []);
  const near = names.filter((name) => parse(name).name.toLowerCase() === wanted).toSorted()[0];
  if (near !== undefined) return `did you mean ${path.slice(0, path.length - basename(path).length)}${near}?`;
  return isAbsolute(path) ? undefined : `looked for ${resolve(path)}`;
}

/** What a process was given open: standard input, or the `<(…)` of a shell. Its other end has begun. */
const OPEN_ALREADY = /^(?:\/dev\/stdin|\/dev\/fd\/\d+|\/proc\/self\/fd\/\d+)$/;

/** Why a path is read, or not. */
type FileKind = Pick<Stats, 'isFile' | 'isDirectory'>;

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

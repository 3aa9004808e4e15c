import { isUtf8 } from 'node:buffer';
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute, parse, resolve } from 'node:path';
import { errorCode, type Problem, SourceFile, toAssizeError, toError } from '../diagnostics/index.js';
import { encodingHint } from './utf8.js';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'a part of its path is not a directory',
  EISDIR: 'it is a directory, expected a file',
  EACCES: 'reading it is not permitted',
  EPERM: 'reading it is not permitted',
  ELOOP: 'its links go round in a circle',
  ENAMETOOLONG: 'its name is too long',
  EMFILE: 'too many files are open',
  ERR_FS_FILE_TOO_LARGE: 'it is too large to be read at once',
  ERR_STRING_TOO_LONG: 'it is too large to be read at once',
};

/**
 * Reads a text file.
 *
 * @throws AssizeError with why it cannot be read, and what to do about it
 */
export async function readSourceFile(path: string): Promise<SourceFile> {
  try {
    const bytes = await readFile(path);
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

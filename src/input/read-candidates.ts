import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import type { Problem } from '../diagnostics/problem.js';
import type { Progress } from '../services/index.js';
import { type InputFormat, readAllRows, readRowBatches, readRows, readSourceFile } from './index.js';
import { type CandidateBytes, peekStream } from './peek-stream.js';

type OpenedInput = [parts: CandidateBytes, name: string, format: InputFormat];

/** What problems call standard input. */
const STDIN = 'stdin';

/** What reading candidates needs to know of the outside. */
export interface CandidateSource {
  /** What the file `-` is. */
  readonly stdin?: CandidateBytes;
  /** Hears how far it is; nobody does when not given. */
  readonly progress?: Progress | undefined;
  /** Hears that there are none. */
  readonly warn?: (warning: Problem) => void;
}

const FORMAT_BY_EXTENSION: Readonly<Record<string, InputFormat>> = {
  '.json': 'json',
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
  '.csv': 'csv',
  '.tsv': 'tsv',
};

/**
 * Reads the candidates of a file, or of standard input.
 *
 * @param file   its path; `-` is standard input
 * @param from   what standard input is
 * @param format what it is in; by its ending, else by how it begins, when not said
 * @throws AssizeError with everything that is wrong with them
 */
export async function readCandidates(
  file: string,
  from: CandidateSource,
  format?: InputFormat,
): Promise<readonly object[]> {
  try {
    const input = await openInput(file, from, format);
    const rows = await readAllRows(...input);
    if (rows.length === 0) warnIfEmpty(input, from);
    return rows.map(({ value }) => value);
  } catch (error) {
    throw await asReadError(file, error);
  }
}

/**
 * The same one after another, as they are read: good ones come, and what is wrong with the others is thrown at the
 * end. What is one list of JSON is read whole.
 */
export async function* streamCandidates(
  file: string,
  from: CandidateSource,
  format?: InputFormat,
): AsyncGenerator<object, void> {
  try {
    const input = await openInput(file, from, format);
    let none = true;
    for await (const { value } of readRows(...input)) {
      none = false;
      yield value;
    }
    if (none) warnIfEmpty(input, from);
  } catch (error) {
    throw await asReadError(file, error);
  }
}

/** The same a part of the input at a time. */
export async function* readCandidateChunks(
  file: string,
  from: CandidateSource,
  format?: InputFormat,
): AsyncGenerator<readonly object[], void> {
  try {
    const input = await openInput(file, from, format);
    let none = true;
    for await (const rows of readRowBatches(...input)) {
      none &&= rows.length === 0;
      yield rows.map(({ value }) => value);
    }
    if (none) warnIfEmpty(input, from);
  } catch (error) {
    throw await asReadError(file, error);
  }
}

/** An empty list says itself that it has none. Anything else that is empty may be another file than was meant. */
function warnIfEmpty([, name, format]: OpenedInput, { warn }: CandidateSource): void {
  if (format !== 'json') warn?.(noCandidatesWarning(name, format));
}

/** What is said of a file in which there are none. */
export function noCandidatesWarning(name: string, format: InputFormat): Problem {
  const hint =
    format === 'jsonl'
      ? name === STDIN
        ? 'name a file, or pipe them in'
        : undefined
      : 'its first line names the columns, and every other line is a candidate';
  return { code: 'ASZ717', message: `there are no candidates in ${name}`, hint };
}

/** What the system said of a file that cannot be read, in words. */
async function asReadError(file: string, error: unknown): Promise<unknown> {
  if (file !== '-' && error instanceof Error && 'syscall' in error) await readSourceFile(file); // fails likewise
  return error;
}

async function openInput(
  file: string,
  { stdin, progress }: CandidateSource,
  format: InputFormat | undefined,
): Promise<OpenedInput> {
  const [parts, name]: [CandidateBytes, string] =
    file === '-' && stdin ? [stdin, STDIN] : [createReadStream(file), file];
  const heard = progress ? reportBytesRead(parts, `reading ${name}`, await fileSize(file), progress) : parts;
  const said = format ?? formatByExtension(file);
  if (said) return [heard, name, said];
  const [start, input] = await peekStream(heard, isEnoughToDetectFormat);
  return [input, name, detectFormat(start)];
}

/** The format that a file's ending says. */
const formatByExtension = (file: string): InputFormat | undefined => FORMAT_BY_EXTENSION[extname(file).toLowerCase()];

/**
 * The format of a file, by its ending, else by how it begins.
 *
 * @returns nothing where its ending does not say and it is a pipe: what is read of that is gone
 * @throws AssizeError where it cannot be read
 */
export async function detectFileFormat(file: string): Promise<InputFormat | undefined> {
  const said = formatByExtension(file);
  if (said) return said;
  try {
    const stats = await stat(file);
    if (!stats.isFile() && !stats.isDirectory()) return undefined;
    const [start, input] = await peekStream(createReadStream(file), isEnoughToDetectFormat);
    await input.return(undefined); // nothing more of it is wanted
    return detectFormat(start);
  } catch (error) {
    throw await asReadError(file, error);
  }
}

/** How many bytes a file has; undefined where that is not known, as of a pipe. */
const fileSize = async (file: string): Promise<number | undefined> =>
  file === '-' ? undefined : (await stat(file).catch(() => undefined))?.size || undefined;

/** The same parts; how many bytes of them were read is told. */
async function* reportBytesRead(
  parts: CandidateBytes,
  task: string,
  total: number | undefined,
  progress: Progress,
): CandidateBytes {
  let done = 0;
  try {
    for await (const part of parts) {
      done += part.length;
      if (done !== total) progress({ task, unit: 'bytes', done, total });
      yield part;
    }
  } finally {
    progress({ task, unit: 'bytes', done, total: done });
  }
}

/**
 * A list is JSON, and so is an object that goes on in the next line; anything else has an object a line. A byte order
 * mark is a space to a pattern.
 */
const detectFormat = (start: string): InputFormat => (/^\s*(?:\[|\{[\t ]*\r?\n)/.test(start) ? 'json' : 'jsonl');

/** Whether the beginning has gone past its blank lines. */
const isEnoughToDetectFormat = (start: string): boolean => /\{[\t ]*\r?\n|[^\s{]/.test(start);

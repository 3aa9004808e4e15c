import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import type { AssizeError, Problem } from '../../contract/index.js';
import { formatProblem } from '../../document/format.js';
import { readAllRows, readRows, readSource, type RowFormat } from '../../document/index.js';
import type { Progress } from '../../services/progress.js';
import { usage } from '../terminal/exit.js';
import type { Io } from '../terminal/io.js';
import { type Parts, peek } from './peek.js';

type Input = [parts: Parts, name: string, format: RowFormat];

/** What problems call standard input. */
const STDIN = 'stdin';

/** Where candidates are read, who hears how far that is, and where it is said that there are none. */
type From = Pick<Io, 'stdin' | 'progress' | 'err'>;

const BY_ENDING: Readonly<Record<string, RowFormat>> = {
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
export async function readCandidates(file: string, from: From, format?: RowFormat): Promise<readonly object[]> {
  try {
    const input = await inputOf(file, from, format);
    const rows = await readAllRows(...input);
    if (rows.length === 0) tellNone(input, from);
    return rows.map(({ value }) => value);
  } catch (error) {
    throw await inWords(file, error);
  }
}

/**
 * The same one after another, as they are read: good ones come, and what is wrong with the others is thrown at the
 * end. What is one list of JSON is read whole.
 */
export async function* streamCandidates(file: string, from: From, format?: RowFormat): AsyncGenerator<object, void> {
  try {
    const input = await inputOf(file, from, format);
    let none = true;
    for await (const { value } of readRows(...input)) {
      none = false;
      yield value;
    }
    if (none) tellNone(input, from);
  } catch (error) {
    throw await inWords(file, error);
  }
}

/** The profile, most probably, where its candidates go. */
const noYaml = (file: string): AssizeError =>
  usage(`${file} is YAML, and candidates are JSON, JSON Lines, CSV or TSV`, 'a profile goes behind --profile');

/** An empty list says itself that it has none. Anything else that is empty may be another file than was meant. */
function tellNone([, name, format]: Input, { err }: From): void {
  if (format === 'json') return;
  const hint =
    format === 'jsonl'
      ? name === STDIN
        ? 'name a file, or pipe them in'
        : undefined
      : 'its first line names the columns, and every other line is a candidate';
  const problem: Problem = { code: 'ASZ717', message: `there are no candidates in ${name}`, hint };
  err.write(`${formatProblem(problem, { colour: err.colour })}\n`);
}

/** What the system said of a file that cannot be read, in words. */
async function inWords(file: string, error: unknown): Promise<unknown> {
  if (file !== '-' && error instanceof Error && 'syscall' in error) await readSource(file); // fails likewise
  return error;
}

async function inputOf(file: string, { stdin, progress }: From, format: RowFormat | undefined): Promise<Input> {
  if (format === undefined && /\.ya?ml$/i.test(file)) throw noYaml(file);
  const [parts, name] = file === '-' ? [stdin, STDIN] : [createReadStream(file), file];
  const heard = progress ? told(parts, `reading ${name}`, await sizeOf(file), progress) : parts;
  const said = format ?? BY_ENDING[extname(file).toLowerCase()];
  if (said) return [heard, name, said];
  const [start, input] = await peek(heard, tellsFormat);
  return [input, name, formatOf(start)];
}

/** How many bytes a file has; undefined where that is not known, as of a pipe. */
const sizeOf = async (file: string): Promise<number | undefined> =>
  file === '-' ? undefined : (await stat(file).catch(() => undefined))?.size || undefined;

/** The same parts; how many bytes of them were read is told. */
async function* told(parts: Parts, task: string, total: number | undefined, progress: Progress): Parts {
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
const formatOf = (start: string): RowFormat => (/^\s*(?:\[|\{[\t ]*\r?\n)/.test(start) ? 'json' : 'jsonl');

/** Whether the beginning has gone past its blank lines. */
const tellsFormat = (start: string): boolean => /\{[\t ]*\r?\n|[^\s{]/.test(start);

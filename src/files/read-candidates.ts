import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { readAllRows, readRowParts, readRows, readSource, type RowFormat } from '../document/index.js';
import type { Progress } from '../services/index.js';

type Parts = AsyncIterable<string | Uint8Array>;
/** What reading candidates needs to know of the outside. */
export interface From {
  /** What the file `-` is. */
  readonly stdin?: Parts;
  /** Hears how far it is; nobody does when not given. */
  readonly progress?: Progress | undefined;
}

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
    const rows = await readAllRows(...(await inputOf(file, from, format)));
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
    for await (const { value } of readRows(...(await inputOf(file, from, format)))) yield value;
  } catch (error) {
    throw await inWords(file, error);
  }
}

/** The same a part of the input at a time. */
export async function* candidateParts(
  file: string,
  from: From,
  format?: RowFormat,
): AsyncGenerator<readonly object[], void> {
  try {
    for await (const rows of readRowParts(...(await inputOf(file, from, format)))) yield rows.map(({ value }) => value);
  } catch (error) {
    throw await inWords(file, error);
  }
}

/** What the system said of a file that cannot be read, in words. */
async function inWords(file: string, error: unknown): Promise<unknown> {
  if (file !== '-' && error instanceof Error && 'syscall' in error) await readSource(file); // fails likewise
  return error;
}

async function inputOf(
  file: string,
  { stdin, progress }: From,
  format: RowFormat | undefined,
): Promise<[input: Parts, name: string, format: RowFormat]> {
  const [parts, name]: [Parts, string] = file === '-' && stdin ? [stdin, 'stdin'] : [createReadStream(file), file];
  const heard = progress ? told(parts, `reading ${name}`, await sizeOf(file), progress) : parts;
  const said = format ?? endingOf(file);
  if (said) return [heard, name, said];
  const [start, input] = await peek(heard);
  return [input, name, formatOf(start)];
}

/** The format that a file's ending says. */
const endingOf = (file: string): RowFormat | undefined => BY_ENDING[extname(file).toLowerCase()];

/**
 * The format of a file, by its ending, else by how it begins.
 *
 * @throws AssizeError where it cannot be read
 */
export async function formatOfFile(file: string): Promise<RowFormat> {
  const said = endingOf(file);
  if (said) return said;
  try {
    const [start, input] = await peek(createReadStream(file));
    await input[Symbol.asyncIterator]().return?.(); // nothing more of it is wanted
    return formatOf(start);
  } catch (error) {
    throw await inWords(file, error);
  }
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

/** How a stream begins, past its blank lines, and the stream with its beginning put back. */
async function peek(parts: Parts): Promise<[start: string, parts: Parts]> {
  const iterator = parts[Symbol.asyncIterator]();
  const seen: (string | Uint8Array)[] = [];
  const decoder = new TextDecoder(); // a character may have come apart
  let start = '';
  while (!/\{[\t ]*\r?\n|[^\s{]/.test(start)) {
    // oxlint-disable-next-line no-await-in-loop -- each part says whether another is needed
    const next = await iterator.next();
    if (next.done) break;
    seen.push(next.value);
    start += typeof next.value === 'string' ? next.value : decoder.decode(next.value, { stream: true });
  }
  return [start, resumed(seen, iterator)];
}

async function* resumed(
  seen: readonly (string | Uint8Array)[],
  rest: AsyncIterator<string | Uint8Array>,
): AsyncGenerator<string | Uint8Array> {
  yield* seen;
  yield* { [Symbol.asyncIterator]: () => rest };
}

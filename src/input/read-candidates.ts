import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { GrowingDateFacts, keepDateFacts, rowsOf } from '../columns/index.js';
import type { Progress } from '../contract/index.js';
import { type Problem, toAssizeError } from '../diagnostics/index.js';
import {
  type CandidateBytes,
  MAX_BAD_ROWS,
  peekStream,
  rowCount,
  RowProblems,
  type TextInput,
} from './candidate-reader.js';
import {
  type Codec,
  codecOf,
  formatByExtension,
  formatByStart,
  type InputFormat,
  isByColumn,
  isEnoughForFormat,
  openTable,
} from './codecs.js';
import { describeReadError, irregularReason, isOpenPipe } from './read-source-file.js';

/**
 * Parses candidates, a batch at a time. Good rows are yielded as they are read; bad ones are collected, and thrown at
 * the end as one error, which describes the first of them and counts the rest. After `MAX_BAD_ROWS` bad rows the
 * error is thrown at once, and the rest of the input is not read.
 *
 * @param name the name of the input in problems: its path, or `stdin`
 * @throws AssizeError with every problem of the rows
 */
export async function* parseCandidates(
  input: TextInput,
  name: string,
  format: InputFormat,
): AsyncGenerator<readonly object[], void> {
  const problems = new RowProblems(MAX_BAD_ROWS);
  const read = await codecOf(format).load();
  yield* read(input, name, problems);
  problems.throwIfAny();
}

/** Which columns of a file are read. */
export interface ColumnsRead {
  readonly fields: ReadonlySet<string>;
  /** How many of the first rows are read whole: in them what was meant by a typo is searched. */
  readonly whole: number;
}

/** What reading candidates needs besides their file. */
export interface CandidateSource {
  /** What the file `-` is. */
  readonly stdin?: CandidateBytes;
  /** Receives how many bytes are read, or how many rows of a file that is kept by column. */
  readonly progress?: Progress | undefined;
  /** What is read of a file that is kept by column; all of it when not given. */
  readonly columns?: ColumnsRead | undefined;
  /** Called where there are no candidates. */
  readonly warn?: (warning: Problem) => void;
}

/**
 * Reads the candidates of a file, or of standard input.
 *
 * @param file   its path; `-` is standard input
 * @param format by its ending, else by how it begins, when not given
 * @throws AssizeError with everything that is wrong with them, or if they do not fit into memory (ASZ113)
 */
export async function readCandidates(
  file: string,
  source: CandidateSource,
  format?: InputFormat,
): Promise<readonly object[]> {
  const candidates: object[] = [];
  const heap = new HeapLimit();
  const dates = new GrowingDateFacts();
  for await (const chunk of readCandidateChunks(file, source, format)) {
    dates.add(chunk);
    for (const candidate of chunk) candidates.push(candidate);
    heap.check(file === '-' ? STDIN : file, candidates.length);
  }
  keepDateFacts(candidates, dates);
  return candidates;
}

/** Reads candidates one after another, as `readCandidateChunks` does. */
export function streamCandidates(
  file: string,
  source: CandidateSource,
  format?: InputFormat,
): AsyncGenerator<object, void> {
  const dates = new GrowingDateFacts();
  const rows = (async function* (): AsyncGenerator<object, void> {
    for await (const chunk of readCandidateChunks(file, source, format)) {
      dates.add(chunk);
      yield* chunk;
    }
  })();
  keepDateFacts(rows, dates);
  return rows;
}

/**
 * Reads candidates a part of the input at a time: good ones are yielded as they are read, and what is wrong with the
 * others is thrown at the end. A list of JSON is read whole.
 */
export async function* readCandidateChunks(
  file: string,
  source: CandidateSource,
  format?: InputFormat,
): AsyncGenerator<readonly object[], void> {
  const known = format ?? formatByExtension(extname(file));
  if (file !== '-' && isByColumn(known)) yield* tableChunks(file, known, source);
  else yield* textChunks(file, source, format);
}

/** The candidates of a format that is read from its beginning. */
async function* textChunks(
  file: string,
  source: CandidateSource,
  format: InputFormat | undefined,
): AsyncGenerator<readonly object[], void> {
  try {
    const input = await openInput(file, source, format);
    let isEmpty = true;
    for await (const chunk of parseCandidates(...input)) {
      isEmpty &&= chunk.length === 0;
      yield chunk;
    }
    const [, name, detected] = input;
    const warning = isEmpty ? noCandidatesWarning(name, detected) : undefined;
    if (warning) source.warn?.(warning);
  } catch (error) {
    throw await describeReadError(file, error);
  }
}

/** The rows of a table, as lists whose objects are made when they are read. */
async function* tableChunks(
  file: string,
  format: InputFormat,
  { columns: wished, progress }: CandidateSource,
): AsyncGenerator<readonly object[], void> {
  const table = await openTable(file, format);
  const batches = followRows(`reading ${file}`, table.batches(wished?.fields), progress, rowCount(table));
  let wanted = wished?.whole ?? 0;
  let read = 0;
  try {
    for await (const columns of batches) {
      const first = Math.min(columns.length, wanted);
      if (first > 0) yield await table.rows(Array.from({ length: first }, (_, k) => read + k));
      yield rowsOf(columns.slice(first, columns.length));
      wanted -= first;
      read += columns.length;
    }
  } finally {
    await table.close();
  }
}

/** The name of standard input in problems. */
const STDIN = 'stdin';

/**
 * The warning about an input without candidates; undefined where the input is explicitly empty.
 *
 * @param format of a file; undefined for a table of a database
 */
export function noCandidatesWarning(name: string, format?: InputFormat): Problem | undefined {
  const { explicitlyEmpty, emptyHint }: Partial<Codec> = format === undefined ? {} : codecOf(format);
  if (explicitlyEmpty) return undefined;
  const hint = emptyHint ?? (name === STDIN ? 'name a file, or pipe them in' : undefined);
  return { code: 'ASZ717', message: `there are no candidates in ${name}`, hint };
}

/**
 * Reads a file a part at a time. It is opened with the first one: an error of a stream that is opened before anything
 * listens to it, as while its reader is loaded, would end the process.
 *
 * @throws AssizeError for a folder, a device, or a pipe that this process does not have open
 */
export async function* readFileParts(path: string): AsyncGenerator<string | Uint8Array, void> {
  const found = await stat(path);
  const reason = isOpenPipe(path, found) ? undefined : irregularReason(found);
  if (reason !== undefined) throw toAssizeError([{ code: 'ASZ101', message: `cannot read ${path}: ${reason}` }]);
  yield* createReadStream(path);
}

async function openInput(
  file: string,
  { stdin, progress }: CandidateSource,
  format: InputFormat | undefined,
): Promise<Parameters<typeof parseCandidates>> {
  const [bytes, name]: [CandidateBytes, string] = file === '-' && stdin ? [stdin, STDIN] : [readFileParts(file), file];
  const parts = progress ? reportBytesRead(bytes, `reading ${name}`, await fileSize(file), progress) : bytes;
  const known = format ?? formatByExtension(extname(file));
  if (known) return [parts, name, known];
  const [start, input] = await peekStream(parts, isEnoughForFormat);
  return [input, name, formatByStart(start)];
}

/**
 * Detects the format of a file by its ending, else by how it begins.
 *
 * @returns undefined for a pipe without a known ending: what is read of a pipe cannot be read again
 * @throws AssizeError where it cannot be read
 */
export async function detectFileFormat(file: string): Promise<InputFormat | undefined> {
  const known = formatByExtension(extname(file));
  if (known) return known;
  try {
    const stats = await stat(file);
    if (isOpenPipe(file, stats)) return undefined;
    const parts = readFileParts(file);
    const [start] = await peekStream(parts, isEnoughForFormat);
    await parts.return(); // closes the file
    return formatByStart(start);
  } catch (error) {
    throw await describeReadError(file, error);
  }
}

/** How many bytes a file has; undefined where that is not known, as of a pipe. */
const fileSize = async (file: string): Promise<number | undefined> =>
  file === '-' ? undefined : (await stat(file).catch(() => undefined))?.size || undefined;

/** Passes parts on, and reports how many bytes of them were read. */
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

/** Some rows: a list of them, or columns. */
interface Rows {
  readonly length: number;
}

/**
 * Reports how many rows have come.
 *
 * @param task  in one line: `reading films.parquet`
 * @param total how many there are; undefined where that is not known before the end
 */
export const followRows = <R extends Rows>(
  task: string,
  chunks: AsyncIterable<R>,
  progress: Progress | undefined,
  total: number | undefined,
): AsyncIterable<R> => (progress ? counted(task, chunks, progress, total) : chunks);

/** The last step, also where the reading ends early, is all of it. */
async function* counted<R extends Rows>(
  task: string,
  chunks: AsyncIterable<R>,
  progress: Progress,
  total: number | undefined,
): AsyncGenerator<R, void> {
  let done = 0;
  try {
    for await (const chunk of chunks) {
      done += chunk.length;
      if (done !== total) progress({ task, unit: 'rows', done, total });
      yield chunk;
    }
  } finally {
    progress({ task, unit: 'rows', done, total: done });
  }
}

/** The share of V8's heap that candidates may fill: ranking them needs some of the rest. */
const LARGEST_SHARE = 0.7;

/** How much more of the heap may be in use before it is looked at again, as a share of the limit. */
const STEP = 0.05;

/** The part of V8's limit that new objects have to themselves: three semi-spaces of 16 MB. What stays has the rest. */
const YOUNG_BYTES = 48 * 2 ** 20;

/** How many bytes of objects that stay the heap of this process can hold. */
function oldSpaceLimit(): number {
  const { heap_size_limit: limit } = getHeapStatistics();
  return Math.max(limit - YOUNG_BYTES, limit / 2);
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20).toLocaleString('en-US')} MB`;

/** Ends reading before V8 runs out of heap, which would end the process with a stack of V8 and no message of ours. */
class HeapLimit {
  readonly #limit = oldSpaceLimit();
  #next = LARGEST_SHARE * this.#limit;

  /**
   * Called between parts of a file.
   *
   * @param count how many candidates are in memory
   * @throws AssizeError (ASZ113) if they leave too little of the heap
   */
  check(file: string, count: number): void {
    if (getHeapStatistics().used_heap_size < this.#next) return;
    collectGarbage(); // What is in use includes what V8 has not collected yet.
    const used = getHeapStatistics().used_heap_size;
    this.#next = Math.max(this.#next, used + STEP * this.#limit);
    if (used < LARGEST_SHARE * this.#limit) return;
    const message = `the candidates of ${file} do not fit into memory: the first ${count.toLocaleString('en-US')} take ${megabytes(used)} of V8's ${megabytes(this.#limit)}`;
    const hint =
      'select.top or --top bounds what is kept, if each entry judges a candidate alone and --format is not json; else NODE_OPTIONS=--max-old-space-size=8192 gives V8 8 GB';
    throw toAssizeError([{ code: 'ASZ113', message, hint }]);
  }
}

let gc: (() => void) | undefined;

function collectGarbage(): void {
  if (!gc) {
    setFlagsFromString('--expose-gc');
    gc = runInNewContext('gc') as () => void;
  }
  gc();
}

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { GrowingDateFacts, keepDateFacts, rowsOf } from './rows.js';
import type { Progress } from '../sdk/index.js';
import { toAssizeError, type Problem } from '../base/index.js';
import {
  type CandidateBytes,
  type CellOptions,
  type LineBlock,
  lineBlocks,
  MAX_BAD_ROWS,
  peekStream,
  rowCount,
  RowProblems,
  splitLines,
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
  logFormatByStart,
  mayBeLog,
  openTable,
} from './codecs.js';
import { HeapLimit } from './heap-limit.js';
import { describeReadError, irregularReason, isOpenPipe } from './read-source-file.js';

/**
 * Parses candidates in batches. Valid rows are yielded as they are read. Invalid rows are collected and thrown at the
 * end as one error, which describes the first ones and counts the others. After `MAX_BAD_ROWS` invalid rows the error
 * is thrown immediately.
 *
 * @param name  the name of the input in problems: its path, or `stdin`
 * @param cells how the cells of CSV and TSV are read
 * @throws AssizeError with every problem of the rows
 */
export async function* parseCandidates(
  input: TextInput,
  name: string,
  format: InputFormat,
  cells: CellOptions = {},
): AsyncGenerator<readonly object[], void> {
  checkAbsent(cells, name, format);
  const problems = new RowProblems(MAX_BAD_ROWS);
  const read = await codecOf(format).load();
  yield* read(input, name, problems, cells);
  problems.throwIfAny();
}

/** A text of JSON Lines whose first line is not a candidate. */
interface HeadedLines {
  /** Bytes if it is not UTF-8. */
  readonly header: string | Uint8Array;
  /** The candidates of the other lines, parsed on demand. Line numbers in problems count the header. */
  readonly candidates: AsyncIterable<readonly object[]>;
}

/**
 * Reads the first line of a text, which describes the candidates on the other lines.
 *
 * @param name the name of the text in problems
 */
export async function candidatesAfterHeader(input: TextInput, name: string): Promise<HeadedLines> {
  const blocks = lineBlocks(input);
  const first = await blocks.next();
  const block = first.done ? '' : first.value;
  const [header = ''] = splitLines(block);
  const rest = block.slice(typeof block === 'string' ? header.length : Buffer.byteLength(header));
  return { header, candidates: parseCandidates(blocksAfter(rest, blocks), name, 'jsonl') };
}

/** The blocks after a header. The first starts with the header's line end, which counts as a line. */
async function* blocksAfter(rest: LineBlock, blocks: AsyncIterable<LineBlock>): AsyncGenerator<LineBlock> {
  yield rest;
  yield* blocks;
}

/** The part of a columnar file that is read. */
export interface ColumnsRead {
  readonly fields: ReadonlySet<string>;
  /** Number of rows at the start that are read with all columns, to suggest corrections of typos in paths. */
  readonly whole: number;
}

/**
 * Checks that the option `absent` is used only with a format that has cells.
 *
 * @throws AssizeError (ASZ533) for another format
 */
export function checkAbsent({ absent = [] }: CellOptions, name: string, format: InputFormat | undefined): void {
  if (absent.length === 0 || format === undefined || codecOf(format).hasCells) return;
  const message = `absent is ${absent.map((text) => JSON.stringify(text)).join(', ')}, which is for cells of CSV and TSV, and ${name} is ${codecOf(format).title}`;
  const hint = 'remove the option: in other formats an absent value is null or a missing field';
  throw toAssizeError([{ code: 'ASZ533', message, hint }]);
}

/** Options for reading candidates. */
export interface CandidateSource extends CellOptions {
  /** The content of the file `-`. */
  readonly stdin?: CandidateBytes;
  /** Receives the number of bytes read, or of rows for a columnar file. */
  readonly progress?: Progress | undefined;
  /** The part of a columnar file to read. Default: all of it. */
  readonly columns?: ColumnsRead | undefined;
  /** Called if there are no candidates (ASZ717), and as in `CellOptions`. */
  readonly warn?: ((warning: Problem) => void) | undefined;
}

/**
 * Reads the candidates of a file, or of standard input.
 *
 * @param file   its path; `-` is standard input
 * @param format default: detected by the file's extension, else by its beginning
 * @throws AssizeError with the problems of all rows, or if they do not fit into memory (ASZ113)
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
    // A chunk may be a whole row group, whose objects are made here.
    for (const candidate of chunk) {
      candidates.push(candidate);
      if (candidates.length % ROWS_PER_CHECK === 0) heap.check(file === '-' ? STDIN : file, candidates.length);
    }
    heap.check(file === '-' ? STDIN : file, candidates.length);
  }
  keepDateFacts(candidates, dates);
  return candidates;
}

/** Number of candidates after which the heap is measured. */
const ROWS_PER_CHECK = 4096;

/** Reads candidates one by one, as `readCandidateChunks` does. */
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
 * Reads candidates in batches: valid ones are yielded as they are read, and an error for the others is thrown at the
 * end. A JSON list is read whole.
 */
export async function* readCandidateChunks(
  file: string,
  source: CandidateSource,
  format?: InputFormat,
): AsyncGenerator<readonly object[], void> {
  const known = format ?? formatByExtension(extname(file));
  if (file !== '-') checkAbsent(source, file, known);
  if (file !== '-' && isByColumn(known)) yield* tableChunks(file, known, source);
  else yield* textChunks(file, source, format);
}

/** Reads a format that can only be read from its beginning. */
async function* textChunks(
  file: string,
  source: CandidateSource,
  format: InputFormat | undefined,
): AsyncGenerator<readonly object[], void> {
  try {
    const input = await openInput(file, source, format);
    let isEmpty = true;
    for await (const chunk of parseCandidates(...input, source)) {
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

/** Reads a columnar file as lists of rows, whose objects are created on access. */
async function* tableChunks(
  file: string,
  format: InputFormat,
  { columns: selected, progress }: CandidateSource,
): AsyncGenerator<readonly object[], void> {
  const table = await openTable(file, format);
  const batches = reportRowsRead(`reading ${file}`, table.batches(selected?.fields), progress, rowCount(table));
  let wholeLeft = selected?.whole ?? 0;
  let read = 0;
  try {
    for await (const columns of batches) {
      const whole = Math.min(columns.length, wholeLeft);
      if (whole > 0) yield await table.rows(Array.from({ length: whole }, (_, k) => read + k));
      yield rowsOf(columns.slice(whole, columns.length));
      wholeLeft -= whole;
      read += columns.length;
    }
  } finally {
    await table.close();
  }
}

/** The name of standard input in problems. */
const STDIN = 'stdin';

/**
 * The warning for an input without candidates; undefined if the format makes that explicit, such as `[]`.
 *
 * @param format undefined for a database table
 */
export function noCandidatesWarning(name: string, format?: InputFormat): Problem | undefined {
  const { explicitlyEmpty, emptyHint }: Partial<Codec> = format === undefined ? {} : codecOf(format);
  if (explicitlyEmpty) return undefined;
  const hint = emptyHint ?? (name === STDIN ? 'name a file, or pipe them in' : undefined);
  return { code: 'ASZ717', message: `there are no candidates in ${name}`, hint };
}

/**
 * Reads a file in parts. The file is opened when the first part is requested: if a stream fails before anything listens
 * to it, for example while its reader is loading, Node ends the process.
 *
 * @throws AssizeError for a directory, a device, or a pipe that this process does not have open
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
): Promise<[input: TextInput, name: string, format: InputFormat]> {
  const [bytes, name]: [CandidateBytes, string] = file === '-' && stdin ? [stdin, STDIN] : [readFileParts(file), file];
  const parts = progress ? counted(`reading ${name}`, 'bytes', bytes, progress, await fileSize(file)) : bytes;
  if (format) return [parts, name, format];
  const known = formatByExtension(extname(file));
  if (known && !mayBeLog(known)) return [parts, name, known];
  const [start, input] = await peekStream(parts, isEnoughForFormat);
  return [input, name, known ? (logFormatByStart(start) ?? known) : formatByStart(start)];
}

/**
 * Detects the format of a file by its extension, else by its beginning. Logs of agents have the extensions of JSON and
 * JSON Lines.
 *
 * @returns undefined for a pipe without a known extension, because a pipe cannot be read twice
 * @throws AssizeError if the file cannot be read
 */
export async function detectFileFormat(file: string): Promise<InputFormat | undefined> {
  const known = formatByExtension(extname(file));
  if (known && !mayBeLog(known)) return known;
  try {
    const stats = await stat(file);
    if (isOpenPipe(file, stats)) return known;
    const parts = readFileParts(file);
    const [start] = await peekStream(parts, isEnoughForFormat);
    await parts.return(); // closes the file
    return known ? (logFormatByStart(start) ?? known) : formatByStart(start);
  } catch (error) {
    throw await describeReadError(file, error);
  }
}

/** A format, and its name in messages. */
interface TitledFormat {
  readonly format: InputFormat;
  readonly title: string;
}

/**
 * The format of candidates that are not read here, with its title for messages.
 *
 * @param file     a path, or the path of a URL
 * @param isOnDisk false: by the extension only; true: as `detectFileFormat`
 * @returns undefined if the format is unknown
 * @throws AssizeError if a file on disk cannot be read
 */
export async function titledFormat(file: string, isOnDisk: boolean): Promise<TitledFormat | undefined> {
  const known = formatByExtension(extname(file));
  const found = isOnDisk ? await detectFileFormat(file) : known;
  // Lines of messages are lines for a reader that reads each line by itself.
  const format = found === 'json' ? (known ?? found) : found;
  return format && { format, title: codecOf(format).title };
}

/** The size of a file in bytes; undefined if unknown, as for a pipe. */
const fileSize = async (file: string): Promise<number | undefined> =>
  file === '-' ? undefined : (await stat(file).catch(() => undefined))?.size || undefined;

/**
 * Passes chunks of rows on and reports their number.
 *
 * @param task  in one line: `reading films.parquet`
 * @param total number of rows; undefined if unknown before the end
 */
export const reportRowsRead = <R extends { readonly length: number }>(
  task: string,
  chunks: AsyncIterable<R>,
  progress: Progress | undefined,
  total: number | undefined,
): AsyncIterable<R> => (progress ? counted(task, 'rows', chunks, progress, total) : chunks);

/** Passes parts on and reports their length. The last report has `done` equal to `total`, even if reading ends early. */
async function* counted<R extends { readonly length: number }>(
  task: string,
  unit: 'bytes' | 'rows',
  chunks: AsyncIterable<R>,
  progress: Progress,
  total: number | undefined,
): AsyncGenerator<R, void> {
  let done = 0;
  try {
    for await (const chunk of chunks) {
      done += chunk.length;
      if (done !== total) progress({ task, unit, done, total });
      yield chunk;
    }
  } finally {
    progress({ task, unit, done, total: done });
  }
}

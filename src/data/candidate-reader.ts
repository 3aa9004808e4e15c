import { isUtf8 } from 'node:buffer';
import type { Columns } from './columns.js';
import { toAssizeError, SourceFile, type Problem, toError } from '../base/index.js';

/** How the cells of CSV and TSV are read. */
export interface CellOptions {
  /** The texts of cells that are absent, as an empty cell is: `N/A`. */
  readonly absent?: readonly string[] | undefined;
  /** The keys of candidates that are used: no other column is warned of. All when not given. */
  readonly reads?: ReadonlySet<string> | undefined;
  /**
   * Called at the end for each column of numbers in which other cells say that there is no value (ASZ726), if the first
   * line of a table is probably a row (ASZ749), if records of a
   * log are in no trace (ASZ744), for each type of parts of messages that is unknown, and if candidates look like messages
   * and their format cannot be detected (ASZ728).
   */
  readonly warn?: ((warning: Problem) => void) | undefined;
}

/**
 * Reads the candidates of one format in batches, because a step of an async generator costs as much as parsing a row.
 * Valid rows are yielded; invalid rows are added to the problems.
 *
 * @param name the name of the input in problems: its path, or `stdin`
 */
export type CandidateReader = (
  input: TextInput,
  name: string,
  problems: RowProblems,
  cells: CellOptions,
) => AsyncIterable<readonly object[]>;

/** The problem of a row. Its place defaults to the start of the row. */
export type RowProblem = Omit<Problem, 'code'>;

/** Number of invalid rows that are described. If a file has the wrong format, every line is invalid. */
const MAX_DESCRIBED = 20;

/**
 * Number of invalid rows after which reading stops. Finding the error in a line costs fifty times as much as skipping a
 * blank line, and if a file has the wrong format, every line has an error.
 */
export const MAX_BAD_ROWS = 1000;

/** Problems of rows: the first ones are described, the others are counted. */
export class RowProblems {
  readonly #described: Problem[] = [];
  #more: Problem | undefined;
  #moreCount = 0;

  /** @param most number of invalid rows at which reading stops */
  constructor(private readonly most = Number.POSITIVE_INFINITY) {}

  /**
   * Adds a problem of a row.
   *
   * @param offset   the start of the row
   * @param describe called only for the first rows
   * @throws AssizeError with all problems once `most` rows are invalid
   */
  add(source: SourceFile, offset: number, describe: () => RowProblem): void {
    if (this.#described.length < MAX_DESCRIBED) {
      this.#described.push({ place: source.placeAt(offset), ...describe(), code: 'ASZ103' });
    } else {
      this.#moreCount += 1;
      this.#more ??= { code: 'ASZ103', message: '', place: source.placeAt(offset) };
    }
    if (this.#isFull) this.throwIfAny();
  }

  /** Adds a problem of a line of text, which is given with its number in the file, counted from 1. */
  addLine(file: string, number: number, line: string, message: string): void {
    this.add(new SourceFile(file, line, number), 0, () => ({ message }));
  }

  get #isFull(): boolean {
    return this.#described.length + this.#moreCount >= this.most;
  }

  get all(): readonly Problem[] {
    const others = this.#moreCount > 1 ? ` and ${this.#moreCount - 1} more` : '';
    const end = this.#isFull ? '; later rows were not read' : '';
    const more = this.#more ? [{ ...this.#more, message: `this row${others} cannot be read${end}` }] : [];
    return [...this.#described, ...more];
  }

  /** @throws AssizeError with all problems, if there are any */
  throwIfAny(): void {
    const { all } = this;
    if (all.length > 0) throw toAssizeError(all);
  }
}

/** The problem of a value that is not a candidate. */
export function notAnObject(value: unknown, expected = 'an object'): RowProblem {
  const kind = Array.isArray(value) ? 'a list' : value === null ? 'null' : `a ${typeof value}`;
  return { message: `found ${kind}, expected ${expected}` };
}

/** Bytes with random access. */
export interface RandomAccess {
  readonly byteLength: number;
  /** Reads the bytes from `start` to before `end`; by default to the end. */
  slice(start: number, end?: number): Promise<ArrayBuffer>;
  /** For a file: its absolute path. */
  readonly path?: string;
}

/** A range of rows; `to` is exclusive. */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

/** A columnar file. */
export interface Table {
  /** The ranges that can be read independently, in order: for Parquet, its row groups. */
  readonly groups: readonly RowRange[];
  /**
   * Reads rows in order, in batches. A batch is valid until the next one is requested.
   *
   * @param fields default: all columns
   * @param range  starts and ends at group boundaries; default: all rows
   */
  batches(fields?: ReadonlySet<string>, range?: RowRange): AsyncIterable<Columns>;
  /** Reads whole rows by position. */
  rows(positions: readonly number[]): Promise<readonly object[]>;
  /** Releases resources. The caller closes the bytes. */
  close?(): void;
}

export const rowCount = ({ groups }: Pick<Table, 'groups'>): number => groups.at(-1)?.to ?? 0;

/**
 * Opens a columnar file.
 *
 * @param name    the name of the input in problems
 * @param threads the most threads that may read, if the format supports it
 * @throws AssizeError (ASZ120) if the file does not have the format
 */
export type TableReader = (bytes: RandomAccess, name: string, threads: number) => Promise<Table>;

/** The error for a columnar file that cannot be read. */
export function tableError(name: string, format: string, error: unknown, hint?: string): Error {
  const { message } = toError(error);
  const problem: Problem = { code: 'ASZ120', message: `${name} cannot be read as ${format}: ${message}`, hint };
  return toAssizeError([problem], { cause: error });
}

/** A text, or a stream of its parts as Node and the web provide them. */
export type TextInput = string | AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;

/** Whole lines of a stream: bytes if they are not checked to be UTF-8 yet. */
export type LineBlock = string | Buffer;

/**
 * Cuts a stream at line ends. It cuts bytes, because a chunk may end inside a UTF-8 character, and no byte of such a
 * character looks like a line end. The parts of a long line are joined once, so the cost stays linear.
 */
export async function* lineBlocks(input: TextInput): AsyncGenerator<LineBlock> {
  if (typeof input === 'string') {
    yield input;
    return;
  }
  let parts: LineBlock[] = [];
  for await (const part of input) {
    const chunk = typeof part === 'string' ? part : Buffer.from(part.buffer, part.byteOffset, part.byteLength);
    const end = chunk.lastIndexOf('\n') + 1;
    if (end > 0) {
      yield concatBlocks([...parts, slice(chunk, 0, end)]);
      parts = [];
    }
    if (end < chunk.length) parts.push(slice(chunk, end, chunk.length));
  }
  if (parts.length > 0) yield concatBlocks(parts);
}

const slice = (chunk: LineBlock, from: number, to: number): LineBlock =>
  typeof chunk === 'string' ? chunk.slice(from, to) : chunk.subarray(from, to);

/** Joins blocks. The result is a string if all blocks are strings. */
export function concatBlocks(parts: readonly LineBlock[]): LineBlock {
  if (parts.length === 1) return parts[0]!;
  if (parts.every((part) => typeof part === 'string')) return parts.join('');
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}

/** The lines of a block without line ends. A line that is not valid UTF-8 is a Buffer. */
export function splitLines(block: LineBlock): Iterable<string | Buffer> {
  if (typeof block === 'string') return textLines(block);
  return isUtf8(block) ? textLines(block.toString()) : byteLines(block);
}

function* textLines(text: string): Generator<string> {
  let start = 0;
  while (start < text.length) {
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found;
    // CRLF is a line end, too.
    yield text.slice(start, end > start && text.charCodeAt(end - 1) === 13 ? end - 1 : end);
    start = end + 1;
  }
}

function* byteLines(bytes: Buffer): Generator<string | Buffer> {
  let start = 0;
  while (start < bytes.length) {
    const found = bytes.indexOf(10, start);
    const end = found < 0 ? bytes.length : found;
    const line = bytes.subarray(start, end);
    yield isUtf8(line) ? line.toString() : line;
    start = end + 1;
  }
}

/** An input that is read in parts. */
export type CandidateBytes = AsyncIterable<string | Uint8Array>;

/**
 * Reads the beginning of a stream.
 *
 * @param enough called with more and more of the beginning until it returns true or the stream ends
 * @returns the beginning, and a stream that starts with it
 */
export async function peekStream(
  parts: CandidateBytes,
  enough: (start: string) => boolean,
): Promise<[start: string, parts: AsyncGenerator<string | Uint8Array>]> {
  const iterator = parts[Symbol.asyncIterator]();
  const seen: (string | Uint8Array)[] = [];
  const decoder = new TextDecoder(); // a character may be split between parts
  let start = '';
  while (!enough(start)) {
    // oxlint-disable-next-line no-await-in-loop -- each part decides whether another is needed
    const next = await iterator.next();
    if (next.done) return [start + decoder.decode(), resumeStream(seen, iterator)];
    seen.push(next.value);
    start += typeof next.value === 'string' ? next.value : decoder.decode(next.value, { stream: true });
  }
  return [start, resumeStream(seen, iterator)];
}

async function* resumeStream(
  seen: readonly (string | Uint8Array)[],
  rest: AsyncIterator<string | Uint8Array>,
): AsyncGenerator<string | Uint8Array> {
  yield* seen;
  yield* { [Symbol.asyncIterator]: () => rest };
}

/** A hint for bytes that are not UTF-8: guesses their format. */
export function encodingHint(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const utf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (utf16) return 'it looks like UTF-16: save it as UTF-8';
  if (first === 0x1f && second === 0x8b) return 'it looks like gzip: decompress it, for example with gunzip -c';
  return bytes.includes(0) ? 'it looks like a binary file' : 'save it as UTF-8';
}

/**
 * Describes bytes that are not UTF-8 text. Invalid bytes are decoded as U+FFFD, which gives the place.
 *
 * @param source the decoded text
 */
export function utf8Problem(bytes: Uint8Array, source: SourceFile): Omit<Problem, 'code'> {
  const offset = Math.max(0, source.text.indexOf('\ufffd'));
  return { message: 'found bytes that are not UTF-8 text', place: source.placeAt(offset), hint: encodingHint(bytes) };
}

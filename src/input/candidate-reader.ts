import { isUtf8 } from 'node:buffer';
import type { Columns } from '../columns/index.js';
import { type Problem, type SourceFile, toAssizeError, toError } from '../diagnostics/index.js';

/**
 * Reads the candidates of one format, a batch at a time: a step of an asynchronous generator costs as much as parsing
 * a row. Good rows are yielded, bad ones are added to the problems.
 *
 * @param name the name of the input in problems: its path, or `stdin`
 */
export type CandidateReader = (
  input: TextInput,
  name: string,
  problems: RowProblems,
) => AsyncIterable<readonly object[]>;

/** What is wrong with a row; its place is where the row starts, when not given. */
export type RowProblem = Omit<Problem, 'code'>;

/** How many bad rows are described. A file of the wrong kind has one in every line. */
const MAX_DESCRIBED = 20;

/**
 * After how many bad rows an input is not read further. To find that a line is not JSON costs fifty times as much as to
 * skip a blank one, and a file of the wrong kind has nothing but such lines.
 */
export const MAX_BAD_ROWS = 1000;

/** Problems of rows: the first ones described in full, the rest counted. */
export class RowProblems {
  readonly #described: Problem[] = [];
  #more: Problem | undefined;
  #moreCount = 0;

  /** @param most how many bad rows there may be; the next one ends the reading */
  constructor(private readonly most = Number.POSITIVE_INFINITY) {}

  /**
   * Adds a problem of a row.
   *
   * @param offset   where the row starts
   * @param describe called only for the first rows
   * @throws AssizeError with all problems if this row is the last that may be bad
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

  get #isFull(): boolean {
    return this.#described.length + this.#moreCount >= this.most;
  }

  /** All of them. */
  get all(): readonly Problem[] {
    const others = this.#moreCount > 1 ? ` and ${this.#moreCount - 1} more` : '';
    const end = this.#isFull ? '; the rows after them were not read' : '';
    const more = this.#more ? [{ ...this.#more, message: `this row${others} cannot be read${end}` }] : [];
    return [...this.#described, ...more];
  }

  /** @throws AssizeError with all of them, if there are any */
  throwIfAny(): void {
    const { all } = this;
    if (all.length > 0) throw toAssizeError(all);
  }
}

/** A value that is no candidate, in words. */
export function notAnObject(value: unknown, expected = 'an object'): RowProblem {
  const kind = Array.isArray(value) ? 'a list' : value === null ? 'null' : `a ${typeof value}`;
  return { message: `found ${kind}, expected ${expected}` };
}

/** Bytes that can be read from any place. */
export interface RandomAccess {
  readonly byteLength: number;
  /** The bytes from one to before another, or to the end. */
  slice(start: number, end?: number): Promise<ArrayBuffer>;
  /** Of a file: its absolute path. */
  readonly path?: string;
}

/** Consecutive rows: the first, and the one after the last. */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

/** Candidates that are kept by column in a file: it can be read column by column. */
export interface Table {
  /** All rows in their order, cut where a reader can begin without what comes before: Parquet's row groups. */
  readonly groups: readonly RowRange[];
  /**
   * Reads rows in their order, a batch at a time. A batch may be used until the next one is asked for.
   *
   * @param fields which columns; all when not given
   * @param range  which rows, from the first of a group to the last of one; all when not given
   */
  batches(fields?: ReadonlySet<string>, range?: RowRange): AsyncIterable<Columns>;
  /** Reads whole rows by position. */
  rows(positions: readonly number[]): Promise<readonly object[]>;
  /** Ends what was started for it; the bytes are the caller's. */
  close?(): void;
}

/** How many rows a table has. */
export const rowCount = ({ groups }: Pick<Table, 'groups'>): number => groups.at(-1)?.to ?? 0;

/**
 * Opens a table.
 *
 * @param name    the name of the input in problems
 * @param threads how many threads may read, where more than one can
 * @throws AssizeError (ASZ120) where it is not of the format
 */
export type TableReader = (bytes: RandomAccess, name: string, threads: number) => Promise<Table>;

/** The error of a table that cannot be read. */
export function tableError(name: string, format: string, error: unknown, hint?: string): Error {
  const { message } = toError(error);
  const problem: Problem = { code: 'ASZ120', message: `${name} cannot be read as ${format}: ${message}`, hint };
  return toAssizeError([problem], { cause: error });
}

/** Text as it comes: all of it, or a stream of parts as Node and the web have them. */
export type TextInput = string | AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;

/** A part of a stream that holds whole lines: bytes until they are checked to be text. */
export type LineBlock = string | Buffer;

/**
 * Cuts a stream at line ends. Cutting bytes, not texts, keeps a character whose bytes came apart whole, since no part
 * of one looks like a line end. A line in many parts is put together once, so that length costs no more than its own.
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

/** Some blocks as one: a string where all are strings. */
export function concatBlocks(parts: readonly LineBlock[]): LineBlock {
  if (parts.length === 1) return parts[0]!;
  if (parts.every((part) => typeof part === 'string')) return parts.join('');
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}

/** The lines of a block without their ends: strings, and bytes where they are not UTF-8. */
export function splitLines(block: LineBlock): Iterable<string | Buffer> {
  if (typeof block === 'string') return textLines(block);
  return isUtf8(block) ? textLines(block.toString()) : byteLines(block);
}

function* textLines(text: string): Generator<string> {
  let start = 0;
  while (start < text.length) {
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found;
    // A carriage return belongs to the line's end.
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

/** An input that is read a part at a time. */
export type CandidateBytes = AsyncIterable<string | Uint8Array>;

/**
 * Reads the beginning of a stream.
 *
 * @param enough called with ever more of the beginning, until it is enough or all there is
 * @returns the beginning, and the stream with it put back
 */
export async function peekStream(
  parts: CandidateBytes,
  enough: (start: string) => boolean,
): Promise<[start: string, parts: AsyncGenerator<string | Uint8Array>]> {
  const iterator = parts[Symbol.asyncIterator]();
  const seen: (string | Uint8Array)[] = [];
  const decoder = new TextDecoder(); // a character may have come apart
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

/** Guesses what bytes that are not UTF-8 text are instead. */
export function encodingHint(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const utf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (utf16) return 'it looks like UTF-16: save it as UTF-8';
  if (first === 0x1f && second === 0x8b) return 'it looks like gzip: gunzip -c writes what is in it to a pipe';
  return bytes.includes(0) ? 'it looks like a binary file' : 'save it as UTF-8';
}

/**
 * Describes bytes that are not UTF-8 text. They are decoded as U+FFFD, and so the first of these is where they are.
 *
 * @param source the text that the bytes were decoded to
 */
export function utf8Problem(bytes: Uint8Array, source: SourceFile): Omit<Problem, 'code'> {
  const offset = Math.max(0, source.text.indexOf('\ufffd'));
  return { message: 'found bytes that are not UTF-8 text', place: source.placeAt(offset), hint: encodingHint(bytes) };
}

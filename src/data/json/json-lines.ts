import { SourceFile } from '../../base/index.js';
import { isMap } from '../../expression/index.js';
import {
  lineBlocks,
  notAnObject,
  type RowProblem,
  type RowProblems,
  splitLines,
  type TextInput,
  utf8Problem,
} from '../candidate-reader.js';
import { TOO_DEEP, tryParseJson } from '../parsed-document.js';

/** Parses a line of JSON Lines; undefined if it is blank or not an object. */
export function parseJsonLine(text: string): object | undefined {
  if (isBlank(text)) return undefined; // JSON.parse would throw, which takes fifty times as long
  const data = tryParseJson(text)?.data;
  return isMap(data) ? data : undefined;
}

// The first test is fast and settles nearly every line.
const isBlank = (text: string): boolean => !(text.charCodeAt(0) > 32) && text.trim() === '';

/** Removes the byte order mark from a file's first line. */
export const stripByteOrderMark = (text: string, isFirst: boolean): string =>
  isFirst && text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;

/** All readers of a process together parse for this many milliseconds, then the event loop runs. */
const MAX_BLOCKING_MS = 1;
/** The clock is read once for this many characters. */
const CHARACTERS_PER_CHECK = 16_384;
/** The fixed cost of a line, in characters. */
const LINE_COST = 64;
/** The cost of a line that is not JSON: `JSON.parse` throws. */
const BAD_LINE_COST = 1024;

/**
 * The time that readers may take in one iteration of the event loop. Readers that exceed it continue in turn, one per
 * iteration: a server that reads many bodies at once answers other requests meanwhile.
 */
class ReadingTime {
  #began: number | undefined;
  readonly #waiting: (() => void)[] = [];

  /** Whether the time of this iteration is used up. */
  isOver(): boolean {
    this.#began ??= this.#begin();
    return performance.now() - this.#began > MAX_BLOCKING_MS;
  }

  #begin(): number {
    setImmediate(() => {
      const next = this.#waiting.shift();
      this.#began = next && this.#begin();
      next?.();
    });
    return performance.now();
  }

  nextTurn(): Promise<void> {
    return new Promise((resolve) => void this.#waiting.push(resolve));
  }
}

const readingTime = new ReadingTime();

/**
 * Reads JSON Lines: one object per line. Between lines it yields to the event loop, so that a large block does not
 * stop the process.
 *
 * @param before number of lines before the input
 */
export async function* readJsonLines(
  input: TextInput,
  name: string,
  problems: RowProblems,
  before = 0,
): AsyncGenerator<readonly object[]> {
  let line = before;
  let anyRead = false;
  let unseen = 0;
  let describer: typeof import('./parse-json-with-places.js') | undefined;
  for await (const block of lineBlocks(input)) {
    const rows: object[] = [];
    for (const raw of splitLines(block)) {
      line += 1;
      const bytes = typeof raw === 'string' ? undefined : raw;
      const text = stripByteOrderMark(raw.toString(), line === 1);
      unseen += text.length + LINE_COST;
      if (unseen > CHARACTERS_PER_CHECK) {
        unseen = 0;
        // oxlint-disable-next-line no-await-in-loop -- the event loop runs between lines
        if (readingTime.isOver()) await readingTime.nextTurn();
      }
      if (isBlank(text)) continue;
      const row = bytes ? undefined : parseJsonLine(text);
      if (row) {
        rows.push(row);
      } else {
        unseen += BAD_LINE_COST;
        const source = new SourceFile(name, text, line);
        // oxlint-disable-next-line no-await-in-loop -- loaded once, and only if a line cannot be read
        describer ??= await import('./parse-json-with-places.js');
        const { findJsonMistake } = describer;
        problems.add(source, 0, () => (bytes ? utf8Problem(bytes, source) : lineProblem(source, findJsonMistake)));
        if (bytes?.includes(0) && !anyRead && rows.length === 0) return; // a binary file: every other line fails too
      }
    }
    anyRead ||= rows.length > 0;
    if (rows.length > 0) yield rows;
  }
}

/** First lines of other formats, with the hint to give. */
const OTHER_FORMATS = [
  {
    start: /^\s*(?:\[|\{\s*$)/,
    hint: 'JSON Lines has one object per line; if the file is one list, it is JSON: name it .json',
  },
  { start: /^[^{[\t]+,/, hint: 'if it is CSV, name it .csv or pass --input csv' },
  { start: /^[^{[]+\t/, hint: 'if it is TSV, name it .tsv or pass --input tsv' },
];

/** The problem of a valid line that is nested too deep and too long for `findJsonMistake`. */
const tooDeepLine: RowProblem = { message: TOO_DEEP };

/** Describes the problem of a line. For the first line, the hint names the format that it looks like. */
function lineProblem(
  source: SourceFile,
  findJsonMistake: typeof import('./parse-json-with-places.js').findJsonMistake,
): RowProblem {
  const { text } = source;
  const parsed = tryParseJson(text);
  const place = source.placeAt(Math.max(0, text.search(/\S/)));
  const problem = parsed ? notAnObject(parsed.data) : findJsonMistake(source, 'line');
  const found = { ...(problem ?? tooDeepLine), place: problem?.place ?? place };
  const hint = source.firstLine === 1 ? OTHER_FORMATS.find(({ start }) => start.test(text))?.hint : undefined;
  return hint === undefined ? found : { ...found, hint };
}

/** A batch of objects from a part of a JSON Lines file. */
interface JsonLineBatch {
  readonly values: readonly object[];
  /** By object: its line in the part, from 0. */
  readonly lines: readonly number[];
}

/**
 * Parses a part of a file that holds whole lines, in batches, so that objects die young.
 *
 * @param isFirst   whether the part is the beginning of the file
 * @param onBadLine called for a line that is neither an object nor blank; returns whether to continue
 * @returns whether the whole part was read
 */
export function* parseJsonLines(
  part: Uint8Array,
  isFirst: boolean,
  batchSize: number,
  onBadLine: () => boolean,
): Generator<JsonLineBatch, boolean> {
  let values: object[] = [];
  let lines: number[] = [];
  let line = 0;
  for (const block of shortBlocks(Buffer.from(part.buffer, part.byteOffset, part.byteLength))) {
    for (const raw of splitLines(block)) {
      const text = stripByteOrderMark(raw.toString(), isFirst && line === 0);
      const value = typeof raw === 'string' ? parseJsonLine(text) : undefined;
      if (value) {
        values.push(value);
        lines.push(line);
        if (values.length === batchSize) {
          yield { values, lines };
          values = [];
          lines = [];
        }
      } else if (!isBlank(text) && !onBadLine()) return false;
      line += 1;
    }
  }
  if (values.length > 0) yield { values, lines };
  return true;
}

/** Bytes decoded to one string: V8 allocates longer strings in a space that it collects slowly. */
const BLOCK_BYTES = 65_536;

/** Cuts a part into blocks of whole lines, each of about `BLOCK_BYTES`. A longer line is a block of its own. */
function* shortBlocks(part: Buffer): Generator<Buffer> {
  for (let from = 0, to = 0; from < part.length; from = to) {
    to = from + BLOCK_BYTES >= part.length ? part.length : part.lastIndexOf(10, from + BLOCK_BYTES - 1) + 1;
    if (to <= from) to = part.indexOf(10, from + BLOCK_BYTES) + 1 || part.length;
    yield part.subarray(from, to);
  }
}

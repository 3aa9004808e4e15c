import { SourceFile } from '../../diagnostics/index.js';
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
  if (isBlank(text)) return undefined; // JSON.parse would throw, which takes fifty times as long as this test
  const data = tryParseJson(text)?.data;
  return isMap(data) ? data : undefined;
}

/** Whether a line holds nothing but white space. */
const isBlank = (text: string): boolean => !(text.charCodeAt(0) > 32) && text.trim() === '';

/** A file's first line without its byte order mark. */
export const stripByteOrderMark = (text: string, isFirst: boolean): string =>
  isFirst && text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;

/** How long lines are parsed before the event loop runs, in milliseconds, and how much before the clock is read. */
const LOOP_MS = 10;
const CHARACTERS_PER_LOOK = 16_384;
/** What a line counts beside its characters. */
const LINE_COST = 64;

const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/**
 * Reads JSON Lines: an object a line. Many lines that come at once are parsed in turns with the event loop.
 *
 * @param before how many lines come before these
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
  let began = performance.now();
  for await (const block of lineBlocks(input)) {
    const rows: object[] = [];
    for (const raw of splitLines(block)) {
      line += 1;
      const bytes = typeof raw === 'string' ? undefined : raw;
      const text = stripByteOrderMark(raw.toString(), line === 1);
      unseen += text.length + LINE_COST;
      if (unseen > CHARACTERS_PER_LOOK) {
        unseen = 0;
        if (performance.now() - began > LOOP_MS) {
          await nextTurn(); // oxlint-disable-line no-await-in-loop -- the event loop runs between lines
          began = performance.now();
        }
      }
      if (isBlank(text)) continue;
      const row = bytes ? undefined : parseJsonLine(text);
      if (row) {
        rows.push(row);
      } else {
        const source = new SourceFile(name, text, line);
        // oxlint-disable-next-line no-await-in-loop -- loaded once, and only for a line that cannot be read
        const describe = bytes ? () => utf8Problem(bytes, source) : await lineProblem(source);
        problems.add(source, 0, describe);
        if (bytes?.includes(0) && !anyRead && rows.length === 0) return; // a binary file: its other lines are no better
      }
    }
    anyRead ||= rows.length > 0;
    if (rows.length > 0) yield rows;
  }
}

/** How files begin that are no JSON Lines. */
const OTHER_FORMATS = [
  {
    start: /^\s*(?:\[|\{\s*$)/,
    hint: 'JSON Lines has a whole object a line; a file with one list is JSON: name it .json',
  },
  { start: /^[^{[\t]+,/, hint: 'if it is CSV, name it .csv, or say --input csv' },
  { start: /^[^{[]+\t/, hint: 'if it is TSV, name it .tsv, or say --input tsv' },
];

/** The problem of a line that is JSON, is nested too deep, and is too long to be searched. */
const tooDeepLine: RowProblem = { message: TOO_DEEP };

/** Describes what is wrong with a line; of the first one, also the format that it looks like. */
async function lineProblem(source: SourceFile): Promise<() => RowProblem> {
  const { findJsonMistake } = await import('./parse-json-with-places.js');
  return () => {
    const { text } = source;
    const parsed = tryParseJson(text);
    const place = source.placeAt(Math.max(0, text.search(/\S/)));
    const problem = parsed ? notAnObject(parsed.data) : findJsonMistake(source, 'line');
    const found = { ...(problem ?? tooDeepLine), place: problem?.place ?? place };
    const hint = source.firstLine === 1 ? OTHER_FORMATS.find(({ start }) => start.test(text))?.hint : undefined;
    return hint === undefined ? found : { ...found, hint };
  };
}

/** Some of the objects in a part of a file of JSON Lines. */
export interface JsonLineBatch {
  readonly values: readonly object[];
  /** By object: the line that it is in, the first of the part being 0. */
  readonly lines: readonly number[];
}

/**
 * Parses a part of a file that holds whole lines, a batch at a time: short-lived objects cost little.
 *
 * @param isFirst   whether the part is the beginning of the file
 * @param batchSize objects in a batch
 * @param onBadLine called at a line that is neither an object nor blank: gives whether to read on
 * @returns whether all of it was read
 */
export function* parseJsonLines(
  part: Buffer,
  isFirst: boolean,
  batchSize: number,
  onBadLine: () => boolean,
): Generator<JsonLineBatch, boolean> {
  let values: object[] = [];
  let lines: number[] = [];
  let line = 0;
  for (const block of shortBlocks(part)) {
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

/** The bytes that are decoded to one string: V8 keeps longer strings where it is slow to collect them. */
const BLOCK_BYTES = 65_536;

/** Whole lines of a part, about so many bytes at a time; a longer line alone. */
function* shortBlocks(part: Buffer): Generator<Buffer> {
  for (let from = 0, to = 0; from < part.length; from = to) {
    to = from + BLOCK_BYTES >= part.length ? part.length : part.lastIndexOf(10, from + BLOCK_BYTES - 1) + 1;
    if (to <= from) to = part.indexOf(10, from + BLOCK_BYTES) + 1 || part.length;
    yield part.subarray(from, to);
  }
}

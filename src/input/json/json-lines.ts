import { SourceFile } from '../../diagnostics/index.js';
import { isMap } from '../../expression/index.js';
import { notAnObject, type RowProblem, type RowProblems } from '../candidate-reader.js';
import { lineBlocks, splitLines, type TextInput } from '../line-blocks.js';
import { utf8Problem } from '../utf8.js';
import { tryParseJson } from './parse-json.js';

/** Parses a line of JSON Lines; undefined where it is no object, as is a blank one. */
export function parseJsonLine(text: string): object | undefined {
  const data = tryParseJson(text)?.data;
  return isMap(data) ? data : undefined;
}

/** A file's first line without its byte order mark. */
export const stripByteOrderMark = (text: string, isFirst: boolean): string =>
  isFirst && text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;

/**
 * Reads JSON Lines: an object a line.
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
  for await (const block of lineBlocks(input)) {
    const rows: object[] = [];
    for (const raw of splitLines(block)) {
      line += 1;
      const bytes = typeof raw === 'string' ? undefined : raw;
      const text = stripByteOrderMark(raw.toString(), line === 1);
      const row = bytes ? undefined : parseJsonLine(text);
      if (row) {
        rows.push(row);
      } else if (text.trim() !== '') {
        const source = new SourceFile(name, text, line);
        // oxlint-disable-next-line no-await-in-loop -- loaded once, and only for a line that cannot be read
        const describe = bytes ? () => utf8Problem(bytes, source) : await lineProblem(source);
        problems.add(source, 0, describe);
        if (bytes?.includes(0) && !anyRead && rows.length === 0) return; // a binary file: its other lines are no better
      }
    }
    anyRead ||= rows.length > 0;
    yield rows;
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

/** Describes what is wrong with a line; of the first one, also the format that it looks like. */
async function lineProblem(source: SourceFile): Promise<() => RowProblem> {
  const { parseJsonWithPlaces } = await import('./parse-json-with-places.js');
  return () => {
    const { text } = source;
    const parsed = tryParseJson(text);
    const place = source.placeAt(Math.max(0, text.search(/\S/)));
    const problem = parsed ? notAnObject(parsed.data) : parseJsonWithPlaces(source, 'line').problems[0];
    const found = { place, ...(problem ?? notAnObject(undefined)) };
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
      } else if (text.trim() !== '' && !onBadLine()) return false;
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

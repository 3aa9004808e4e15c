import { isMap } from '../../expression/is-map.js';
import { splitLines } from '../split-lines.js';
import { tryParseJson } from './parse-json.js';

/** A line of JSON Lines; undefined where it is no object, as is a blank one. */
export function parseJsonLine(text: string): object | undefined {
  const quick = tryParseJson(text);
  return quick && isMap(quick.data) ? quick.data : undefined;
}

/** A file's first line without its byte order mark. */
export const stripByteOrderMark = (text: string, isFirst: boolean): string =>
  isFirst && text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;

/** Some of the objects in a part of a file of JSON Lines. */
export interface JsonLineBatch {
  readonly values: readonly object[];
  /** By object: the line that it is in, the first of the part being 0. */
  readonly lines: readonly number[];
}

/**
 * Reads a part of a file that holds whole lines, some objects at a time: those that nobody holds any more cost little.
 *
 * @param isFirst whether it is where the file begins
 * @param most    how many objects at a time
 * @param goesOn  asked at a line that is neither an object nor blank
 * @returns whether all of it was read
 */
export function* parseJsonLines(
  part: Buffer,
  isFirst: boolean,
  most: number,
  goesOn: () => boolean,
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
        if (values.length === most) {
          yield { values, lines };
          values = [];
          lines = [];
        }
      } else if (text.trim() !== '' && !goesOn()) return false;
      line += 1;
    }
  }
  if (values.length > 0) yield { values, lines };
  return true;
}

/** So much is made text at once: V8 keeps longer texts where it is slow to collect them. */
const BLOCK_BYTES = 65_536;

/** Whole lines of a part, so many bytes at a time; a longer line alone. */
function* shortBlocks(part: Buffer): Generator<Buffer> {
  for (let from = 0, to = 0; from < part.length; from = to) {
    to = from + BLOCK_BYTES >= part.length ? part.length : part.lastIndexOf(10, from + BLOCK_BYTES - 1) + 1;
    if (to <= from) to = part.indexOf(10, from + BLOCK_BYTES) + 1 || part.length;
    yield part.subarray(from, to);
  }
}

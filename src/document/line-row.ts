import { parseQuickly } from './json.js';
import { linesOf } from './lines.js';
import { isMap } from './map.js';

/** A line of JSON Lines; undefined where it is no object, as is a blank one. */
export function lineRow(text: string): object | undefined {
  const quick = parseQuickly(text);
  return quick && isMap(quick.data) ? quick.data : undefined;
}

/** A file's first line without its byte order mark. */
export const withoutMark = (text: string, isFirst: boolean): string =>
  isFirst && text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;

/** The objects in a part of a file of JSON Lines. */
export interface LineRows {
  readonly values: readonly object[];
  /** By object: the line that it is in, the first of the part being 0. */
  readonly lines: readonly number[];
  /** The first line that is neither an object nor blank, if there is one. */
  readonly wrong: number | undefined;
}

/**
 * Reads a part of a file that holds whole lines.
 *
 * @param isFirst whether it is where the file begins
 */
export function lineRows(part: Buffer, isFirst: boolean): LineRows {
  const values: object[] = [];
  const lines: number[] = [];
  let wrong: number | undefined;
  let line = 0;
  for (const raw of linesOf(part)) {
    const text = withoutMark(raw.toString(), isFirst && line === 0);
    const value = typeof raw === 'string' ? lineRow(text) : undefined;
    if (value) {
      values.push(value);
      lines.push(line);
    } else if (text.trim() !== '') wrong ??= line;
    line += 1;
  }
  return { values, lines, wrong };
}

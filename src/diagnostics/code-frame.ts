import { displayWidth, escapeInvisibleInLine } from '../text/index.js';
import type { Place } from './problem.js';

/** How many columns of a line are shown. */
const MAX_COLUMNS = 160;

/** A line, or the part of it around a column; the column counts from 1 in the text that is left. */
export interface Excerpt {
  readonly text: string;
  readonly column: number;
}

/**
 * Cuts a long line to a window around a column, with `…` where something is missing. Only the window is read: a line of
 * megabytes costs no more than a short one.
 */
export function excerpt(line: string, column: number): Excerpt {
  if (line.length <= MAX_COLUMNS && displayWidth(line) <= MAX_COLUMNS) return { text: line, column };
  const at = Math.min(column - 1, line.length);
  const left = windowStart(line, at, MAX_COLUMNS / 2);
  const right = windowEnd(line, at, MAX_COLUMNS - 2 - left.width);
  // What the right does not need, as at the end of a line, goes to the left.
  const start = windowStart(line, at, MAX_COLUMNS - 2 - right.width).index;
  const before = start > 0 ? '…' : '';
  const after = right.index < line.length ? '…' : '';
  return { text: before + line.slice(start, right.index) + after, column: at - start + before.length + 1 };
}

/** Where a window ends, and the width of what is between it and the column. */
interface WindowEdge {
  readonly index: number;
  readonly width: number;
}

function windowEnd(line: string, from: number, columns: number): WindowEdge {
  let index = from;
  let width = 0;
  while (index < line.length) {
    const character = String.fromCodePoint(line.codePointAt(index)!);
    const next = width + displayWidth(character);
    if (next > columns || index - from > 2 * MAX_COLUMNS) break;
    width = next;
    index += character.length;
  }
  return { index, width };
}

function windowStart(line: string, from: number, columns: number): WindowEdge {
  let index = from;
  let width = 0;
  while (index > 0) {
    // The two halves of a surrogate pair stay together.
    const pair = index > 1 && line.codePointAt(index - 2)! > 0xffff;
    const start = pair ? index - 2 : index - 1;
    const next = width + displayWidth(line.slice(start, index));
    if (next > columns || from - start > 2 * MAX_COLUMNS) break;
    width = next;
    index = start;
  }
  return { index, width };
}

/** Colours a part of a text. */
export type Colourize = (text: string) => string;

/** The lines under a problem: its line of the file, and a caret below its column. None where the line is blank. */
export function codeFrame(place: Place, faint: Colourize, caret: Colourize): string[] {
  if (place.text === undefined || place.text.trim() === '') return [];
  const { text, column } = excerpt(place.text, place.textColumn ?? place.column);
  const number = String(place.line);
  // The caret's line repeats the tabs of the line above: their width is the terminal's choice.
  const before = escapeInvisibleInLine(text.slice(0, column - 1));
  const padding = before.replace(/[^\t]+/g, (run) => ' '.repeat(displayWidth(run)));
  return [
    `  ${faint(`${number} |`)} ${escapeInvisibleInLine(text)}`.trimEnd(),
    `  ${faint(`${' '.repeat(number.length)} |`)} ${padding}${caret('^')}`,
  ];
}

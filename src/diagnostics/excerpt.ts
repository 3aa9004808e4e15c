import { displayWidth } from '../text/display-width.js';

/** How many columns of a line are shown. A longer one is cut around what is pointed at. */
const COLUMNS = 160;

/** A line, or the part of it around a column; the column counts from 1 in the text that is left. */
export interface Excerpt {
  readonly text: string;
  readonly column: number;
}

/**
 * Cuts a long line to a window around a column, with `…` where something is missing. Only what ends up in the window
 * is looked at, so that a line of megabytes costs no more than a short one.
 */
export function excerpt(line: string, column: number): Excerpt {
  if (line.length <= COLUMNS && displayWidth(line) <= COLUMNS) return { text: line, column };
  const at = Math.min(column - 1, line.length);
  const left = windowStart(line, at, COLUMNS / 2);
  const right = windowEnd(line, at, COLUMNS - 2 - left.width);
  // What the right does not need, as at the end of a line, goes to the left.
  const start = windowStart(line, at, COLUMNS - 2 - right.width).index;
  const before = start > 0 ? '…' : '';
  const after = right.index < line.length ? '…' : '';
  return { text: before + line.slice(start, right.index) + after, column: at - start + before.length + 1 };
}

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
    if (next > columns || index - from > 2 * COLUMNS) break;
    width = next;
    index += character.length;
  }
  return { index, width };
}

function windowStart(line: string, from: number, columns: number): WindowEdge {
  let index = from;
  let width = 0;
  while (index > 0) {
    // Two halves of one character are never parted.
    const pair = index > 1 && line.codePointAt(index - 2)! > 0xffff;
    const start = pair ? index - 2 : index - 1;
    const next = width + displayWidth(line.slice(start, index));
    if (next > columns || from - start > 2 * COLUMNS) break;
    width = next;
    index = start;
  }
  return { index, width };
}

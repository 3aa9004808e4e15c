import { isUtf8 } from 'node:buffer';
import type { LineBlock } from './line-blocks.js';

/** The lines of a block without their ends: texts, and bytes where they are not UTF-8. */
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

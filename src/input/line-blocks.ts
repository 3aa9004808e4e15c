import { isUtf8 } from 'node:buffer';

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
